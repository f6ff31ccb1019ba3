#pragma once
// The linear problem of phi_evaluator.h in m leapfrog steps of length tau,
//     s_k = sum_j t_k^(j-1)/(j-1)! v_j  -  W K ( x_k + beta v_{k-1/2} )  -  alpha v_k,
//     v_{k+1/2} = v_{k-1/2} + tau s_k,      x_{k+1} = x_k + tau v_{k+1/2},
// with half a kick at the beginning and at the end. Without damping and forces cos(t Omega) becomes T_m(1 - tau^2 Omega^2 / 2), T_m
// Chebyshev's polynomial (Carle, Hochbruck, Sturm, On leapfrog-Chebyshev schemes, SIAM J. Numer. Anal. 58, 2020). No polynomial of that
// degree with the same slope at 0 is bounded by 1 over a longer interval: m = t omega_max / 2 products with one vector, whatever the terms.
// tau is such that with the highest frequency omega
//     tau beta omega^2 / 2 + (tau omega / 2)^2 = share^2,
// where 1 is the limit of stability; and tau alpha <= 1/2, for damping by mass, which is implicit.
// A mode runs ahead by (tau omega)^2 / 24 of itself, visible ones of large bodies by 1e-6; for those of small ones, whose highest frequency
// is not so far away, there are least_substeps. Damping by K lags half a substep, which makes a mode faster by tau beta omega^2 / 4 of
// itself. Where tau is so short that tau beta omega^2 + (tau omega / 2)^2 <= share^2 (small steps, little damping), v_{k-1/2} is led by
// half of its last change instead, which is of order two and stable as far as that.
#include "engine/solve/substeps/flow_state.h"

namespace wobble {

class LeapfrogFlow {
public:
    static constexpr int least_substeps = 8;

    explicit LeapfrogFlow(double share = 0.95) : share_(share) {}

    double longest(const Linearized&, double omega) const;          // tau, s
    int substeps(const Linearized&, double omega, double t) const;  // for a time t
    // The state after a time t, from t0 on. Not for a system without edges. False: stopped.
    bool advance(const Linearized&, double omega, double t0, double t, FlowState&, PhiReport&);

private:
    struct Kick {
        double t, kick, keep, drift;  // v <- keep v + kick s(t),  x <- x + drift v
        double lead;                  // how much of its change v is ahead of itself in the next y, where it has no lag
    };

    void first_kick(const Linearized&, double tau, FlowState&);  // by the known rate
    void apply(const Linearized&, const Kick&, FlowState&, PhiReport&);
    template <bool skewed, bool leading>
    void choose(const Linearized&, const Kick&, FlowState&);
    template <bool skewed, bool leading, bool two_forces>
    void apply_rows(const Linearized&, const Kick&, const FlowState::Push&, FlowState&);

    double share_;
    bool leads_ = false;      // no lag
    FlowState::Vector next_;  // y
    FlowState::Vector lead_;  // beta times how far v is ahead of itself in y
};

}  // namespace wobble
