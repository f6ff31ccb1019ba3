#include "engine/solve/shift_invert_lanczos.h"

#include "engine/core/reduce.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

bool ShiftInvertLanczos::start(const Linearized& system, ShiftedFactor& factor, std::span<const VecX* const> starts) {
    assert(starts.size() <= max_columns);
    system_ = &system;
    factor_ = &factor;
    columns_ = static_cast<int>(starts.size());
    dimension_ = 0;
    solves_ = 0;
    const int n = static_cast<int>(system.mass.size());
    right_.resize(static_cast<std::size_t>(n) * columns_);
    for (int c = 0; c < columns_; ++c) {
        Basis& basis = basis_[c];
        const VecX& b = *starts[c];
        const double square = blocked_sum(system.workers, n, [&](int begin, int end) {
            double sum = 0;
            for (int k = begin; k < end; ++k) sum += system.mass[k] * b[k] * b[k];
            return sum;
        });
        if (!std::isfinite(square)) return false;
        basis.norm = std::sqrt(square);
        basis.own = 0;
        basis.done = basis.norm == 0;
        basis.v.resize(largest + 1);
        basis.v[0].resize(n);
        if (!basis.done) basis.v[0] = b / basis.norm;
    }
    return true;
}

bool ShiftInvertLanczos::complete() const {
    return std::all_of(basis_.begin(), basis_.begin() + columns_, [](const Basis& basis) { return basis.done; });
}

bool ShiftInvertLanczos::extend() {
    assert(dimension_ < largest);
    const int n = static_cast<int>(system_->mass.size()), j = dimension_;
    const VecX& M = system_->mass;
    int going = 0;
    for (int c = 0; c < columns_; ++c) {
        if (basis_[c].done) continue;
        const VecX& v = basis_[c].v[j];
        double* right = right_.data() + static_cast<std::size_t>(n) * going++;
        system_->workers.ranges(n, [&](int begin, int end) {
            for (int k = begin; k < end; ++k) right[k] = M[k] * v[k];
        });
    }
    factor_->solve(system_->workers, right_.data(), right_.data(), going);
    solves_ += going;
    ++dimension_;
    going = 0;
    for (int c = 0; c < columns_; ++c) {
        Basis& basis = basis_[c];
        if (basis.done) continue;
        basis.v[j + 1].resize(n);
        basis.v[j + 1] = Eigen::Map<const VecX>(right_.data() + static_cast<std::size_t>(n) * going++, n);
        if (!orthogonalize(basis, j)) return false;
    }
    return true;
}

// w -= t_{j-1} v_{j-1} + alpha_j v_j, which leaves rounding errors only along all of v_0 .. v_j; these go in a second pass.
bool ShiftInvertLanczos::orthogonalize(Basis& basis, int j) {
    const VecX& M = system_->mass;
    const int n = static_cast<int>(M.size());
    Workers& workers = system_->workers;
    VecX& w = basis.v[j + 1];
    std::array<double, largest + 1> d{};
    const auto subtract = [&](int first) {
        return blocked_sum(workers, n, [&](int begin, int end) {
            double* out = w.data();
            for (int i = first; i <= j; ++i) {
                const double* v = basis.v[i].data();
                const double di = d[i];
                for (int k = begin; k < end; ++k) out[k] -= di * v[k];
            }
            double sum = 0;
            for (int k = begin; k < end; ++k) sum += M[k] * out[k] * out[k];
            return sum;
        });
    };
    const VecX& now = basis.v[j];
    d[j] = blocked_sum(workers, n, [&](int begin, int end) {
        double sum = 0;
        for (int k = begin; k < end; ++k) sum += M[k] * w[k] * now[k];
        return sum;
    });
    if (j > 0) d[j - 1] = basis.t[j - 1];
    basis.alpha[j] = d[j];
    subtract(std::max(0, j - 1));
    d = blocked_sums<largest + 1>(workers, n, [&](int begin, int end) {
        std::array<double, largest + 1> sum{};
        for (int i = 0; i <= j; ++i) {
            const double* v = basis.v[i].data();
            double s = 0;
            for (int k = begin; k < end; ++k) s += M[k] * w[k] * v[k];
            sum[i] = s;
        }
        return sum;
    });
    basis.alpha[j] += d[j];
    const double t = std::sqrt(subtract(0));
    if (!std::isfinite(t) || !std::isfinite(basis.alpha[j])) return false;
    basis.t[j] = t;
    basis.own = j + 1;
    basis.done = t <= 1e-14 * *std::max_element(basis.alpha.begin(), basis.alpha.begin() + j + 1);  // S > 0: |S| on this basis
    if (!basis.done) w /= t;
    return true;
}

}  // namespace wobble
