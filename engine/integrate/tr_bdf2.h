#pragma once
// TR-BDF2 (Bank et al. 1985; Hosea, Shampine, Analysis and implementation of TR-BDF2, 1996) with gamma = 2 - sqrt 2: a trapezoidal
// stage to t + gamma h, then the two-step BDF over the uneven steps gamma h and (1 - gamma) h,
//     u_g = u + gamma h/2 ( F(u) + F(u_g) )
//     u+  = [ u_g - (1 - gamma)^2 u ] / ( gamma (2 - gamma) ) + (1 - gamma) / (2 - gamma) h F(u+).
// For this gamma both are stage equations with the same g = gamma h/2 = (1 - gamma) / (2 - gamma) h. Order 2, L-stable.
// Embedded third order gives the error estimate
//     e = 2 k h [ F(u) / gamma - F(u_g) / (gamma (1 - gamma)) + F(u+) / (1 - gamma) ],   k = (-3 gamma^2 + 4 gamma - 2) / (12 (2 - gamma)),
// F of the implicit stages being taken from their equations: F(u_g) = (x - q^; u - v^) / g, without another evaluation.
#include "engine/integrate/extrapolation.h"
#include "engine/integrate/implicit_stage.h"
#include "engine/integrate/integrator.h"

namespace wobble {

class TrBdf2 final : public Integrator {
public:
    explicit TrBdf2(const IntegratorOptions& options) : stage_(options.solver) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { start_.reset(); }
    int past() const override { return start_.past(); }
    void recall(const State& accepted) override { start_.recall(accepted); }
    void solver_state(SavedSolverState& numbers) override { stage_.solver_state(numbers); }
    void rejected() override {}

private:
    ImplicitStage stage_;
    Extrapolation start_;
    VecX a_, x_, u_;            // acceleration at the start; the trapezoidal stage
    VecX q_hat_, v_hat_, a_g_;  // of the stage being solved; the trapezoidal stage's acceleration
};

}  // namespace wobble
