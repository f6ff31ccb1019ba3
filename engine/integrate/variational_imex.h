#pragma once
// Variational implicit-explicit method (Stern, Grinspun, Implicit-explicit variational integration of highly oscillatory problems, 2009):
// implicit midpoint on the stiff quadratic part 1/2 q^T K_s q, leapfrog on the rest. Undamped it is leapfrog with the mass
// A = M + h^2/4 K_s,
//     p = M v + h/2 (f(q) + f_ext)
//     A w = p,     q+ = q + h w
//     M v+ = p + h/2 (f(q+) + f_ext),
// symplectic, of order 2, stable while h^2 (K(q) - K_s) < 4 M: at any step if K(q) <= K_s, for h omega_max < 2 always. One force evaluation
// and one solve per step, with a factor that is kept. Damping belongs to the midpoint part, at q* = q + h/2 w:
//     (A + h/2 D(q*)) w = p,     M v+ = p - h D(q*) w + h/2 (f(q+) + f_ext).
// D(q*) is not in the factored matrix, D_s = alpha M + (beta + tau) K_s is: w_0 = (A + h/2 D_s)^-1 p is corrected once by
//     w = w_0 + (A + h/2 D_s)^-1 h/2 (D_s - D(q*)) w_0,     q* = q + h/2 w_0,
// enough for order 2, and stable however strong the damping while D(q*) <= D_s. Costs one more solve.
// Error estimate as for the implicit midpoint rule (implicit_midpoint.h), from the accelerations a at the beginning and a_m = (v+ - v) / h:
//     e_q = q+ - q - h v - h^2/6 (a + 2 a_m).
#include "engine/integrate/integrator.h"
#include "engine/integrate/stiff_part.h"

namespace wobble {

class VariationalImex final : public Integrator {
public:
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { stiff_.forget(), known_ = false; }
    void rejected() override {}

private:
    StiffPart stiff_{1.0 / 2, 1.0 / 4};
    bool known_ = false;  // f_ is the elastic force at f_q_, without f_ext, which may change between steps
    VecX f_, f_q_, K_v_, w_, p_, Dw_, a_;
};

}  // namespace wobble
