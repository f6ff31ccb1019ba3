#pragma once
// Exponential Rosenbrock methods (Michels, Luan, Tokman 2017; Luan, Michels 2021a, 2021b; Hochbruck, Ostermann, Schweitzer 2009; Luan,
// Ostermann 2014): with F, J and the remainder R of frozen_problem.h,
//     U_i = u + c_i h phi_1(c_i hJ) F,
//     u+  = u + h phi_1(hJ) F + h sum_i ( w3_i phi_3(hJ) + w4_i phi_4(hJ) ) R(U_i).
//   exprb2     no stages
//   exprb42    c = 3/4,        w3 = 32/9,  w4 = 0:    order four by the choice of c
//   pexprb43   c2, c3,         b2 = (2 c3 phi_3 - 6 phi_4) / (c2^2 (c3 - c2)),   b3 = (2 c2 phi_3 - 6 phi_4) / (c3^2 (c2 - c3));
//              stages independent of each other; nodes 1/3, 3/4 or 1/2, 1
//   epirk4s3   the same formula with nodes 1/9, 1/8 (its coefficients 1892, 42336, 1458, 34992 are those of R(U2) and R(U3) - 2 R(U2)):
//              weights up to 34992 need stages with about four digits more than the result
//   epi3       no stages, but the step before: from there to u the remainder was R(u-) (t/h-)^2 up to third order, and so it is taken to go
//              on:  u+ = u + h phi_1(hJ) F + 2 h (h/h-)^2 phi_3(hJ) R(u-).  Order three for one basis more than exprb2, in the same sweep
//              (Tokman 2006 with another weight: her 2/3 phi_2 integrates a remainder that grows like t). R(u-) costs no force, since
//              F(u-) is known (forces from outside are taken as they are now). The first step, one much longer than the last, with
//              moving pins, or with a remainder that outgrows the motion is exprb2's. With stiffness damping beta <= h it need not look
//              back: e of frozen_problem.h is beta times the remainder's second derivative but for a share of about beta times the visible
//              frequency, and  u+ = u + h phi_1(hJ) F + (h^2 phi_2(hJ) + h^3 / beta phi_3(hJ)) e  has no basis more than exprb2. It does
//              so while e turns little from step to step.
//   epi3_light the same, but steps of 4 beta and more look back after all, and not only for the remainder's second derivative m but also
//              for e = beta m: from R(u-) = -h- e + h-^2/2 m, where the frozen problem has no e. That saves computing e, which costs more
//              than a force, and is more accurate where e turns; violent motion of small bodies diverges sooner.
// All stages and the phi_1 term are one linear problem at several times, so they come from one Krylov basis per start vector; the
// remainders make a second one. The whole correction, the difference to exprb2, is the embedded error estimate: rejecting by it is what
// keeps large motion from exploding, so it serves all methods of the family. exprb2 has the correction computed only if an estimate is
// wanted, from its own result as the stage (c = 1, w3 = 2: the third-order method exprb32), and goes on without it; epi3 likewise, less
// what it has of it already.
#include "engine/integrate/exponential/frozen_problem.h"
#include "engine/integrate/integrator.h"
#include "engine/integrate/step_history.h"

#include <array>
#include <vector>

namespace wobble {

struct ExponentialScheme {
    int stages;
    std::array<double, 2> c, w3, w4;  // ascending c
    double stage_tolerance;           // relative to that of the result
    bool two_steps = false;
    bool without_rate = false;  // of damping, in steps long enough for that
};

namespace exponential_schemes {

constexpr ExponentialScheme two_nodes(double c2, double c3, double stage_tolerance) {
    const double d2 = c2 * c2 * (c3 - c2), d3 = c3 * c3 * (c2 - c3);
    return {2, {c2, c3}, {2 * c3 / d2, 2 * c2 / d3}, {-6 / d2, -6 / d3}, stage_tolerance};
}
inline constexpr ExponentialScheme exprb2{0, {}, {}, {}, 1};
inline constexpr ExponentialScheme epi3{0, {}, {}, {}, 1, true};
inline constexpr ExponentialScheme epi3_light{0, {}, {}, {}, 1, true, true};
inline constexpr ExponentialScheme exprb32{1, {1}, {2}, {}, 1};
inline constexpr ExponentialScheme exprb42{1, {0.75}, {32.0 / 9}, {}, 1};
inline constexpr ExponentialScheme pexprb43 = two_nodes(1.0 / 3, 0.75, 1);
inline constexpr ExponentialScheme pexprb43_half = two_nodes(0.5, 1, 1);
inline constexpr ExponentialScheme epirk4s3 = two_nodes(1.0 / 9, 1.0 / 8, 1e-4);

}  // namespace exponential_schemes

class ExponentialRosenbrock final : public Integrator {
public:
    ExponentialRosenbrock(const ExponentialScheme& scheme, const IntegratorOptions& options, std::unique_ptr<PhiEvaluator> phi)
        : scheme_(scheme), options_(options), phi_(std::move(phi)) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { history_.forget(); }
    void rejected() override {}  // the history recognises what was accepted
    void solver_state(SavedSolverState& numbers) override { phi_->solver_state(numbers); }

private:
    void reserve(Eigen::Index n);
    bool has_past(const State& in, double h) const;  // a step to look back on
    bool does_without_rate(const MechanicalSystem&, const State& in, double h);
    // Adds what is known beyond the frozen problem to the terms; returns how much of m3_ that is at h, in the sense of correct().
    double expect(const MechanicalSystem&, const State& in, double h, bool without_rate, StepReport&);
    // Finds m3_ and, for the first of the terms, the rate at t = 0; returns what it does to the velocity in the step, in changes of the
    // step before. Infinite: there is no past.
    double remember(const MechanicalSystem&, const State& in, double h, bool without_rate, StepReport&);
    void correct(const ExponentialScheme&, double known, const MechanicalSystem&, double h, StepReport&);

    const ExponentialScheme& scheme_;
    IntegratorOptions options_;
    std::unique_ptr<PhiEvaluator> phi_;
    FrozenProblem frozen_;
    std::array<VecX, 3> x_, v_;  // stages, then the step itself
    VecX r_, d3_, d4_;           // remainder; what phi_3 and phi_4 act on
    // Of the scheme with two steps:
    StepHistory history_{2};
    enum class Kept { nothing, acceleration, curvature };  // nothing: pins moved
    std::array<VecX, 2> a_;                                // of the states in history_: own_acceleration() or e / beta
    std::array<Kept, 2> kept_ = {};
    VecX m3_;  // second derivative of the remainder, what phi_3 acts on: 2 R(u-) / h-^2, e / beta, or R(u-) / (h-^2/2 - beta h-)
    std::vector<PhiTerm> terms_;
};

}  // namespace wobble
