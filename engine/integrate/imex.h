#pragma once
// Implicit-explicit Euler with a constant stiff part (Hauth 2004; Eberhardt, Etzmuss, Hauth 2000): K_s and D_s = alpha M + (beta + tau)
// K_s are taken at the end of the step, the rest of the force, f(q) + K_s q, and of the damping at its beginning,
//     M (v+ - v) = h [ f(q) + f_ext - K_s (q+ - q) - D(q) v - D_s (v+ - v) ],     q+ = q + h v+,
// that is
//     ( M + h D_s + h^2 K_s ) (v+ - v) = h [ f(q) + f_ext - D(q) v - h K_s v ]:
// linearly implicit Euler with a matrix that is factored once. Stable at any step while K(q) <= 2 K_s; damps like implicit Euler.
#include "engine/integrate/integrator.h"
#include "engine/integrate/stiff_part.h"

namespace wobble {

class Imex final : public Integrator {
public:
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { stiff_.forget(); }
    void rejected() override {}

private:
    StiffPart stiff_{1, 1};
    VecX K_v_, dv_;
};

}  // namespace wobble
