#include "engine/solve/newton.h"

#include <cmath>

namespace wobble {

Newton::Newton(std::shared_ptr<const BlockPattern> pattern) : A_(pattern), cholesky_(*pattern) {
    for (VecX* vector : {&start_, &g_, &p_, &trial_}) vector->setZero(3 * pattern->rows());
}

NewtonReport Newton::minimize(NewtonProblem& problem, double tolerance, double floor, int max_iterations, VecX& q) {
    using Outcome = NewtonReport::Outcome;
    NewtonReport report{Outcome::too_many_iterations};
    start_ = q;
    double value = problem.value(q);
    ++report.evaluations;
    while (report.iterations < max_iterations) {
        if (problem.stop_requested()) return report.outcome = Outcome::stopped, report;
        ++report.iterations;
        problem.gradient(q, g_);
        value = problem.value(q);  // the gradient may have moved what the value is measured with (frozen damping)
        report.evaluations += 2;
        if (!std::isfinite(value) || !g_.allFinite()) return report.outcome = Outcome::not_finite, report;
        problem.hessian(q, A_);
        if (!factorize(report)) return report.outcome = Outcome::factorization_failed, report;
        p_ = -g_;
        cholesky_.solve(p_, p_);
        const double slope = g_.dot(p_);  // negative: A is positive definite
        if (!std::isfinite(slope)) return report.outcome = Outcome::not_finite, report;

        if (max_iterations == 1) {  // linearly implicit
            q += p_;
            return report.outcome = Outcome::converged, report;
        }
        // An update this small is taken as it is: no line search could tell it from rounding.
        trial_ = q - start_;
        if (problem.norm(p_) <= std::max(floor, tolerance * problem.norm(trial_))) {
            q += p_;
            return report.outcome = Outcome::converged, report;
        }

        double alpha = 1;
        bool fell = false;
        for (int halvings = 0; halvings < 30 && !fell; ++halvings, alpha *= 0.5) {
            trial_ = q + alpha * p_;
            const double next = problem.value(trial_);
            ++report.evaluations;
            // Close to the minimum the fall drowns in the rounding of Phi, and Newton needs no safeguard any more.
            fell = next <= value + 1e-4 * alpha * slope || (-slope < 1e-10 * std::abs(value) && std::isfinite(next));
            if (fell) value = next;
        }
        if (!fell) return report.outcome = Outcome::no_descent, report;
        q = trial_;
    }
    return report;
}

bool Newton::factorize(NewtonReport& report) {
    double added = 0;
    for (int attempt = 0; attempt < 20; ++attempt) {
        ++report.factorizations;
        if (cholesky_.factorize(A_)) return true;
        const BlockPattern& pattern = A_.pattern();
        const double shift = added == 0 ? 1e-3 : 2 * added;  // relative to each diagonal block's size
        for (int i = 0; i < pattern.rows(); ++i) {
            Eigen::Map<Mat3> block(A_.block(pattern.diagonal[i]));
            block.diagonal().array() += (shift - added) / (1 + added) * block.diagonal().cwiseAbs().mean();
        }
        added = shift;
    }
    return false;
}

}  // namespace wobble
