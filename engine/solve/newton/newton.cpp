#include "engine/solve/newton/newton.h"

#include <algorithm>
#include <array>
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
                return settings_.tolerance;
            case NonlinearSolver::inexact:
            case NonlinearSolver::simplified:
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

// The rate of contraction: of the last iteration for Newton; a mean for secant updates, whose iterations are not alike.
class Contraction {
public:
    explicit Contraction(int window) : window_(window) {}

    double rate(double lambda) {  // 1 in the first iteration
        const int steps = std::min(count_, window_);
        const double before = past_[static_cast<std::size_t>((count_ - steps) % longest)];
        if (count_ == 0 || lambda < least_) least_ = lambda, least_at_ = count_;
        past_[static_cast<std::size_t>(count_++ % longest)] = lambda;
        return steps > 0 && before > 0 ? std::pow(lambda / before, 1.0 / steps) : 1;
    }
    int iterations_without_progress() const { return count_ - 1 - least_at_; }

private:
    static constexpr int longest = 8;
    int window_, count_ = 0, least_at_ = 0;
    double least_ = 0;
    std::array<double, longest> past_{};
};

constexpr int secant_window = 6;
constexpr int patience_with_secants = 15;  // decrements go up and down for longer than Newton's may
constexpr double rounding = 1e4;           // times the floor: where updates that stop shrinking are rounding and not divergence
constexpr double stalled = 0.9;            // the rate of updates that shrink no more; strong damping contracts by little more than a half
constexpr double tight = 1e-8;             // tolerance below which a start value within the floor is not good enough
constexpr int halvings_at_most = 16;
constexpr double largest_growth = 2, steepest_rise = 0.8;
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

// Takes q + p if the gradients there and at q say that it is better. Otherwise leaves q and everything frozen there as they were.
bool Newton::accept_by_gradient(NewtonProblem& problem, double slope, VecX& q, NewtonReport& report) {
    trial_ = q + p_;
    problem.gradient(trial_, trial_G_);
    ++report.evaluations;
    const double slope_there = trial_G_.dot(p_), residual_there = problem.residual(trial_G_);
    if (residual_there <= largest_growth * least_residual_ && slope_there <= -steepest_rise * slope)
        return q.swap(trial_), G_.swap(trial_G_), true;
    if (problem.gradient_changes_value()) problem.gradient(q, G_), ++report.evaluations;
    return false;
}

// Armijo's rule; true: q has moved by alpha_ p, value_ belongs to it.
bool Newton::backtrack(NewtonProblem& problem, double slope, VecX& q, NewtonReport& report) {
    alpha_ = 1;
    for (int halvings = 0; halvings <= halvings_at_most; ++halvings, alpha_ *= 0.5) {
        trial_ = q + alpha_ * p_;
        const double next = problem.value(trial_);
        ++report.evaluations;
        // Close to the minimum the fall drowns in the rounding of Phi, and Newton needs no safeguard any more.
        const bool fell = next <= value_ + 1e-4 * alpha_ * slope || (-slope < 1e-10 * std::abs(value_) && std::isfinite(next));
        if (!fell) continue;
        value_ = next;
        q.swap(trial_);
        return true;
    }
    return false;
}

NewtonReport Newton::minimize(NewtonProblem& problem, DirectionSolver& linear, const NewtonSettings& settings, VecX& q) {
    NewtonReport report{Outcome::too_many_iterations};
    for (VecX* vector : {&G_, &p_, &trial_, &trial_G_}) vector->resize(q.size());
    Forcing forcing(settings);
    const bool test = settings.max_iterations > 1;
    const bool secants = settings.kind == NonlinearSolver::simplified;
    const double safety = secants ? 3 : 1;  // the mean rate of secant updates promises less than Newton's
    const double noise = rounding * settings.floor;
    Contraction contraction(secants ? secant_window : 1);
    alpha_ = 1;
    int growths = 0;
    bool gradient_known = false, value_known = false;
    while (true) {
        if (!gradient_known) problem.gradient(q, G_), ++report.evaluations;
        report.residual = problem.residual(G_);
        least_residual_ = report.iterations == 0 ? report.residual : std::min(least_residual_, report.residual);
        const double asked = settings.tolerance * problem.progress(q), enough = std::max(settings.floor, asked);
        const double untouched = std::clamp(settings.tolerance / tight, 0.01, 1.0) * settings.floor;  // error a start value may keep
        const double good = report.iterations == 0 ? std::max(untouched, asked) : enough;
        if (test && report.residual <= good) return report.outcome = Outcome::converged, report;
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
        const bool newton_steps = alpha_ == 1 && shift_ == 0;  // the last and this one
        const double theta = contraction.rate(lambda);
        const double rate = std::max(theta, eta);              // the error of p itself stays, too
        const bool known = !secants || report.iterations > 1;  // J says nothing about the size of the error before a rate is known
        if (newton_steps && known && (lambda <= enough / safety || (rate < 1 && rate / (1 - rate) * lambda <= enough / safety)))
            return q += p_, report.outcome = Outcome::converged, report;
        if (secants) {
            if (contraction.iterations_without_progress() >= patience_with_secants)
                return report.outcome = lambda <= noise ? Outcome::converged : Outcome::no_contraction, report;
        } else {
            if (lambda <= noise && theta > stalled && report.iterations > 1) return report.outcome = Outcome::converged, report;
            growths = report.iterations > 1 && theta >= 1 ? growths + 1 : 0;
            if (growths == growths_at_most) return report.outcome = Outcome::no_contraction, report;
            const int left = settings.max_iterations - report.iterations;
            if (newton_steps && report.iterations > 10 && theta < 1 && std::pow(theta, left) / (1 - theta) * lambda > enough)
                return report.outcome = Outcome::no_contraction, report;
        }

        gradient_known = secants && accept_by_gradient(problem, slope, q, report);
        if (gradient_known) {
            alpha_ = 1;
            value_known = false;
            continue;
        }
        if (!value_known || problem.gradient_changes_value()) value_ = problem.value(q), ++report.evaluations;
        if (!std::isfinite(value_)) return report.outcome = Outcome::not_finite, report;
        if (!backtrack(problem, slope, q, report)) return report.outcome = Outcome::no_descent, report;
        value_known = true;
    }
}

}  // namespace wobble
