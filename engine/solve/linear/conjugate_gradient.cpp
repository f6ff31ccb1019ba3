#include "engine/solve/linear/conjugate_gradient.h"

#include <cmath>
#include <numeric>

namespace wobble {

bool ConjugateGradient::small_error(double tolerance, int k, double residual) {
    const double enough = tolerance * tolerance * fallen_;
    if (residual <= enough) return true;
    if (k < 2) return false;
    const int d = 1 + std::max(0, k - 8) / 4;
    const auto last = delta_.begin() + k;
    const double newest = std::accumulate(last - d, last, 0.0), before = std::accumulate(last - 2 * d, last - d, 0.0);
    const double theta = newest / before;
    const bool small = theta < 1 && newest * theta <= enough * (1 - theta), twice = small && small_before_;
    small_before_ = small;
    return twice;
}

template <class Matrix>
CgReport ConjugateGradient::solve(Workers& workers, const Matrix& A, const Constraints& P, const VecX& W, Preconditioner& B, const VecX& b,
                                  double tolerance, int max_iterations, VecX& x) {
    using Outcome = CgReport::Outcome;
    CgReport report{Outcome::stagnated};
    for (VecX* vector : {&r_, &z_, &p_, &q_}) vector->resize(b.size());
    if (static_cast<int>(delta_.size()) < max_iterations) delta_.resize(static_cast<std::size_t>(max_iterations));
    const int rows = A.rows(), n = 3 * rows;
    x.setZero(n);
    r_ = b;
    P.project(r_);
    fallen_ = 0;
    small_before_ = false;
    double rho = 0;
    while (report.iterations < max_iterations) {
        if (workers.stop_requested()) return report.outcome = Outcome::stopped, report;
        const double rho_old = rho;
        rho = B.apply(r_, z_);  // r = P r, so that r.z = r.P z
        if (!std::isfinite(rho)) return report.outcome = Outcome::not_finite, report;
        if (rho <= 0) return report.outcome = Outcome::solved, report;  // r is zero, B being positive definite
        P.project(z_);
        const double beta = report.iterations == 0 ? 0 : rho / rho_old;
        if (report.iterations == 0) p_.setZero();
        workers.ranges(n, [&](int begin, int end) {
            for (int k = begin; k < end; ++k) p_[k] = z_[k] + beta * p_[k];
        });
        const double curvature = blocked_sum(workers, rows, [&](int begin, int end) {
            double sum = 0;
            const auto& A_rows = rows_of(A);
            for (int i = begin; i < end; ++i) {
                A_rows.multiply(i, p_.data(), q_.data() + 3 * i);
                sum += p_[3 * i] * q_[3 * i] + p_[3 * i + 1] * q_[3 * i + 1] + p_[3 * i + 2] * q_[3 * i + 2];
            }
            return sum;
        });
        ++report.iterations;
        if (!std::isfinite(curvature)) return report.outcome = Outcome::not_finite, report;
        if (curvature <= 0) return report.outcome = Outcome::negative_curvature, report;
        P.project(q_);
        const double alpha = rho / curvature;
        const double residual = blocked_sum(workers, n, [&](int begin, int end) {
            double sum = 0;
            for (int k = begin; k < end; ++k) {
                x[k] += alpha * p_[k];
                r_[k] -= alpha * q_[k];
                sum += W[k] * r_[k] * r_[k];
            }
            return sum;
        });
        fallen_ += delta_[static_cast<std::size_t>(report.iterations) - 1] = alpha * rho;
        if (small_error(tolerance, report.iterations, residual)) return report.outcome = Outcome::solved, report;
    }
    return report;
}

template CgReport ConjugateGradient::solve(Workers&, const BlockMatrix&, const Constraints&, const VecX&, Preconditioner&, const VecX&,
                                           double, int, VecX&);
template CgReport ConjugateGradient::solve(Workers&, const ScalarMatrix&, const Constraints&, const VecX&, Preconditioner&, const VecX&,
                                           double, int, VecX&);

}  // namespace wobble
