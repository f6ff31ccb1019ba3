#pragma once
// Exponential Euler with the linearisation fixed at rest, `exp-euler` (Luan, Michels 2021a, remark 3; the contrast to exprb2):
//     u+ = u + h phi_1(hA) F(u),     A = J at the rest positions.
// What A does not know, F(u) - A u, is treated explicitly; it is stiff wherever the body has turned. First order.
// Error estimate, if wanted: the correction to second order  h phi_2(hA) r,  r = F(u+) - F(u) - A (u+ - u)  (exponential Runge-Kutta).
#include "engine/integrate/exponential/frozen_problem.h"
#include "engine/integrate/integrator.h"

namespace wobble {

class ExponentialEuler final : public Integrator {
public:
    ExponentialEuler(const IntegratorOptions& options, std::unique_ptr<PhiEvaluator> phi) : options_(options), phi_(std::move(phi)) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void solver_state(SavedSolverState& numbers) override { phi_->solver_state(numbers); }

private:
    IntegratorOptions options_;
    std::unique_ptr<PhiEvaluator> phi_;
    FrozenProblem frozen_;
    VecX x_, v_, r_, ex_, ev_;
};

}  // namespace wobble
