#include "engine/integrate/implicit_euler.h"

namespace wobble {

StepReport ImplicitEuler::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    start_.predict(system, in, h, out.q);
    out.v = in.v;
    if (!stage_.solve(system, in.q, in.v, h, out.q, out.v, report)) return report;
    out.t = in.t + h;
    return report;
}

StepReport LinearImplicitEuler::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    out.q = h * in.v;  // only pins move before the iteration
    system.constraints().project(out.q);
    out.q = in.q + h * in.v - out.q;
    out.v = in.v;
    if (!stage_.solve(system, in.q, in.v, h, out.q, out.v, report, 1)) return report;
    out.t = in.t + h;
    return report;
}

}  // namespace wobble
