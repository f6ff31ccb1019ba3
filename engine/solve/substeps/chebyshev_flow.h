#pragma once
// The linear problem of phi_evaluator.h where damping by stiffness is strong, in n substeps h by Runge-Kutta-Chebyshev of order two
// (Sommeijer, Shampine, Verwer, RKC, J. Comput. Appl. Math. 88, 1997): with u = (x; v), F its derivative, T_j Chebyshev's polynomials,
//     Y_0 = u,   Y_1 = u + m~_1 h F_0,   Y_j = (1 - m_j - n_j) u + m_j Y_{j-1} + n_j Y_{j-2} + m~_j h F_{j-1} + g~_j h F_0,
//     w_0 = 1 + eps/s^2,   w_1 = T_s'(w_0) / T_s''(w_0),   b_j = T_j''(w_0) / T_j'(w_0)^2,   b_0 = b_2,   b_1 = 1/w_0,
//     m~_1 = b_1 w_1,   m_j = 2 b_j w_0 / b_{j-1},   n_j = -b_j / b_{j-2},   m~_j = 2 b_j w_1 / b_{j-1},   g~_j = -a_{j-1} m~_j,
//     a_j = 1 - b_j T_j(w_0);   F_j at t + c_j h,   c_j = w_1 T_j''(w_0) / T_j'(w_0),   c_1 = m~_1,   c_s = 1.
//
// One product per stage. With eps = 1 s stages are stable for h beta omega^2 up to 0.57 (s^2 - 1), where explicit damping without stages
// needs as many products as h beta omega^2 / 2. Oscillations are inside as well: damped modes lie on the circle around -1/beta through 0,
// which is in the region for h <= beta (a test takes every mode of a body through it). As with leapfrog, h alpha <= 1/2.
//
// There are two substeps at least. What turns by omega h, visible motion, is wrong by about (omega h)^2 / 10 of itself, which error control
// does not see. What damping stops at once, in truth, a substep makes smaller by a quarter to two thirds: a kick to fast vibration is
// seen some substeps longer. So where all motion is like that, beyond beta omega = most_damped, this is not for it.
#include "engine/solve/substeps/flow_state.h"

namespace wobble {

class ChebyshevFlow {
public:
    static constexpr double most_damped = 64;

    explicit ChebyshevFlow(double share = 1) : share_(share) {}  // h <= share beta

    // Products for a time t; infinite without damping by stiffness and with too much of it.
    double products(const Linearized&, double omega, double t) const;
    // The state after a time t, from t0 on. Not for a system without edges. False: stopped.
    bool advance(const Linearized&, double omega, double t0, double t, FlowState&, PhiReport&);

private:
    struct Plan {
        double substeps;
        int stages;
    };
    struct Stage {
        double k, m, n, m_F, g_F, c;  // of the formula: k = 1 - m - n, m_F = m~, g_F = g~
    };
    // A stage's vectors in registers of four; y = x + beta v as in flow_state.h.
    struct Vectors {
        const double *y0, *v0, *y1, *v1, *y2, *v2, *F0;
        double *y, *v;
    };

    Plan plan(const Linearized&, double omega, double t) const;
    void prepare(int stages);
    void find_rate(const Linearized&, double t, FlowState&, PhiReport&);  // F_0
    void stage(const Linearized&, const Stage&, double h, const Vectors&, const FlowState::Push&, FlowState&, PhiReport&);
    template <bool skewed>
    void stage_rows(const Linearized&, const Stage&, double h, const Vectors&, const FlowState::Push&, FlowState&);

    double share_;
    std::vector<Stage> stages_;                       // of the substeps last made
    std::array<std::vector<double>, 3> polynomials_;  // T_j(w_0) and its derivatives: scratch
    FlowState::Vector y_[2], v_[2];
};

}  // namespace wobble
