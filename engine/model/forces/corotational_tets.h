#pragma once
// Co-rotational linear tetrahedra: linear elasticity in a frame that turns with each element (Mueller and Gross 2004), in the form
// that has an energy (McAdams et al. 2011):
//     F = sum_a x_a g_a^T,   F = R S (polar.h),   U = sum over tets of V ( mu |F - R|^2 + lambda/2 tr(S - I)^2 ),
//     mu = E / (2 (1 + nu)),   lambda = E nu / ((1 + nu)(1 - 2 nu)),
// x_a corners, g_a gradients of the linear shape functions at rest, V rest volume, E Young's modulus, nu Poisson's ratio.
//     force     f_a = -V P g_a,   P = 2 mu (F - R) + lambda tr(S - I) R
//     tangent   exact, with the turning of R:  with r_a = R g_a, c = lambda tr(S - I) - 2 mu, H = R (tr(S) I - S)^-1 R^T,
//               K_ab = V ( 2 mu (g_a.g_b) I + lambda r_a r_b^T - c [r_a] H [r_b] ),   [r] y = r cross y.
//     product   dP = 2 mu dF + lambda (R:dF) R + c dR,   dR = R [w],   (tr(S) I - S) w = axis of (R^T dF - dF^T R)
//     rate      d2P = c d2R + lambda ( (dR:dF) R + 2 (R:dF) dR ),   d2R = R ([w]^2 + [w']),   w' by deriving the equation of w.
// (The usual approximate tangent R K0 R^T leaves dR out; it is not used here.)
// Robust: energy and force are finite and consistent for flat and inverted elements. R jumps where s_2 + s_3 = 0 (s: eigenvalues of S),
// so there the derivatives do not exist; near it, where a pair has s_j + s_k < 0.2 (rest: 2), the turning is limited to that of 0.2.
// Bound of add_linear_stiffness: V (2 mu + 3 lambda) g_a.g_b. It holds while c <= 0: compressed, or stretched by tr S - 3 <= 2 mu / lambda.
#include "engine/model/forces/force_model.h"
#include "engine/model/forces/tet_elements.h"

namespace wobble {

class CorotationalTets final : public ForceModel {
public:
    // factors: of each tet's Young's modulus; none: all 1.
    CorotationalTets(const TetMesh& rest, std::shared_ptr<Workers> workers, std::vector<double> factors = {})
        : elements_(rest, std::move(workers), std::move(factors)) {}

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
    void pairs(std::vector<Edge>& pairs) const override { elements_.pairs(pairs); }
    void bind(std::span<const int> edge_of_pair, int) override { elements_.bind(edge_of_pair); }
    bool symmetric_blocks() const override { return false; }

    struct Law {
        double mu = 0, lambda = 0;  // Pa
    };

private:
    Law law_;
    TetElements elements_;
};

}  // namespace wobble
