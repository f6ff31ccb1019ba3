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
// With the highest frequency that is 0.55 to 0.8 of leapfrog's products for beta omega from 1.5 to 2.1; below, leapfrog needs as few, and
// above, Chebyshev's stages. One product per stage, and no more vectors than leapfrog has.
//
// A mode is wrong by (omega h)^2 / (6 (s-1)) of itself per radian: visible motion by (beta omega)^2 / 2 with s = 4, which error control
// does not see. As with the others, h alpha <= 1/2, and there are two substeps at least.
#include "engine/solve/flow_state.h"

namespace wobble {

class DiscFlow {
public:
    static constexpr int s = 4;

    explicit DiscFlow(double share = 1) : share_(share) {}  // of the longest stable h

    double products(const Linearized&, double omega, double t) const;  // for a time t; infinite without damping by stiffness
    // The state after a time t, from t0 on. Not for a system without edges. False: stopped.
    bool advance(const Linearized&, double omega, double t0, double t, FlowState&, PhiReport&);

private:
    static constexpr double least_substeps = 2;
    static constexpr double margin = 1.05;  // of omega, as leapfrog has

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
