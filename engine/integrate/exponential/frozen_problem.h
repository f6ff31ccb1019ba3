#pragma once
// The equations of motion as an exponential method sees them: a linear problem frozen at a state u = (q; v), and what it leaves out.
//     u' = F(u) = (v; a),   a = P W ( f(q) + f_ext - D(q) v ),       J = [ 0  I ; -W K  -W D ],
// P the projector on the directions particles may move in, w = (1 - P) v the velocity of the others (moving pins), constant in a step.
// With U(t) = (q + x(t) + t w;  v(t) + w) the linear problem is (phi_evaluator.h)
//     b_0 = (0; P v),   b_1 = (0; a_0),   b_2 = (0; e),
//     a_0 = P W ( f(q) + f_ext - D w ),                                forces without the damping of P v, which is in J
//     e   = P W ( -(dD/dq [v]) v - K w ),                              what damping that moves with the body and moving pins add
// The exact Jacobian has -W (dD/dq [.]) v in its lower left block, too. It is neither symmetric nor a function of M^-1 K, so it is left
// out of J and returns along F only, in e. That costs no order up to four: what is left acts on the positions of the stages, whose
// error is one order smaller than that of their velocities.
// Remainder at a stage U of time t, velocity part (the position part is zero):
//     r(U) = a(U) - a(u) - [J (U - u)]_v - t e_D,     e_D the damping part of e.
#include "engine/integrate/report.h"
#include "engine/model/mechanical_system.h"
#include "engine/model/state.h"
#include "engine/solve/linear/step_key.h"
#include "engine/solve/phi/phi_evaluator.h"

#include <memory>
#include <vector>

namespace wobble {

class FrozenProblem {
public:
    void freeze(const MechanicalSystem&, const State& u, StepReport&, bool with_rate = true);  // without: e_D is left out
    void add_rate(StepReport&);                                                                // e_D after all
    // K and D are those of the rest positions, whatever q is: a linearisation that does not follow the motion. Of e only the pins' part is
    // there, and b_1 has a(u) + P W D_rest P v.
    void freeze_at_rest(const MechanicalSystem&, const State& u, StepReport&);

    Linearized linearized() const;
    Linearized undamped() const;  // the same without damping
    std::span<const PhiTerm> terms() const { return {terms_.data(), terms_.size()}; }
    const VecX& free_velocity() const { return free_; }  // P v

    // U at time t, from the linear problem's (x; v) or a corrected one.
    void state_at(double t, const VecX& x, const VecX& v, State& U) const;
    // r = remainder at U = state_at(t, x, v).
    void remainder(double t, const VecX& x, const VecX& v, VecX& r, StepReport&);
    // a = P W ( f(q) - D v ), the acceleration at u without that of forces from outside, which may change from step to step.
    void own_acceleration(VecX& a, StepReport&);
    // The same, and r = remainder at `before`, a state of free particles or pins at rest whose own acceleration was own_before: no force is
    // evaluated. Afterwards terms() know their rate at t = 0, unless there are dashpots or sliding particles.
    void look_back(const State& before, const VecX& own_before, VecX& own, VecX& r, StepReport&);
    bool moving_pins() const { return moving_pins_; }
    // e_D where it is that of Rayleigh damping alone: beta times -P W (dK/dq [v]) v, the second derivative of the elastic acceleration
    // along the motion less what J has of it. Else null.
    const VecX* rayleigh_rate() const { return system_->beta() != 0 && !D_ ? &e_D_ : nullptr; }  // not after freezing without
    // r = P W ( f(q + x) - f(q) + K x ): the remainder of the elastic forces alone.
    void elastic_remainder(double t, const VecX& x, VecX& r, StepReport&);

    // After freeze_at_rest: r = [ F(U) - F(u) - A (U - u) ]_v.
    void remainder_at_rest(double t, const VecX& x, const VecX& v, VecX& r, StepReport&);

    static void count(const PhiReport&, double tolerance, StepReport&);  // also sets the status if it did not converge

private:
    void reserve(const MechanicalSystem&, const State&);
    void split_velocity();
    void project();
    const Constraints* projector() const;                               // null: nothing slides
    void multiply(const VecX& x, double beta, const VecX& v, VecX& y);  // y = K (x + beta v)
    void add_damping(const VecX& v, VecX& sum, StepReport&);
    void subtract_linear(double t, const VecX& x, const VecX& v, VecX& r, StepReport&);
    template <int P, bool skewed>
    void look_back_by_edges(const EdgeMatrix&, const State& before, const VecX& own_before, VecX& own, VecX& r);
    void weigh(VecX& force) const;                        // = P W force
    void weigh_sum(VecX& force, const VecX& more) const;  // = P W (force + more)
    template <class Body>
    void for_ranges(Body&&) const;

    const MechanicalSystem* system_ = nullptr;
    const State* u_ = nullptr;
    std::unique_ptr<TangentBlocks> K_;
    std::unique_ptr<BlockMatrix> D_;  // only with dashpots
    StepKey rest_key_;                // K_ and D_ are those of rest
    bool moving_pins_ = false, drifting_ = false;
    VecX free_, w_;     // P v, w
    VecX a_, e_, e_D_;  // accelerations
    VecX Kw_, Dw_;      // P W K w, P W D w: accelerations, too
    VecX product_, Dv_, rate_;
    std::vector<double> argument_, sums_;  // of products with K
    State stage_;
    std::vector<PhiTerm> terms_;
};

}  // namespace wobble
