#pragma once
// Implicit midpoint rule (seed paper 002; Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3), u' = F(u):
//     U = u + h/2 F(U),     u+ = u + h F(U) = 2 U - u
// with U = (x; u) the stage equation for q^ = q, v^ = v, g = h/2. A-stable, symplectic, keeps quadratic invariants; |R(infinity)| = 1:
// stiff motion is neither resolved nor damped.
#include "engine/integrate/extrapolation.h"
#include "engine/integrate/implicit_stage.h"
#include "engine/integrate/integrator.h"

namespace wobble {

class ImplicitMidpoint final : public Integrator {
public:
    explicit ImplicitMidpoint(const IntegratorOptions& options) : stage_(options.solver) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { start_.reset(); }
    void rejected() override {}

private:
    ImplicitStage stage_;
    Extrapolation start_;
};

}  // namespace wobble
