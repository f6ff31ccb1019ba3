#pragma once
// Backward differentiation formulas BDF-k, k = 2 .. 6 (Hauth 2004, table 3; Hairer, Norsett, Wanner I, III.1 and III.5), for any
// step sizes: the derivative at t_{n+1} of the polynomial through the new and the last k states is F(u_{n+1}),
//     sum_{j=0..k} alpha_j u_{n+1-j} = F(u_{n+1}),     alpha_0 = sum_{j>=1} 1 / (t_{n+1} - t_{n+1-j}),
//     alpha_j = prod_{i != 0,j} (t_{n+1} - t_{n+1-i}) / prod_{i != j} (t_{n+1-j} - t_{n+1-i}).
// Equal steps give the table: h alpha_0 = 3/2, 11/6, 25/12, 137/60, 147/60. This is the stage equation with g = 1 / alpha_0 and
//     q^ = q_n + sum_{j>=2} c_j (q_{n+1-j} - q_n),     c_j = -alpha_j / alpha_0   (sum_{j>=1} c_j = 1),     v^ likewise.
// BDF-2 is A-stable; k = 3 .. 6 are A(alpha)-stable with 86, 73, 52, 18 degrees: they need damping or steps that resolve the motion.
// Beginnings: the first k - 1 steps are extrapolated implicit Euler of order max(2, k - 1), which costs 3, 3, 6, 10, 15 stages each for
// k = 2 .. 6 instead of one (75 in all for BDF-6) and leaves order k. The formulas stay stable while steps grow by less than a factor
// 2.41, 1.5, 1.28, 1.12, 1.04 each time (Calvo, Grande, Grigorieff 1990). After a larger growth, as when a step was cut short to land on
// a frame, the highest order that allows the growths among the steps it uses does: fewer of them, until the uneven ones are past. A growth
// too large for BDF-2 takes one step of extrapolated Euler of order 2.
#include "engine/integrate/extrapolated_euler.h"
#include "engine/integrate/extrapolation.h"
#include "engine/integrate/implicit_stage.h"
#include "engine/integrate/integrator.h"
#include "engine/integrate/step_history.h"

namespace wobble {

class Bdf final : public Integrator {
public:
    Bdf(int k, const IntegratorOptions& options) : k_(k), stage_(options.solver) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { history_.forget(), predictor_.reset(); }
    void rejected() override {}  // the history recognises what was accepted

private:
    int allowed_order(double h) const;  // 1: none of the formulas
    bool multistep(const MechanicalSystem&, const State& in, double h, int order, State& out, StepReport&);

    int k_;
    ImplicitStage stage_;
    ExtrapolatedEuler start_;
    StepHistory history_;
    Extrapolation predictor_;
    VecX q_hat_, v_hat_;
};

}  // namespace wobble
