#include "engine/integrate/imex.h"

namespace wobble {

StepReport Imex::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    if (!stiff_.prepare(system, h, report)) return report;
    K_v_.resize(in.q.size());
    dv_.resize(in.q.size());
    stiff_.K().multiply(system.workers(), in.v, K_v_);
    ++report.operator_products;
    system.force(in.q, in.v, dv_);  // with f_ext and damping
    ++report.force_evaluations;
    dv_ = h * (dv_ - h * K_v_);
    system.constraints().project(dv_);
    stiff_.solve(dv_);
    system.constraints().project(dv_);
    out.v = in.v + dv_;
    out.q = in.q + h * out.v;
    out.t = in.t + h;
    return report;
}

}  // namespace wobble
