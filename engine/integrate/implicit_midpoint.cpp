#include "engine/integrate/implicit_midpoint.h"

#include "engine/integrate/acceleration.h"
#include "engine/integrate/error_estimate.h"

namespace wobble {

StepReport ImplicitMidpoint::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    start_.predict(system, in, h / 2, out.q);
    out.v = in.v;
    if (!stage_.solve(system, in.q, in.v, h / 2, out.q, out.v, report)) return report;
    out.q = 2 * out.q - in.q;
    out.v = 2 * out.v - in.v;
    out.t = in.t + h;

    acceleration(system, in.q, in.v, a_, report);
    report.error = relative_error(system, h, in, out, [&](int k) {
        return std::array<double, 2>{h * h / 6 * ((out.v[k] - in.v[k]) / h - a_[k]), 0.0};
    });
    return report;
}

}  // namespace wobble
