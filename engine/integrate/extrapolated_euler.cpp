#include "engine/integrate/extrapolated_euler.h"

namespace wobble {

bool ExtrapolatedEuler::step(ImplicitStage& stage, const MechanicalSystem& system, const State& in, double h, int order, State& out,
                             StepReport& report) {
    double correction = 0;
    for (int j = 1; j <= order; ++j) {
        const double g = h / j;
        out.q = in.q;
        out.v = in.v;
        for (int substep = 0; substep < j; ++substep) {
            q_ = out.q;
            v_ = out.v;
            out.q = q_ + g * v_;
            if (!stage.solve(system, q_, v_, g, out.q, out.v, report)) return false;
        }
        // out runs through T_j1, T_j2, ..; each takes the place of the row before it once that is used.
        for (int l = 1; l <= j; ++l) {
            std::swap(T_q_[l - 1], out.q);
            std::swap(T_v_[l - 1], out.v);  // out: T_j-1,l, and T_[l - 1]: T_jl
            if (l == j) break;
            const double c = 1 / (static_cast<double>(j) / (j - l) - 1);
            out.q = T_q_[l - 1] + c * (T_q_[l - 1] - out.q);
            out.v = T_v_[l - 1] + c * (T_v_[l - 1] - out.v);
        }
        if (out.q.size() != in.q.size()) out = in;  // first use: the swap took the last column's empty vector
    }
    const int m = order - 1;
    if (m > 0) correction = (T_q_[m] - T_q_[m - 1]).norm();
    const double small = order == 2 ? 0.4 : 0.1;  // from rest, the correction of order 2 is a third of the motion however short the step
    const bool holds = correction <= small * (T_q_[0] - in.q).norm();
    out.q = T_q_[holds ? m : 0];
    out.v = T_v_[holds ? m : 0];
    out.t = in.t + h;
    return true;
}

}  // namespace wobble
