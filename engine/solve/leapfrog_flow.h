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
#include "engine/solve/phi_evaluator.h"
#include "engine/solve/small_phi.h"

#include <array>
#include <vector>

namespace wobble {

class LeapfrogFlow {
public:
    static constexpr int least_substeps = 8;

    explicit LeapfrogFlow(double share = 0.95) : share_(share) {}

    double longest(const Linearized&, double omega) const;  // tau, s
    // Terms that act on positions (x with k > 0) are not for it, nor is a system without edges. False: stopped, or larger than it can be,
    // where |v| <= |v_0| + omega |x_0| + t sum of the terms' sizes in the mass norm where K is not negative; omega was too small.
    bool run(const Linearized&, double omega, std::span<const PhiTerm>, std::span<const PhiNode>, PhiReport&);

private:
    struct alignas(32) Lane {  // of a particle: x, y, z and a number without a meaning
        double x[4];
    };
    using Vector = std::vector<Lane>;
    struct Force {  // a vector of the terms with k > 0, and how much of it acts at a time
        const VecX* vector = nullptr;
        std::array<double, max_phi + 1> weight = {};  // by k, of t^(k-1)/(k-1)!
        Vector lanes;
        double at(double t) const;
        double until(double t) const;  // the integral, of absolute weights
    };
    struct Kick {
        double t, kick, keep, drift;  // v <- keep v + kick s(t),  x <- x + drift v
        double lead;                  // how much of its change v is ahead of itself in the next y, where it has no lag
    };

    struct Substeps {
        double tau;
        int count;
    };

    void collect(std::span<const PhiTerm>);
    Substeps substeps(const Linearized&, double omega, double t);  // for a time t; sets leads_
    // Makes y and v of the terms, and the first kick, too, where that takes no product; returns the largest |v| until t that can be.
    double pack(const Linearized&, double omega, std::span<const PhiTerm>, double t, double tau);
    static Kick first_kick(const Linearized&, double t, double tau);
    bool advance(const Linearized&, double t, const Substeps&, PhiReport&);  // false: stopped
    void apply(const Linearized&, const Kick&, PhiReport&);
    template <bool skewed, bool leading>
    void choose(const Linearized&, const Kick&);
    template <bool skewed, bool leading, bool two_forces>
    void apply_rows(const Linearized&, const Kick&);
    double deliver(const Linearized&, const PhiNode&) const;  // returns |v|

    double share_;
    std::vector<Force> forces_;
    std::size_t count_forces_ = 0;
    bool kicked_ = false, leads_ = false;  // the first kick is done; no lag
    Vector y_, next_, v_;                  // y = x + beta v: what K acts on
    Vector lead_;                          // beta times how far v is ahead of itself in y
    std::vector<double> sums_;             // of EdgeRows
};

}  // namespace wobble
