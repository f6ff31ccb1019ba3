#pragma once
// What the substep methods for the linear problem of phi_evaluator.h (leapfrog_flow.h, disc_flow.h, chebyshev_flow.h) have in common: the
// state and the terms with three numbers per particle in a register of four, and the way in and out.
//     x' = v,     v' = sum_j t^(j-1)/(j-1)! v_j  -  W K y  -  alpha v,     y = x + beta v
#include "engine/solve/phi/phi_evaluator.h"
#include "engine/solve/phi/small_phi.h"

#include <array>
#include <vector>

namespace wobble {

// K y of row i as the projector of sliding particles leaves it.
[[gnu::always_inline]] inline Columns<4> projected(const Constraints* projector, int i, Columns<4> y) {
    const Constraint* const constraint = projector ? projector->of(i) : nullptr;
    if (!constraint) return y;
    const Mat3& P = constraint->allowed;
    return Columns<4>{P(0, 0) * y[0] + P(0, 1) * y[1] + P(0, 2) * y[2], P(1, 0) * y[0] + P(1, 1) * y[1] + P(1, 2) * y[2],
                      P(2, 0) * y[0] + P(2, 1) * y[1] + P(2, 2) * y[2], 0.0};
}

class FlowState {
public:
    struct alignas(32) Lane {  // of a particle: x, y, z and a number without a meaning
        double x[4];
    };
    using Vector = std::vector<Lane>;
    struct Push {  // the terms with k > 0 at a time, as vectors and their weights; always two at least, with weight 0 where there are fewer
        std::array<const double*, max_phi + 1> vectors;
        std::array<double, max_phi + 1> weights;
        int count;
    };

    Vector y, v;
    Vector rate;               // v' at the start, while rate_known
    bool rate_known = false;   // it was given, or it takes no product
    std::vector<double> sums;  // of EdgeRows with one column

    // Terms that act on positions (x with k > 0) are not for it. Returns the largest |v| in the mass norm until t that can be where K is
    // not negative and has no frequency above omega: |v_0| + omega |x_0| + the terms' sizes, integrated.
    double take(const Linearized&, double omega, std::span<const PhiTerm>, double t);
    double deliver(const Linearized&, const PhiNode&) const;  // returns |v|
    Push push(double t) const;

private:
    struct Force {  // a vector of the terms with k > 0, and how much of it acts at a time
        const VecX* vector = nullptr;
        std::array<double, max_phi + 1> weight = {};  // by k, of t^(k-1)/(k-1)!
        Vector lanes;
        double at(double t) const;
        double until(double t) const;  // the integral, of absolute weights
    };

    void collect(std::span<const PhiTerm>);

    std::vector<Force> forces_;
    std::size_t count_forces_ = 0;
};

// The linear problem at the nodes by a flow with advance(). False: stopped, or larger than it can be: omega was too small, or K is
// negative.
template <class Flow>
bool run(Flow& flow, FlowState& state, const Linearized& system, double omega, std::span<const PhiTerm> terms,
         std::span<const PhiNode> nodes, PhiReport& report) {
    const double largest = state.take(system, omega, terms, nodes.back().t);
    double t = 0;
    report.substeps = 0;
    for (const PhiNode& node : nodes) {
        if (!flow.advance(system, omega, t, node.t - t, state, report)) return false;
        t = node.t;
        if (!(state.deliver(system, node) <= 1.5 * largest)) return false;
    }
    return true;
}

}  // namespace wobble
