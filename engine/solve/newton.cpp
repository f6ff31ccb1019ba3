#include "engine/solve/newton.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

using Outcome = NewtonReport::Outcome;

// How well to solve the next linear system.
class Forcing {
public:
    explicit Forcing(const NewtonSettings& settings) : settings_(settings) {}

    double next(double residual) {
        if (settings_.max_iterations == 1) return settings_.tolerance;  // the linear solution is the result
        switch (settings_.kind) {
            case NonlinearSolver::newton:
            case NonlinearSolver::simplified:
                return settings_.tolerance;
            case NonlinearSolver::inexact:
                return constant;
            case NonlinearSolver::superlinear:
                break;
        }
        double eta = constant;
        if (residual_ > 0) {
            eta = gamma * std::pow(residual / residual_, 2);
            if (gamma * eta_ * eta_ > 0.1) eta = std::max(eta, gamma * eta_ * eta_);
        }
        residual_ = residual;
        return eta_ = std::clamp(eta, settings_.tolerance, constant);
    }

private:
    static constexpr double constant = 0.02, gamma = 0.9;
    const NewtonSettings& settings_;
    double eta_ = constant, residual_ = 0;
};

constexpr double rounding = 1e4;  // times the floor: where updates that stop shrinking are rounding and not divergence
constexpr int halvings_at_most = 16;
constexpr int growths_at_most = 4;
constexpr double largest_blind_shift = 0.1;

}  // namespace

// p_ at q, where G_ is known.
bool Newton::direction(NewtonProblem& problem, DirectionSolver& linear, double error, const VecX& q, NewtonReport& report) {
    if (problem.stop_requested()) return report.outcome = Outcome::stopped, false;
    if (!std::isfinite(report.residual)) return report.outcome = Outcome::not_finite, false;
    ++report.iterations;
    const LinearReport solved = linear.direction(q, G_, error, p_);
    report.linear_iterations += solved.iterations;
    report.factorizations += solved.factorizations;
    shift_ = solved.shift;
    switch (solved.outcome) {
        case LinearReport::Outcome::solved:
            return true;
        case LinearReport::Outcome::indefinite:
            return report.outcome = Outcome::indefinite, false;
        case LinearReport::Outcome::stagnated:
            return report.outcome = Outcome::linear_stagnated, false;
        case LinearReport::Outcome::not_finite:
            return report.outcome = Outcome::not_finite, false;
        case LinearReport::Outcome::stopped:
            break;
    }
    return report.outcome = Outcome::stopped, false;
}

NewtonReport Newton::minimize(NewtonProblem& problem, DirectionSolver& linear, const NewtonSettings& settings, VecX& q) {
    NewtonReport report{Outcome::too_many_iterations};
    for (VecX* vector : {&G_, &p_, &trial_}) vector->resize(q.size());
    Forcing forcing(settings);
    const bool test = settings.max_iterations > 1;
    const double safety =
        settings.kind == NonlinearSolver::simplified ? 3 : 1;  // the rate of linear convergence still rises when it is measured
    const double noise = rounding * settings.floor;
    double value = 0, lambda_old = 0, alpha = 1;
    int growths = 0;
    while (true) {
        problem.gradient(q, G_);
        ++report.evaluations;
        report.residual = problem.residual(G_);
        const double enough = std::max(settings.floor, settings.tolerance * problem.progress(q));
        if (test && report.residual <= enough) return report.outcome = Outcome::converged, report;
        if (report.iterations == settings.max_iterations) return report;
        const double eta = forcing.next(report.residual);
        if (!direction(problem, linear, eta, q, report)) return report;
        const double slope = G_.dot(p_);
        if (!std::isfinite(slope)) return report.outcome = Outcome::not_finite, report;
        if (slope > 0) return report.outcome = Outcome::no_descent, report;
        if (!test) {  // no line search makes up for a wrong matrix
            if (shift_ > largest_blind_shift) return report.outcome = Outcome::indefinite, report;
            return q += p_, report.outcome = Outcome::converged, report;
        }

        const double lambda = std::sqrt(std::max(0.0, -slope));
        const bool newton_steps = alpha == 1 && shift_ == 0;  // the last and this one
        const double theta = lambda_old > 0 ? lambda / lambda_old : 1;
        const double rate = std::max(theta, eta);  // the error of p itself stays, too
        if (newton_steps && (lambda <= enough / safety || (rate < 1 && rate / (1 - rate) * lambda <= enough / safety)))
            return q += p_, report.outcome = Outcome::converged, report;
        if (lambda <= noise && theta > (settings.kind == NonlinearSolver::simplified ? 0.999 : 0.5) && report.iterations > 1)
            return report.outcome = Outcome::converged, report;
        growths = report.iterations > 1 && theta >= 1 ? growths + 1 : 0;
        if (growths == growths_at_most) return report.outcome = Outcome::no_contraction, report;
        const int left = settings.max_iterations - report.iterations;
        if (newton_steps && report.iterations > 10 && theta < 1 && std::pow(theta, left) / (1 - theta) * lambda > enough)
            return report.outcome = Outcome::no_contraction, report;

        if (report.iterations == 1 || problem.gradient_changes_value()) value = problem.value(q), ++report.evaluations;
        if (!std::isfinite(value)) return report.outcome = Outcome::not_finite, report;
        alpha = 1;
        bool fell = false;
        for (int halvings = 0; halvings <= halvings_at_most; ++halvings, alpha *= 0.5) {
            trial_ = q + alpha * p_;
            const double next = problem.value(trial_);
            ++report.evaluations;
            // Close to the minimum the fall drowns in the rounding of Phi, and Newton needs no safeguard any more.
            fell = next <= value + 1e-4 * alpha * slope || (-slope < 1e-10 * std::abs(value) && std::isfinite(next));
            if (!fell) continue;
            value = next;
            break;
        }
        if (!fell) return report.outcome = Outcome::no_descent, report;
        q = trial_;
        lambda_old = lambda;
    }
}

}  // namespace wobble
