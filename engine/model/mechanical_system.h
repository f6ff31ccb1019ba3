#pragma once
// The equations of motion of one body:   M q'' + D(q) q' = f(q) + f_ext,   K = -df/dq,
// with f = elastic forces + gravity, M diagonal (lumped from density), W = M^-1 with zeros for held particles, and damping
//     D(q) = alpha M + beta K(q) + D_s(q),     D_s = sum over springs of tau k n n^T,
// n the spring's direction: Rayleigh damping and, for spring bodies, dashpots along the springs.
// Constraints: accelerations are P W (forces), see constraints.h; the code that computes one projects it.
// f_ext is a constant during a step (grabs). One caller at a time; loops inside use the workers.
#include "engine/linalg/block_matrix.h"
#include "engine/mesh/mesh.h"
#include "engine/model/constraints.h"
#include "engine/model/contact/active_set.h"
#include "engine/model/energies.h"
#include "engine/model/forces/force_model.h"
#include "engine/model/forces/spring_net.h"
#include "engine/model/material.h"
#include "engine/model/state.h"
#include "engine/model/system_parts.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace wobble {

class MechanicalSystem {
public:
    // At least one particle must be able to move.
    MechanicalSystem(const BodyMesh&, const ElasticModel&, Constraints, const Material&, std::shared_ptr<Workers>);
    MechanicalSystem(const TetMesh& rest, Constraints, const Material&, std::shared_ptr<Workers>);  // a solid of springs
    MechanicalSystem(const SpringNet&, Constraints, const Material&, std::shared_ptr<Workers>);     // see spring_net.h
    MechanicalSystem(SystemParts, Constraints, const Material&, std::shared_ptr<Workers>);

    int particles() const { return constraints_.particles(); }
    int degrees_of_freedom() const { return constraints_.degrees_of_freedom(); }
    const Constraints& constraints() const { return constraints_; }
    const std::vector<std::uint8_t>& pinned() const { return constraints_.held(); }  // per particle: 1 if it cannot move at all
    const VecX& rest() const { return rest_; }                                       // rest positions
    Workers& workers() const { return *workers_; }
    std::shared_ptr<const BlockPattern> pattern() const { return tangent_.pattern(); }  // another one when varying pairs change
    const BlockPattern& fixed_pattern() const { return *fixed_->blocks; }               // of the pairs that always act

    // One material per body. What is the same for all of them, gravity and Rayleigh damping, is the first one's.
    const Material& material() const { return materials_.front(); }
    const std::vector<Material>& materials() const { return materials_; }
    void set_material(const Material&);  // of all bodies
    void set_materials(std::vector<Material>);

    const VecX& mass() const { return mass_; }                  // diagonal of M, per coordinate, kg
    const VecX& inverse_mass() const { return inverse_mass_; }  // W; zero for held particles
    double total_mass() const { return total_mass_; }
    double alpha() const { return material().mass_damping; }
    double beta() const { return material().damping; }
    double tau() const;  // s, the largest of all bodies; zero for bodies without springs
    bool damped() const { return alpha() != 0 || beta() != 0 || tau() != 0; }

    VecX& external_force() { return external_; }  // N; without a part in forbidden directions
    const VecX& external_force() const { return external_; }

    void elastic_force(const VecX& q, VecX& f) const;                      // f = elastic + gravity, without f_ext
    void force(const VecX& q, const VecX& v, VecX& f) const;               // f = elastic + gravity + f_ext - D(q) v
    double force_and_energy(const VecX& q, const VecX& v, VecX& f) const;  // the same; returns the elastic energy at q
    bool energy_comes_with_force() const;                                  // that costs next to nothing more
    void damping_force(const VecX& q, const VecX& v, VecX& f) const;       // f = -D(q) v
    // The elastic force and, in the same pass, rate = -(dD(q)/dq [v]) v: what D's change along the motion does.
    void elastic_force_and_damping_rate(const VecX& q, const VecX& v, VecX& f, VecX& rate) const;
    // For methods that know Rayleigh damping only: near rest K is about sum k n n^T, so D is about alpha M + (beta + tau) K.
    double rayleigh_beta() const { return beta() + tau(); }
    void stiffness(const VecX& q, BlockMatrix& K) const;  // K(q); a matrix of an old pattern takes the present one
    EdgeTangent new_tangent() const { return tangent_; }
    const EdgePattern& edge_pattern() const { return tangent_.matrix().pattern(); }
    // K(q) as sums per edge, in a new_tangent() of this system, which follows its varying pairs.
    void stiffness(const VecX& q, EdgeTangent& K) const;
    void linear_stiffness(BlockMatrix& K) const;  // constant, 3x3 blocks c I: every spring resists all motion of its ends alike; >= K(q)
    // A = m M + k K(q) + d D(q): what implicit steps solve with; of the present pattern afterwards, too.
    void step_matrix(const VecX& q, double m, double k, double d, BlockMatrix& A) const;
    // The same with K of the forces' semidefinite tangents, where they offer any.
    bool offers_semidefinite_stiffness() const;
    void semidefinite_step_matrix(const VecX& q, double m, double k, double d, BlockMatrix& A) const;

    double elastic_energy(const VecX& q) const;
    double contact_energy(const VecX& q) const;  // of the elastic energy
    double kinetic_energy(const VecX& v) const;  // of all particles but the held ones, whose motion is prescribed
    double gravity_energy(const VecX& q) const;  // sum m g y
    std::array<double, 2> kinetic_and_gravity_energy(const VecX& q, const VecX& v) const;  // both in one loop
    double dissipation_power(const VecX& q, const VecX& v, VecX& scratch) const;           // v^T D(q) v, W

    // A step has a begin and an end, where forces find their pairs and change what is not smooth (force_model.h).
    VecX start_internal() const;              // State::internal at the start of a run
    void set_internal(const VecX& internal);  // what the forces compute with; nothing happens where there are none
    // The forces compute with what belongs to this state, its internal variables and its pairs, as at the begin of a step from it: for
    // those who measure energies or tangents of a state that no step has led to.
    void prepare(const State& state) { begin_step(state, 0); }
    void begin_step(const State&, double h);  // a change of pairs renews pattern(), by which those who keep matrices or factors notice
    StepBooks end_step(const State& before, State& after);

    // Contact with obstacles, active_set.h: after begin_step(); the state's velocities are those of the step from then on, until undone.
    ActiveSet& contact() { return contact_; }
    const ActiveSet& contact() const { return contact_; }
    int internal_variables() const { return internal_variables_; }  // of the forces; what follows in State::internal is of contact
    double longest_step(const State&, double asked) const;          // s, that surfaces which close should be given
    const char* refuses(const State& before, const State& after);   // why forces of contact do not admit a step, in words; null: they do
    void begin_contact(State&, double h);
    ActiveSet::Verdict judge_contact(State& before, double h, const State& after);  // not good: what begin_contact() did is done anew
    void undo_contact(State&);

    void list_springs(std::vector<SpringRow>&) const;  // all of them; empty for bodies without springs

private:
    ActiveSet::Step contact_step(const State&, double h, VecX* velocities);
    void lump_masses();
    void expand(BlockMatrix& K) const;                                                         // K = tangent_
    void make_step_matrix(const VecX& q, double m, double k, double d, BlockMatrix& A) const;  // from tangent_
    void set_gravity(VecX& f) const;
    void set_outer_forces(const VecX& v, VecX& f) const;
    void add_damping(const VecX& q, const VecX& v, VecX& f) const;

    std::shared_ptr<Workers> workers_;
    Constraints constraints_;
    VecX rest_;
    std::vector<SystemParts::Owner> owners_;  // one per body
    std::vector<Material> materials_;         // one per body
    VecX share_;                              // m^3 per particle, or kg if mass_given_
    bool mass_given_;
    std::vector<std::unique_ptr<ForceModel>> forces_;
    bool dashpots_;                                 // any force with has_dashpots()
    mutable EdgeTangent tangent_;                   // scratch of stiffness()
    std::shared_ptr<const TangentTopology> fixed_;  // without varying pairs
    VecX mass_, inverse_mass_, external_;
    double total_mass_ = 0;
    int internal_variables_ = 0;  // of all forces
    ActiveSet contact_;
    VecX touching_force_;  // scratch of end_step()
};

}  // namespace wobble
