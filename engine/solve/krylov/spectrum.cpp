#include "engine/solve/krylov/spectrum.h"

#include "engine/linalg/cholesky.h"
#include "engine/linalg/tridiagonal.h"
#include "engine/solve/jacobian.h"
#include "engine/solve/krylov/lanczos.h"

#include <cmath>
#include <cstdint>

namespace wobble {

namespace {

// Of size 1 / sqrt(m), with signs that have no pattern: the highest bits of numbers mixed almost as in splitmix64 (Steele, Lea, Flood
// 2014).
VecX pseudo_random(const Linearized& system) {
    VecX b(system.mass.size());
    std::uint64_t count = 12345;
    for (Eigen::Index k = 0; k < b.size(); ++k) {
        std::uint64_t bits = count += 0x9e3779b97f4a7c15u;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
        b[k] = std::copysign(std::sqrt(system.inverse_mass[k]), (bits >> 63) != 0 ? 1.0 : -1.0);
    }
    return b;
}

struct Largest {
    double value, residual;
};

// |A z - value z| = beta_m |last entry| = residual, and the eigenvalue's error is of that order or smaller.
Largest largest_eigenvalue(const Linearized& system, double accuracy) {
    const VecX b = pseudo_random(system);
    const VecX* starts[] = {&b};
    Lanczos lanczos(80);
    TridiagonalEigen eigen(80);
    Largest largest{0, 0};
    if (!lanczos.start(system, starts)) return {0, 0};
    while (lanczos.dimension() < lanczos.max_dimension() && !lanczos.invariant()) {
        if (system.workers.stop_requested() || !lanczos.extend()) return {0, 0};
        if (lanczos.dimension() % 2 != 0 && !lanczos.invariant()) continue;
        if (!eigen.compute(lanczos.diagonal(0), lanczos.off_diagonal(0))) return {0, 0};
        const int top = eigen.size() - 1;
        largest = {eigen.value(top), lanczos.next_beta(0) * std::abs(eigen.vector(top, top))};
        if (largest.residual < accuracy * largest.value) break;
    }
    return largest;
}

}  // namespace

double highest_frequency(const Linearized& system) { return std::sqrt(std::max(0.0, largest_eigenvalue(system, 2e-3).value)); }

double highest_frequency_bound(const Linearized& system, double accuracy) {
    const auto [value, residual] = largest_eigenvalue(system, accuracy);
    return std::sqrt(std::max(0.0, value + residual));
}

void TrackedFrequency::follow(const Linearized& system) {
    const double scale = 2 * diagonal_scale(system, sums_);
    const bool usable = scale > 0 && std::isfinite(scale), far = scale > far_ * measured_scale_ || far_ * scale < measured_scale_;
    if (usable && (far || ++age_ >= period_)) measure(system);
    else omega_ = std::sqrt(ratio_ * scale);
}

void TrackedFrequency::measure(const Linearized& system) {
    const double scale = 2 * diagonal_scale(system, sums_);
    omega_ = highest_frequency_bound(system, accuracy_);
    const bool known = omega_ > 0 && std::isfinite(omega_);
    ratio_ = known ? omega_ * omega_ / scale : 1;
    measured_scale_ = known ? scale : 0;
    if (!known) omega_ = std::sqrt(scale);
    age_ = 0;
}

void TrackedFrequency::solver_state(SavedSolverState& numbers) {
    numbers(age_), numbers(omega_), numbers(measured_scale_), numbers(ratio_);
}

double lowest_frequency(const Linearized& system) {
    BlockMatrix A = system.K.blocks();
    const BlockPattern& pattern = A.pattern();
    for (int i = 0; i < pattern.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
            const int j = pattern.column[k];
            if (system.inverse_mass[3 * i] != 0 && system.inverse_mass[3 * j] != 0) continue;
            Eigen::Map<Mat3> block(A.block(k));
            block = i == j ? Mat3(Mat3::Identity() * system.mass[3 * i]) : Mat3(Mat3::Zero());
        }
    SparseCholesky cholesky(pattern);
    if (!cholesky.factorize(A)) return 0;
    VecX x = pseudo_random(system), y(x.size());
    double theta = 0;
    for (int iteration = 0; iteration < 200; ++iteration) {
        x /= std::sqrt(x.dot(system.mass.cwiseProduct(x)));
        y = system.mass.cwiseProduct(x);
        cholesky.solve(y, y);
        const double next = 1 / y.dot(system.mass.cwiseProduct(x));
        x = y;
        if (std::abs(next - theta) < 1e-6 * next) return std::sqrt(next);
        theta = next;
    }
    return std::sqrt(std::max(0.0, theta));
}

}  // namespace wobble
