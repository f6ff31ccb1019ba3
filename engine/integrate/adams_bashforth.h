#pragma once
// Explicit Adams-Bashforth methods with k = 2 or 4 (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, III.1):
// the polynomial through the last k values of F is integrated over the step,
//     u+ = u + sum_{j<k} beta_j F(u_{n-j}),     beta_j = integral over [t_n, t_n + h] of l_j(t) = prod_{i != j} (t - t_{n-i}) / (t_{n-j} -
//     t_{n-i});
// equal steps give h (3, -1)/2 and h (55, -59, 37, -9)/24. One force evaluation per step. The first k - 1 steps after a new beginning
// are rk4, and so is a step more than twice as long as the one before, over which the polynomial would be extrapolated too far.
#include "engine/integrate/integrator.h"
#include "engine/integrate/runge_kutta.h"
#include "engine/integrate/step_history.h"

namespace wobble {

class AdamsBashforth final : public Integrator {
public:
    explicit AdamsBashforth(int k) : k_(k) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { history_.forget(), start_.reset(); }
    void rejected() override {}  // the history recognises what was accepted

private:
    int k_;
    StepHistory history_;
    std::array<VecX, StepHistory::most>
        a_;  // beside the states of the history: accelerations without f_ext, which may change between steps
    VecX correction_;
    RungeKutta start_{tableaus::rk4};
};

}  // namespace wobble
