#pragma once
// "Diagonal" springs of Michels, Luan, Tokman 2017, section 4.1: in every tet, from each vertex a to the centroid of the opposite
// face, keeping the tet from collapsing. With the tet's centroid c the spring's vector is
//     d_a = x_a - (x_b + x_c + x_d)/3 = 4/3 (x_a - c),
// so a tension T_a on spring a pulls vertex a by -T_a and each other vertex by +T_a/3:
//     f_a = -4/3 T_a + 1/3 sum_b T_b.
// Tangent, with H_a the Hessian of spring a and S = sum_b H_b:     K_ab = S/9 - 4/9 (H_a + H_b)   for a != b.
// Four tets are computed at a time, one per SIMD lane.
// Laws and damping of the springs as in spring_lanes.h; the bound of add_linear_stiffness as in link_springs.h.
#include "engine/mesh/mesh.h"
#include "engine/model/forces/force_model.h"
#include "engine/model/forces/row_ownership.h"

#include <algorithm>
#include <memory>

namespace wobble {

class MedianSprings final : public ForceModel {
public:
    // factors: of each tet's stiffness; none: all 1.
    MedianSprings(const TetMesh& rest, std::shared_ptr<Workers>, std::vector<double> factors = {});

    void set_material(const Material&) override;
    double energy(const VecX& q) const override;
    void add_force(const VecX& q, VecX& f) const override;
    double add_force_and_energy(const VecX& q, VecX& f) const override;
    bool energy_comes_with_force() const override { return true; }
    void add_stiffness(const VecX& q, EdgeTangent& K) const override;
    void add_linear_stiffness(EdgeTangent& K) const override;
    void add_product(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_force_and_rate(const VecX& q, const VecX& u, double s, VecX& f, VecX& rate) const override;

    void pairs(std::vector<Edge>&) const override;
    void bind(std::span<const int> edge_of_pair, int edges) override;
    bool has_dashpots() const override { return true; }
    void add_dashpot_matrix(const VecX& q, double s, EdgeTangent& D) const override;
    void add_dashpot_product(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_dashpot_rate(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void list_springs(std::vector<SpringRow>&) const override;

    int count() const { return 4 * static_cast<int>(tets_.size()); }

private:
    template <class Make, class Use>
    auto with_factors(double s, Make&&, Use&&) const;
    template <class Use>
    auto with_law(double s, Use&&) const;
    template <class Use>
    auto with_dashpots(double s, Use&&) const;
    template <std::size_t N, class PerFour>
    void scatter(const VecX& q, const std::array<double*, N>& outputs, PerFour&&) const;
    template <class Law, class Along>
    void scatter_along(const VecX& q, const VecX& u, VecX& f, Law&&, Along&&) const;
    int groups() const { return static_cast<int>(fours_.size()); }
    int lanes_of(int group) const { return std::min(4, static_cast<int>(tets_.size()) - 4 * group); }
    template <class Law>
    void add_tangent(const VecX& q, EdgeTangent& K, Law&&) const;
    double factor(std::size_t tet) const { return factors_.empty() ? 1 : factors_[tet]; }

    double k_ = 1, c_ = 0, tau_ = 0;  // N/m, stiffening, s
    struct alignas(32) Four {         // tets, one per SIMD lane; missing ones repeat the last
        int particles[4][4];          // of corner a in lane t: particles[a][t]
        double rest[4][4];            // l0 of the spring from corner a in lane t
    };
    std::vector<Tet> tets_;
    std::vector<Four> fours_;
    std::vector<std::array<std::array<int, 4>, 6>> edges_;  // the system's, of each four, in the order of tet_edges; some zeros at the end
    std::vector<double> factors_;                           // of the stiffness, one per lane; empty: all 1
    std::shared_ptr<Workers> workers_;
    std::vector<OwnedRange> parts_;
    mutable std::vector<double> energies_;  // of each four: scratch of add_force_and_energy()
};

}  // namespace wobble
