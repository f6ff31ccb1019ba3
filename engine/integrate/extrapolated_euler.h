#pragma once
// Extrapolated implicit Euler (Deuflhard; Hairer, Wanner, Solving Ordinary Differential Equations II, IV.9): the step is done with
// n_j = 1, 2, .., m substeps of implicit Euler, whose results T_j1 have an error expansion in powers of h / n_j; Aitken-Neville
//     T_j,l+1 = T_jl + ( T_jl - T_j-1,l ) / ( n_j / n_j-l - 1 )
// removes one power per column: T_mm has order m, damps stiff motion completely and is A(alpha)-stable with alpha near 90 degrees.
// Costs m (m + 1) / 2 implicit stages. When the last correction is not small against the motion, the expansion has not begun to hold
// (a step far too long for the motion) and the finest implicit Euler result T_m1 is returned, which is always calm.
#include "engine/integrate/implicit_stage.h"
#include "engine/integrate/integrator.h"

#include <array>

namespace wobble {

class ExtrapolatedEuler {
public:
    static constexpr int most = 6;
    bool step(ImplicitStage&, const MechanicalSystem&, const State& in, double h, int order, State& out, StepReport&);

private:
    VecX q_, v_;
    std::array<VecX, most> T_q_, T_v_;  // T_j1 .. T_jj of the present row j, the row before it being overwritten
};

}  // namespace wobble
