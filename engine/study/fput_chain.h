#pragma once
// The Fermi-Pasta-Ulam-Tsingou chain of Luan, Michels 2021b, section 5.1, in the paper's coordinates: x_{0,i} the position of stiff spring
// i (scaled), x_{1,i} its lengthening, i = 1 .. m, all masses 1,
//     H = 1/2 |x'|^2 + 1/2 sum x_{0,i}^2 + omega^2/2 sum x_{1,i}^2 + U(x),
//     U = 1/4 [ (x_{0,1} - x_{1,1})^4 + sum_{i=1}^{m-1} (x_{0,i+1} - x_{1,i+1} - x_{0,i} - x_{1,i})^4 + (x_{0,m} + x_{1,m})^4 ]
// (the paper prints m as the upper end of the sum). Start: x_{0,1} = x'_{0,1} = x'_{1,1} = 1, x_{1,1} = 1/omega, all else zero; with m = 3,
// omega = 100 then H = 2.500300005.
// As a MechanicalSystem: coordinate k is the x of particle k + 1, x_{0,i} first, then x_{1,i}; particle 0 is the fixed end at the
// origin. Every term of H is an energy of one difference s = sum_a w_a x_a whose weights sum to zero with the fixed end's share.
#include "engine/model/mechanical_system.h"

#include <array>
#include <memory>
#include <vector>

namespace wobble {

// U = k2/2 s^2 + k4/4 s^4,   s = sum_a weight[a] x(particle[a]) along the x axis; weights sum to zero.
struct AxialBond {
    int count;  // particles
    std::array<int, 5> particle;
    std::array<double, 5> weight;
    double k2, k4;
};

// Bonds along one axis. Small chains: loops are serial. The bound of add_linear_stiffness holds for |s| <= 1.
class AxialBonds final : public ForceModel {
public:
    explicit AxialBonds(std::vector<AxialBond> bonds) : bonds_(std::move(bonds)) {}

    void set_material(const Material&) override {}
    double energy(const VecX& q) const override;
    void add_force(const VecX& q, VecX& f) const override;
    void add_stiffness(const VecX& q, EdgeTangent& K) const override;
    void add_linear_stiffness(EdgeTangent& K) const override;
    void add_product(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void pairs(std::vector<Edge>&) const override;
    void bind(std::span<const int> edge_of_pair, int) override { edge_.assign(edge_of_pair.begin(), edge_of_pair.end()); }

private:
    template <class Add>
    void each_pair(Add&&) const;  // add(bond, w_a w_b, edge) for all pairs a, b of its particles

    std::vector<AxialBond> bonds_;
    std::vector<int> edge_;  // of the pairs, in the order of each_pair
};

struct FputChain {
    std::unique_ptr<MechanicalSystem> system;
    State start;
    int m = 0;
    double omega = 0;

    double energy(const State&) const;                            // H
    double largest_difference(const State&, const State&) const;  // maximum norm of (x, x')
};
FputChain fput_chain(int m = 3, double omega = 100);

}  // namespace wobble
