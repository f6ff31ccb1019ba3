#pragma once
// Explicit Runge-Kutta methods from a tableau (tableaus.h) on u' = F(u) (acceleration.h):
//     U_i = u + h sum_{j<i} a_ij F(U_j),     u+ = u + h sum_i b_i F(U_i),     e = h sum_i d_i F(U_i) -> StepReport::error.
// Where the last stage is the result, its F is kept and starts the next step, if that begins with exactly this state.
#include "engine/integrate/integrator.h"
#include "engine/integrate/tableaus.h"

#include <array>

namespace wobble {

class RungeKutta final : public Integrator {
public:
    explicit RungeKutta(const Tableau& tableau) : tableau_(tableau) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { known_ = false; }

private:
    const Tableau& tableau_;
    bool known_ = false;  // last_ is a(last_q_, last_v_) without f_ext, which may change between steps
    VecX last_, last_q_, last_v_;
    VecX Q_;                                 // positions of the present stage
    std::array<VecX, Tableau::most> V_, A_;  // F(U_i) = (V_i; A_i)
};

}  // namespace wobble
