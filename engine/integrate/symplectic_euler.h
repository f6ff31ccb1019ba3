#pragma once
// Symplectic (semi-implicit) Euler, what games use (Hauth 2004; Hairer, Lubich, Wanner, Geometric Numerical Integration, I.1.2):
//     v+ = v + h a(q, v),     q+ = q + h v+,      a(q, v) = P W ( f(q) + f_ext - D(q) v ).
// Symplectic when undamped; damping d is lagged: stable for h d / 2 + (h omega)^2 / 4 < 1.
#include "engine/integrate/integrator.h"

namespace wobble {

class SymplecticEuler final : public Integrator {
public:
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;

private:
    VecX a_;
};

}  // namespace wobble
