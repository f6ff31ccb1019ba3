#include "engine/integrate/exponential/exponential_euler.h"

#include "engine/integrate/error_estimate.h"

namespace wobble {

StepReport ExponentialEuler::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    x_.resize(in.q.size());
    v_.resize(in.q.size());
    frozen_.freeze_at_rest(system, in, report);
    const PhiNode end[] = {{h, options_.solver.tolerance, &x_, &v_}};
    FrozenProblem::count(phi_->evaluate(frozen_.linearized(), frozen_.terms(), end), options_.solver.tolerance, report);
    if (!report.ok()) return report;
    frozen_.state_at(h, x_, v_, out);
    if (!options_.error_estimate) return report;

    for (VecX* x : {&r_, &ex_, &ev_}) x->resize(in.q.size());
    frozen_.remainder_at_rest(h, x_, v_, r_, report);
    r_ /= h;
    const PhiTerm terms[] = {{2, nullptr, &r_}};
    const PhiNode estimate[] = {{h, 0.01, &ex_, &ev_}};
    FrozenProblem::count(phi_->evaluate(frozen_.linearized(), terms, estimate), 0.01, report);
    if (!report.ok()) return report;
    report.error = relative_error(system, h, in, out, [&](int k) { return std::array<double, 2>{ex_[k], ev_[k]}; });
    report.error = std::max(report.error, report.phi_error);
    return report;
}

}  // namespace wobble
