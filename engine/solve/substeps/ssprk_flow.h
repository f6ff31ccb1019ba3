#pragma once
// The linear problem of phi_evaluator.h where damping by stiffness is moderate, in n substeps h of s stages by the Runge-Kutta method of
// order two that is stable in the largest disc (Spiteri, Ruuth, SIAM J. Numer. Anal. 40, 2002; Ketcheson, SIAM J. Sci. Comput. 30, 2008,
// SSPRK(s,2)): with u = (x; v), F its derivative,
//     Y_0 = u,    Y_j = Y_{j-1} + h/(s-1) F(Y_{j-1}),   j < s,    u+ = ( u + (s-1) Y_{s-1} + h F(Y_{s-1}) ) / s,    F_j at t + j h/(s-1),
//     R(z) = ( 1 + (s-1) (1 + z/(s-1))^s ) / s,    |R| <= 1 where |z + s-1| <= s-1.
//
// Damped modes lie on the circle around -1/beta through 0 while beta omega <= 2 (frequencies omega, alpha = 0), so h = (s-1) beta is stable
// for all of them, whatever their frequency. In general, with rho = (s-1)/h and the larger root L of a mode beyond critical damping,
//     rho >= omega^2 / (alpha + beta omega^2),     2 rho >= L = (d + sqrt(d^2 - 4 omega^2)) / 2,   d = alpha + beta omega^2 > 2 omega.
// At that limit R is 1 for a mode in the middle of the circle, which then stays as it is. h is `share` of it: of what damping stops at
// once, in truth, a substep leaves 0.86 or less.
//
// With the highest frequency that is 0.6 to 0.8 of leapfrog's products for beta omega from 1.6 to 2.1, and less than Chebyshev's stages
// take up to 2.5. One product per stage.
//
// A mode is wrong by (omega h)^2 / (6 (s-1)) of itself per radian, which error control does not see: so that motion that is slow beside the
// step of the method, whose substeps these are, is right to about 1e-3, there are least_substeps. As with the others, h alpha <= 1/2.
#include "engine/solve/substeps/flow_state.h"

namespace wobble {

class SsprkFlow {
public:
    static constexpr int s = 4;

    explicit SsprkFlow(double share = 0.95) : share_(share) {}  // of the longest stable h

    double products(const Linearized&, double omega, double t) const;  // for a time t; infinite without damping by stiffness
    // The state after a time t, from t0 on. Not for a system without edges. False: stopped.
    bool advance(const Linearized&, double omega, double t0, double t, FlowState&, PhiReport&);

private:
    static constexpr double least_substeps = 6;
    static constexpr double margin = 1.05;  // of omega: the larger root grows fast beyond critical damping

    struct Stage {
        const double *y, *v;  // Y_{j-1}
        double *to_y, *to_v;  // Y_j, or u+ over u
        double t;             // of Y_{j-1}
        double by_F;          // h / (s-1)
    };

    double substeps(const Linearized&, double omega, double t) const;
    template <bool skewed, bool last>
    void apply(const Linearized&, const Stage&, FlowState&) const;
    void begin(const Linearized&, double by_F, FlowState&);  // Y_1 by the known rate

    double share_;
    FlowState::Vector y_[2], v_;
};

}  // namespace wobble
