#include "engine/integrate/exponential_euler.h"

namespace wobble {

StepReport ExponentialEuler::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    x_.resize(in.q.size());
    v_.resize(in.q.size());
    frozen_.freeze_at_rest(system, in, report);
    const PhiNode end[] = {{h, options_.solver.tolerance, &x_, &v_}};
    FrozenProblem::count(phi_->evaluate(frozen_.linearized(), frozen_.terms(), end), report);
    if (report.ok()) frozen_.state_at(h, x_, v_, out);
    return report;
}

}  // namespace wobble
