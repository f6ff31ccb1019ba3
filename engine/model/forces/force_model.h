#pragma once
// An elastic force as the negative gradient of an energy, with its tangent. One pair of files per force.
// Immutable but for the values of its material and what begin_step() finds; one caller at a time (the loops inside are shared over the
// workers).
// Springs may also have dashpots (spring damping), a force -D_s(q) v with D_s symmetric and >= 0.
// A force may have internal variables, which are part of the state. It computes with a copy of them, given by set_internal() before every
// step and after every change, so that a refused step is undone by giving it the old ones.
#include "engine/core/types.h"
#include "engine/model/edge_tangent.h"
#include "engine/model/material.h"
#include "engine/model/state.h"
#include "engine/model/step_books.h"

#include <memory>
#include <span>
#include <vector>

namespace wobble {

// One spring as a formula: d = sum_a weights[a] x[particles[a]], l = |d|, U = k/2 (l - l0)^2 when linear.
// Weights sum to zero; unused ones are zero with particle -1.
struct SpringRow {
    std::array<int, 4> particles;
    std::array<double, 4> weights;
    double stiffness, rest_length;  // k, l0
    const char* kind;               // "structural", "shear", "bending", "median"
};

class ForceModel {
public:
    virtual ~ForceModel() = default;
    virtual void set_material(const Material&) = 0;
    virtual void set_materials(std::span<const Material>) {}   // of all bodies, for a force that acts between them
    virtual double energy(const VecX& q) const = 0;            // U(q), J
    virtual void add_force(const VecX& q, VecX& f) const = 0;  // f -= dU/dq
    // The same, and U(q).
    virtual double add_force_and_energy(const VecX& q, VecX& f) const { return add_force(q, f), energy(q); }
    virtual bool energy_comes_with_force() const { return false; }        // that is one pass, in which the energy costs next to nothing
    virtual void add_stiffness(const VecX& q, EdgeTangent& K) const = 0;  // K += d2U/dq2
    // The same without the negative curvature of its elements, where a force can offer that: for solvers that need a positive definite
    // matrix. Not the derivative of the force; methods whose order rests on K take the exact one.
    virtual bool offers_semidefinite_stiffness() const { return false; }
    virtual void add_semidefinite_stiffness(const VecX& q, EdgeTangent& K) const { add_stiffness(q, K); }
    // K = d2U/dq2, where a force can write without reading; the first of a body's forces is asked.
    virtual void set_stiffness(const VecX& q, EdgeTangent& K, Workers& workers) const { K.set_zero(workers), add_stiffness(q, K); }
    // K += a constant matrix of blocks c I that bounds the tangent from above: Hauth 2004, eq. (50). Linear springs: at every q.
    // Where a force cannot promise that, its header says up to which strain the bound holds.
    virtual void add_linear_stiffness(EdgeTangent& K) const = 0;
    virtual void add_product(const VecX& q, const VecX& u, double s, VecX& f) const = 0;  // f += s K(q) u, without the matrix
    virtual void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const = 0;     // f += s (dK(q)/dq [u]) u
    virtual void add_force_and_rate(const VecX& q, const VecX& u, double s, VecX& f, VecX& rate) const {  // both in one pass
        add_force(q, f), add_rate(q, u, s, rate);
    }

    virtual bool has_dashpots() const { return false; }                                 // whether spring_damping means anything to it
    virtual void add_dashpot_matrix(const VecX&, double, EdgeTangent&) const {}         // (q, s, D): D += s D_s(q)
    virtual void add_dashpot_product(const VecX&, const VecX&, double, VecX&) const {}  // (q, u, s, f): f += s D_s(q) u
    virtual void add_dashpot_rate(const VecX&, const VecX&, double, VecX&) const {}     // (q, u, s, f): f += s (dD_s(q)/dq [u]) u

    virtual int internal_variables() const { return 0; }         // how many it has
    virtual void start_internal(std::span<double>) const {}      // sets them to what they are at the start of a run
    virtual void set_internal(std::span<const double>) {}        // what it computes with from now on
    void place_internal(int first) { first_internal_ = first; }  // by the system, once
    std::span<double> own(VecX& internal) const {                // its part of State::internal
        return {internal.data() + first_internal_, static_cast<std::size_t>(internal_variables())};
    }
    std::span<const double> own(const VecX& internal) const {
        return {internal.data() + first_internal_, static_cast<std::size_t>(internal_variables())};
    }

    // A method's step from `before` to `after` has succeeded; what is not a smooth force happens now: plastic return, friction. May change
    // `after`, also its own internal variables there, and says so in the books. The step may still be refused.
    virtual void end_step(const State& before, State& after, StepBooks&) { (void)before, (void)after; }

    // The pairs of particles (i < j, in any order, with repetitions) between which it acts at all times; the force numbers them in this
    // order. The system says which of its edges they are, EdgeTangent::at(edge_of_pair[own number]), and how many edges it has.
    virtual void pairs(std::vector<Edge>&) const {}
    virtual void bind(std::span<const int> /*edge_of_pair*/, int /*edges*/) {}
    // The step from this state begins: a force with varying pairs looks for them. True: they changed.
    virtual bool begin_step(const State&, double /*h*/) { return false; }
    // Contact between surfaces. The longest step from this state, s, that a pair of them which closes should be given; and after a step
    // why it may not be taken, in words (surfaces have passed through each other), or null. Its energy is booked as contact's.
    virtual double longest_step(const State&) const { return 1e300; }
    virtual const char* refuses(const State& /*before*/, const State& /*after*/) { return nullptr; }
    virtual bool is_contact() const { return false; }
    // Those pairs, likewise; EdgeTangent::varying(place_of_pair[own number]).
    virtual void varying_pairs(std::vector<Edge>&) const {}
    virtual void bind_varying(std::span<const int> /*place_of_pair*/) {}
    virtual bool acts_on_single_particles() const { return false; }  // it uses EdgeTangent::local()
    virtual bool symmetric_blocks() const { return true; }           // K_ij = K_ij^T: then it leaves EdgeTangent's skew part alone
    virtual void list_springs(std::vector<SpringRow>&) const {}

private:
    int first_internal_ = 0;
};

// Tells all forces where their pairs are among the edges of all of them together, which are returned, sorted.
std::vector<Edge> bind_pairs(std::span<const std::unique_ptr<ForceModel>>);
std::vector<Edge> bind_varying_pairs(std::span<const std::unique_ptr<ForceModel>>);  // the same of the varying ones

// Tells all forces where their internal variables are among those of all of them together; how many there are.
int place_internal(std::span<const std::unique_ptr<ForceModel>>);
VecX start_internal(std::span<const std::unique_ptr<ForceModel>>, int count);  // State::internal at the start of a run

}  // namespace wobble
