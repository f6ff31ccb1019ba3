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
#include "engine/mesh/mesh.h"
#include "engine/model/forces/force_model.h"
#include "engine/model/forces/row_ownership.h"

#include <memory>

namespace wobble {

class CorotationalTets final : public ForceModel {
public:
    // factors: of each tet's Young's modulus; none: all 1.
    CorotationalTets(const TetMesh& rest, std::shared_ptr<Workers>, const std::vector<double>& factors = {});

    void set_material(const Material&) override;
    double energy(const VecX& q) const override;
    void add_force(const VecX& q, VecX& f) const override;
    void add_stiffness(const VecX& q, EdgeTangent& K) const override;
    void add_linear_stiffness(EdgeTangent& K) const override;
    void add_product(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const override;
    void pairs(std::vector<Edge>&) const override;
    void bind(std::span<const int> edge_of_pair, int edges) override;
    bool symmetric_blocks() const override { return false; }

private:
    struct Element {
        Mat3 gradients;  // row a - 1 is g_a for a = 1, 2, 3; g_0 = -sum of the others
        double volume;   // V times the factor of E, as the two occur only together
    };
    Mat3 deformation(const VecX& x, int tet) const;  // sum_a x_a g_a^T
    template <class Each>
    void for_elements(const VecX& q, int begin, int end, Each&&) const;
    template <class Stress>
    void scatter(const VecX& q, double s, VecX& f, Stress&&) const;

    double mu_ = 0, lambda_ = 0;  // Pa
    std::vector<Tet> tets_;
    std::vector<Element> elements_;
    std::vector<std::array<int, 6>> edges_;  // the system's, of each tet, in the order of tet_edges
    std::shared_ptr<Workers> workers_;
    std::vector<OwnedRange> parts_;
};

}  // namespace wobble
