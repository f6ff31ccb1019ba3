#pragma once
// Stoermer-Verlet in velocity form (Hauth 2004, section on Verlet; Hairer, Lubich, Wanner, Geometric Numerical
// Integration, I.1.4). With a(q, v) = W (f(q) - D(q) v):
//     v_half = v + h/2 a(q, v)
//     q+     = q + h v_half
//     v+     = v_half + h/2 a(q+, v*),     v* = 2 v_half - v     (velocity predicted to the end of the step)
// Undamped, the acceleration at the end serves the next step's first line too: one force evaluation per step. Damped, it belongs to v* and
// not to v+; used again it would halve the stable step, so it is evaluated anew: two per step. Order 2 either way.
// Symplectic when undamped; stable for h omega < 2, with damping d for h d < 2 and (h omega)^2 < 4 - 2 h d + (h d)^2.
#include "engine/integrate/integrator.h"

namespace wobble {

class Verlet final : public Integrator {
public:
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { known_ = false; }

private:
    bool known_ = false;  // force_ belongs to the incoming state
    VecX force_, predicted_;
};

}  // namespace wobble
