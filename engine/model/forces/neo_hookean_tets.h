#pragma once
// Stable neo-Hookean tetrahedra (Smith, de Goes, Kim 2018): smooth for every F, also flat and inverted ones, and at rest where it should
// be, so that a body turned inside out comes back:
//     Psi = mu/2 (I - 3) + lambda/2 (J - alpha)^2 - mu/2 log(I + 1) + constant,   I = F:F,   J = det F,
//     alpha = 1 + 3 mu / (4 lambda)                       no stress at rest (F = I)
//     mu = 4/3 mu_L,   lambda = lambda_L + 5/6 mu_L       Lame's mu_L = E / (2 (1 + nu)), lambda_L = E nu / ((1 + nu)(1 - 2 nu)): small
//                                                         strains as in linear elasticity
// E Young's modulus, nu Poisson's ratio; elements, g_a and V as in tet_elements.h. With C = cof F = dJ/dF,
// a = mu (1 - 1/(I + 1)), a' = mu/(I + 1)^2 and b = lambda (J - alpha):
//     stress    P = a F + b C
//     tangent   K_ab = V ( a (g_a.g_b) I + 2 a' p_a p_b^T + lambda c_a c_b^T - b [F (g_a x g_b)] ),   p_a = F g_a,   c_a = C g_a,
//               V F (g_a x g_b) = one sixth of the opposite edge; antisymmetric parts by p_a x p_b and c_a x c_b = J F (g_a x g_b).
//     product   dP = a dF + 2 a' (F:dF) F + lambda (C:dF) C + b dC
//     rate      d2P = a.. F + 2 a. dF + lambda J.. C + 2 lambda J. dC + b d2C,   d2C = 2 cof dF,   J. = C:dF,   J.. = dC:dF,
//               a. = a' I.,   a.. = a' (I.. - 2 I.^2 / (I + 1)),   I. = 2 F:dF,   I.. = 2 dF:dF.
//     energy    without cancellation near rest: with E = (F^T F - 1)/2 and its invariants E2 (sum of principal minors) and E3 = det E,
//               j = J - 1:  I - 3 - 2 j = j^2 - 4 E2 - 8 E3,  so with x = (I - 3)/4
//               Psi = 3/8 mu (j^2 - 4 E2 - 8 E3) + mu/2 (x - log(1 + x)) + lambda/2 j^2,   zero at rest.
// Semidefinite tangent (the paper, section 4): with F = U diag(s) V^T, det U = det V = 1 and s_3 of any sign, d2Psi/dF2 has the
// eigenmatrices
//     U (e_i e_j^T -+ e_j e_i^T) V^T / sqrt 2    with   a +- b s_k,   {i, j, k} = {1, 2, 3},   and
//     U diag(y) V^T   with the eigenpairs of the 3x3 matrix   a I + 2 a' s s^T + lambda c c^T + b [0 s_3 s_2; s_3 0 s_1; s_2 s_1 0],
// c_i = s_j s_k; negative eigenvalues become zero.
// Bound of add_linear_stiffness: 2 V (2 mu_L + 3 lambda_L) g_a.g_b. It holds for principal stretches up to about 1.15.
#include "engine/model/forces/force_model.h"
#include "engine/model/forces/tet_elements.h"

namespace wobble {

class NeoHookeanTets final : public ForceModel {
public:
    // factors: of each tet's Young's modulus; none: all 1.
    NeoHookeanTets(const TetMesh& rest, std::shared_ptr<Workers> workers, std::vector<double> factors = {})
        : elements_(rest, std::move(workers), std::move(factors)) {}

    void set_material(const Material&) override;
    double energy(const VecX& q) const override;
    void add_force(const VecX& q, VecX& f) const override;
    double add_force_and_energy(const VecX& q, VecX& f) const override;
    bool energy_comes_with_force() const override { return true; }
    void add_stiffness(const VecX& q, EdgeTangent& K) const override;
    bool offers_semidefinite_stiffness() const override { return true; }
    void add_semidefinite_stiffness(const VecX& q, EdgeTangent& K) const override;
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
    double bound_ = 0;  // Pa
    TetElements elements_;
};

}  // namespace wobble
