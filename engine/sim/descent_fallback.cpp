#include "engine/sim/descent_fallback.h"

#include <cmath>

namespace wobble {

namespace {

constexpr int directions_at_most = 25, halvings_at_most = 30;
constexpr double enough = 1e-3;  // of the way: an update so short is the last one

}  // namespace

double DescentFallback::phi(const MechanicalSystem& system, const VecX& x, double h) {
    moved_ = x - start_;
    return system.kinetic_energy(moved_) + h * h * (system.elastic_energy(x) + system.gravity_energy(x) - system.external_force().dot(x));
}

StepReport DescentFallback::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    if (pattern_ != system.pattern()) matrix_.emplace(system, LinearSolver::cholesky), pattern_ = system.pattern();
    matrix_->begin(system, h);
    free_ = in.v;
    system.constraints().project(free_);
    w_ = in.v - free_;
    start_ = in.q + h * w_;

    VecX& x = out.q;
    x = start_;
    for (VecX* vector : {&G_, &p_}) vector->resize(x.size());
    double value = phi(system, x, h);
    for (int n = 0; n < directions_at_most && !system.workers().stop_requested(); ++n) {
        system.elastic_force(x, G_);
        G_ = system.mass().cwiseProduct(x - start_) - h * h * (G_ + system.external_force());
        system.constraints().project(G_);
        ++report.force_evaluations;
        ++report.newton_iterations;
        const LinearReport solved = matrix_->direction(x, G_, enough, p_);
        report.factorizations += solved.factorizations;
        report.linear_iterations += solved.iterations;
        const double slope = G_.dot(p_);
        if (solved.outcome != LinearReport::Outcome::solved || !(slope < 0)) break;

        double alpha = 1, next = 0;
        int halvings = 0;
        for (; halvings <= halvings_at_most; ++halvings, alpha *= 0.5) {
            trial_ = x + alpha * p_;
            next = phi(system, trial_, h);
            if (next <= value + 1e-4 * alpha * slope) break;
        }
        if (halvings > halvings_at_most) break;
        x.swap(trial_);
        value = next;
        const double way = std::sqrt(2 * system.kinetic_energy(moved_));
        if (alpha == 1 && solved.shift == 0 && std::sqrt(-slope) <= enough * way) break;
    }
    report.stages = 1;
    moved_ = (x - in.q) / h;
    system.constraints().project(moved_);
    out.v = moved_ + w_;
    out.t = in.t + h;
    return report;
}

}  // namespace wobble
