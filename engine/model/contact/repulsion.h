#pragma once
// Surfaces that are near each other repel: bodies, and a body from itself.
//     U = sum over contacts of U(z), z = d - n . sum w_a x_a                                               (stencils.h)
//     f_a = U'(z) w_a n,   K_ab = U''(z) w_a w_b n n^T,   (dK[u]) u = -U'''(z) (a . u)^2 a,  a_a = w_a n
// n and w are those of the nearest points when the step began, so within a step U is a smooth potential with K >= 0. K_ij with i != j are
// varying pairs; the w_a sum to zero, so K_ii = -sum K_ij.
// What this does not see, surfaces passing through each other within a step, is refused (refuses()); friction follows the step
// (pair_friction.h).
#include "engine/model/contact/narrow_phase.h"
#include "engine/model/contact/near_pairs.h"
#include "engine/model/contact/pair_friction.h"
#include "engine/model/forces/force_model.h"

#include <memory>

namespace wobble {

class Repulsion final : public ForceModel {
public:
    struct Rules {
        bool bodies = true, self = false;
    };
    // share: m^3 per particle. fixed: per particle, 1 where pins decide the velocity.
    Repulsion(std::shared_ptr<const ContactSurface>, Rules, VecX share, std::vector<std::uint8_t> fixed, std::shared_ptr<Workers>);
    ~Repulsion() override;

    void set_material(const Material&) override {}
    void set_materials(std::span<const Material>) override;
    double energy(const VecX& q) const override;
    void add_force(const VecX& q, VecX& f) const override;
    double add_force_and_energy(const VecX& q, VecX& f) const override;
    bool energy_comes_with_force() const override { return true; }
    void add_stiffness(const VecX& q, EdgeTangent& K) const override;
    void add_linear_stiffness(EdgeTangent& K) const override;  // of the contacts there are, however deep
    void add_product(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const override;

    bool begin_step(const State&, double h) override;
    void varying_pairs(std::vector<Edge>&) const override;
    void bind_varying(std::span<const int> place_of_pair) override;
    void end_step(const State& before, State& after, StepBooks&) override;
    double longest_step(const State&) const override;
    const char* refuses(const State& before, const State& after) override;
    bool is_contact() const override { return true; }

    const std::vector<Contact>& contacts() const { return contacts_; }
    const ContactSurface& surface() const { return *surface_; }
    const ContactValues& values() const { return values_; }
    int searches() const { return near_.searches(); }

private:
    void look(const State&, double h) const;
    bool passes(const State& before, const State& after, double approach);
    bool entangled(int one, int other, const VecX& q) const;

    std::shared_ptr<const ContactSurface> surface_;
    Rules rules_;
    VecX share_;
    std::vector<std::uint8_t> fixed_;
    std::shared_ptr<Workers> workers_;
    std::vector<Material> materials_;
    ContactValues values_;
    struct Seen;  // what look() found last, and at which state
    std::unique_ptr<Seen> seen_;
    mutable NearPairs near_;
    std::vector<Contact> contacts_;  // of the present step
    std::vector<int> place_;         // of contact c's pairs: [6 c, 6 c + 6)
    PairFriction friction_;
};

}  // namespace wobble
