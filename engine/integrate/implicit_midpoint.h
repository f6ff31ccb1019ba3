#pragma once
// Implicit midpoint rule (Hauth 2004; Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3), u' = F(u):
//     U = u + h/2 F(U),     u+ = u + h F(U) = 2 U - u
// with U = (x; u) the stage equation for q^ = q, v^ = v, g = h/2. A-stable, symplectic, keeps quadratic invariants; |R(infinity)| = 1:
// stiff motion is neither resolved nor damped.
// Error estimate: with a_m = (v+ - v) / h the acceleration in the middle and a that at the beginning, q''' = 2 (a_m - a) / h, and
//     q+ = q + h v + h^2/2 a_m     lacks     h^3/12 q''' = h^2/6 (a_m - a);
// the error of v counts h times and is of order h^4 then. (The quadrature defect of this method is zero.) Costs one evaluation.
#include "engine/integrate/extrapolation.h"
#include "engine/integrate/implicit_stage.h"
#include "engine/integrate/integrator.h"

namespace wobble {

class ImplicitMidpoint final : public Integrator {
public:
    explicit ImplicitMidpoint(const IntegratorOptions& options) : stage_(options.solver) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { start_.reset(); }
    int past() const override { return start_.past(); }
    void recall(const State& accepted) override { start_.recall(accepted); }
    void solver_state(SavedSolverState& numbers) override { stage_.solver_state(numbers); }
    void rejected() override {}

private:
    ImplicitStage stage_;
    Extrapolation start_;
    VecX a_;
};

}  // namespace wobble
