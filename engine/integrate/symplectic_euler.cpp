#include "engine/integrate/symplectic_euler.h"

#include "engine/integrate/acceleration.h"

namespace wobble {

StepReport SymplecticEuler::step(const MechanicalSystem& system, const State& in, double h, State& out) {
    StepReport report;
    acceleration(system, in.q, in.v, a_, report);
    system.workers().ranges(static_cast<int>(in.q.size()), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            out.v[k] = in.v[k] + h * a_[k];
            out.q[k] = in.q[k] + h * out.v[k];
        }
    });
    out.t = in.t + h;
    return report;
}

}  // namespace wobble
