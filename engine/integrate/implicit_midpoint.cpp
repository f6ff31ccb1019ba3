#include "engine/integrate/implicit_midpoint.h"

namespace wobble {

StepReport ImplicitMidpoint::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    start_.predict(system, in, h / 2, out.q);
    out.v = in.v;
    if (!stage_.solve(system, in.q, in.v, h / 2, out.q, out.v, report)) return report;
    out.q = 2 * out.q - in.q;
    out.v = 2 * out.v - in.v;
    out.t = in.t + h;
    return report;
}

}  // namespace wobble
