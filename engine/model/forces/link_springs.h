#pragma once
// Springs between two particles: the edges of a tet mesh (structural springs, Michels, Luan, Tokman 2017, section 4.1), the structural,
// shear and bending springs of a sheet, the springs of a net.  d = x_j - x_i, law and damping as in spring_lanes.h. Bound of
// add_linear_stiffness: k I per spring when linear, at every length. A stiffening spring's slope grows without limit; its bound is taken at
// strain 0.5, k (1 + 3/4 c), and holds for |l - l0| <= l0 / 2.
#include "engine/model/forces/force_model.h"
#include "engine/model/forces/row_ownership.h"
#include "engine/model/forces/spring_lanes.h"
#include "engine/model/forces/spring_net.h"

#include <memory>

namespace wobble {

class LinkSprings final : public ForceModel {
public:
    // The springs' stiffnesses are multiples of that value of the material; of 1 N/m if it is null.
    LinkSprings(int particles, std::vector<NetSpring> springs, double Material::*unit, std::shared_ptr<Workers>);

    void set_material(const Material&) override;
    double energy(const VecX& q) const override;
    void add_force(const VecX& q, VecX& f) const override;
    double add_force_and_energy(const VecX& q, VecX& f) const override;
    bool energy_comes_with_force() const override { return true; }
    void add_stiffness(const VecX& q, EdgeTangent& K) const override;
    void set_stiffness(const VecX& q, EdgeTangent& K, Workers&) const override;
    void add_linear_stiffness(EdgeTangent& K) const override;
    void add_product(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_force_and_rate(const VecX& q, const VecX& u, double s, VecX& f, VecX& rate) const override;
    void pairs(std::vector<Edge>& pairs) const override { pairs.insert(pairs.end(), ends_.begin(), ends_.end()); }
    void bind(std::span<const int> edge_of_pair, int edges) override;
    bool has_dashpots() const override { return true; }
    void add_dashpot_matrix(const VecX& q, double s, EdgeTangent& D) const override;
    void add_dashpot_product(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_dashpot_rate(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void list_springs(std::vector<SpringRow>&) const override;

    int count() const { return static_cast<int>(ends_.size()); }

private:
    // Every spring at both of its ends: forces are summed up particle by particle. That computes each spring twice and is still a quarter
    // faster than computing it once and adding it to memory in two places.
    struct ByParticle {
        std::vector<int> begin;              // particles + 1: fours of springs
        std::vector<int> other;              // the other ends; a particle's last one is repeated until there are four
        std::vector<double> rest, relative;  // as below
        ByParticle(int particles, const std::vector<NetSpring>&);
        int first(int part, int parts) const;  // particle of a part; all parts have about the same number of fours
    };
    struct Arrays;
    template <class Use>
    auto with_law(double s, const std::vector<double>& relative, Use&&) const;
    template <class Use>
    auto with_dashpots(double s, const std::vector<double>& relative, Use&&) const;
    template <std::size_t In, std::size_t Out, class PerFour, class Done>
    void subtract_sums(const std::array<const VecX*, In>& inputs, const std::array<VecX*, Out>& outputs, PerFour&&, Done&&) const;
    template <class Law, class Along>
    void subtract_along(const VecX& q, const VecX& u, VecX& f, Law&&, Along&&) const;
    template <bool set = false, class Law>
    void add_tangent(const VecX& q, EdgeTangent& K, Law&&) const;

    double Material::*unit_;
    double k_ = 1, c_ = 0, tau_ = 0;
    std::vector<Edge> ends_;
    std::vector<LinkKind> kind_;
    std::vector<int> edge_;                // of the system
    bool one_per_edge_ = false;            // each of the system's edges has exactly one spring
    std::vector<int> from_, to_;           // the ends again, i and j apart, padded to fours by repeating the last
    std::vector<double> rest_, relative_;  // l0 and k / k_, padded likewise, with k = 0
    std::shared_ptr<Workers> workers_;
    std::vector<OwnedRange> parts_;
    ByParticle by_particle_;
    mutable std::vector<double> energies_;  // of the springs at each particle: scratch of add_force_and_energy()
};

const char* name(LinkKind);

}  // namespace wobble
