#include "engine/model/forces/neo_hookean_tets.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace wobble {

using lanes::Lane;
using lanes::Lane3;
using lanes::Lane33;
using lanes::Lane6;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in spring_lanes.h

namespace {

using Law = NeoHookeanTets::Law;

// What stress and its derivatives are made of.
struct Terms {
    Lane33 C;                  // cof F
    Lane I, J, inverse, a, b;  // inverse = 1 / (I + 1)
    [[gnu::always_inline]] Terms(const Law& law, const Lane33& F) {
        C = cofactors(F);
        I = inner(F, F);
        J = dot(F.x, C.x);
        inverse = 1.0 / (I + 1.0);
        a = law.mu - law.mu * inverse;
        b = law.lambda * (J - 1.0) - 0.75 * law.mu;
    }
    [[gnu::always_inline]] Lane33 stress(const Lane33& F) const { return a * F + b * C; }
};

[[gnu::always_inline]] inline Lane density(const Law& law, const Lane33& F, const Lane& I, const Lane& J) {
    const Lane xx = 0.5 * (dot(F.x, F.x) - 1.0), yy = 0.5 * (dot(F.y, F.y) - 1.0), zz = 0.5 * (dot(F.z, F.z) - 1.0);
    const Lane xy = 0.5 * dot(F.x, F.y), xz = 0.5 * dot(F.x, F.z), yz = 0.5 * dot(F.y, F.z);
    const Lane yz_minor = yy * zz - yz * yz;
    const Lane E2 = yz_minor + (xx * zz - xz * xz) + (xx * yy - xy * xy);
    const Lane E3 = xx * yz_minor - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    const Lane j = J - 1.0, x = 0.25 * (I - 3.0), jj = j * j;
    return 0.375 * law.mu * (jj - 4.0 * E2 - 8.0 * E3) + 0.5 * law.mu * (x - lanes::log_of_one_plus(x)) + 0.5 * law.lambda * jj;
}

// d2P along dF = u g^T summed.
[[gnu::always_inline]] inline Lane33 rate(const Law& law, const Terms& t, const Lane33& F, const Lane33& dF) {
    const Lane33 dC = cofactors(F, dF);
    const Lane dI = 2.0 * inner(F, dF), dJ = inner(t.C, dF), slope = law.mu * t.inverse * t.inverse;
    const Lane a2 = slope * (2.0 * inner(dF, dF) - 2.0 * dI * dI * t.inverse), b2 = law.lambda * inner(dC, dF);
    return a2 * F + (2.0 * slope * dI) * dF + b2 * t.C + (2.0 * law.lambda * dJ) * dC + (2.0 * t.b) * cofactors(dF);
}

// d2Psi/dF2 with its negative eigenvalues left out, as eigenmatrices and values.
struct Semidefinite {
    Mat3 Q[9];
    double value[9];
    Semidefinite(const Law& law, const Mat3& F) {
        const Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
        Mat3 U = svd.matrixU(), V = svd.matrixV();
        Vec3 s = svd.singularValues();
        if (U.determinant() < 0) U.col(2) *= -1, s[2] *= -1;
        if (V.determinant() < 0) V.col(2) *= -1, s[2] *= -1;
        const double I = s.squaredNorm(), a = law.mu * (1 - 1 / (I + 1)), b = law.lambda * (s.prod() - 1) - 0.75 * law.mu;
        const Vec3 c(s[1] * s[2], s[2] * s[0], s[0] * s[1]);
        Mat3 scaling = 2 * law.mu / ((I + 1) * (I + 1)) * s * s.transpose() + law.lambda * c * c.transpose();
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            scaling(k, k) += a;
            scaling(i, j) += b * s[k], scaling(j, i) += b * s[k];
            const Mat3 ij = std::sqrt(0.5) * U.col(i) * V.col(j).transpose(), ji = std::sqrt(0.5) * U.col(j) * V.col(i).transpose();
            Q[k] = ij - ji, value[k] = std::max(0.0, a + b * s[k]);
            Q[3 + k] = ij + ji, value[3 + k] = std::max(0.0, a - b * s[k]);
        }
        const Eigen::SelfAdjointEigenSolver<Mat3> eigen(scaling);
        for (int k = 0; k < 3; ++k) {
            Q[6 + k] = U * eigen.eigenvectors().col(k).asDiagonal() * V.transpose();
            value[6 + k] = std::max(0.0, eigen.eigenvalues()[k]);
        }
    }
};

}  // namespace

void NeoHookeanTets::set_material(const Material& m) {
    const double mu = m.young / (2 * (1 + m.poisson)), lambda = m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson));
    law_ = {4 * mu / 3, lambda + 5 * mu / 6};
    bound_ = 2 * (2 * mu + 3 * lambda);
}

double NeoHookeanTets::energy(const VecX& q) const {
    return elements_.energy(q, [law = law_](const Lane33& F) {
        const Lane33 C = cofactors(F);
        return density(law, F, inner(F, F), dot(F.x, C.x));
    });
}

void NeoHookeanTets::add_force(const VecX& q, VecX& f) const {
    elements_.scatter<1>(q, -1, {f.data()},
                         [law = law_](const FourTets&, const Lane33& F, Lane33(&P)[1]) { P[0] = Terms(law, F).stress(F); });
}

double NeoHookeanTets::add_force_and_energy(const VecX& q, VecX& f) const {
    return elements_.scatter_with_energy(q, f, [law = law_](const Lane33& F, Lane33& P) {
        const Terms t(law, F);
        P = t.stress(F);
        return density(law, F, t.I, t.J);
    });
}

void NeoHookeanTets::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    elements_.scatter<1>(q, s, {f.data()}, [law = law_, from = u.data()](const FourTets& four, const Lane33& F, Lane33(&P)[1]) {
        const Terms t(law, F);
        const Lane33 dF = deformation(from, four);
        P[0] = t.a * dF + (2.0 * law.mu * t.inverse * t.inverse * inner(F, dF)) * F + (law.lambda * inner(t.C, dF)) * t.C +
               t.b * cofactors(F, dF);
    });
}

void NeoHookeanTets::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    elements_.scatter<1>(q, s, {f.data()}, [law = law_, from = u.data()](const FourTets& four, const Lane33& F, Lane33(&P)[1]) {
        P[0] = rate(law, Terms(law, F), F, deformation(from, four));
    });
}

void NeoHookeanTets::add_force_and_rate(const VecX& q, const VecX& u, double s, VecX& f, VecX& rates) const {
    elements_.scatter<2>(q, -1, {f.data(), rates.data()},
                         [law = law_, s, from = u.data()](const FourTets& four, const Lane33& F, Lane33(&P)[2]) {
                             const Terms t(law, F);
                             P[0] = t.stress(F);
                             P[1] = lanes::all(-s) * rate(law, t, F, deformation(from, four));
                         });
}

void NeoHookeanTets::add_stiffness(const VecX& q, EdgeTangent& K) const {
    elements_.add_tangent(q, K, [law = law_](const FourTets& four, const TetSides& sides, const Lane33& F) {
        const Terms t(law, F);
        const Lane V = lanes::load(four.volume), aV = V * t.a;
        const Lane p_share = 2.0 * law.mu * V * t.inverse * t.inverse, c_share = law.lambda * V;
        struct Blocks {
            Lane aV, p_share, c_share;
            Lane3 g[4], p[4], c[4], w[3];  // w: of the edges 23, 31, 12
            [[gnu::always_inline]] TetElements::Block operator()(int a, int b) const {
                const Lane3 pa = p_share * p[a], ca = c_share * c[a];
                const Lane along = aV * dot(g[a], g[b]);
                const Lane6 S{along + pa.x * p[b].x + ca.x * c[b].x,
                              0.5 * (pa.x * p[b].y + pa.y * p[b].x + ca.x * c[b].y + ca.y * c[b].x),
                              0.5 * (pa.x * p[b].z + pa.z * p[b].x + ca.x * c[b].z + ca.z * c[b].x),
                              along + pa.y * p[b].y + ca.y * c[b].y,
                              0.5 * (pa.y * p[b].z + pa.z * p[b].y + ca.y * c[b].z + ca.z * c[b].y),
                              along + pa.z * p[b].z + ca.z * c[b].z};
                return {S, skew(a, b)};
            }
            // Antisymmetric in a and b, and zero when summed over b.
            [[gnu::always_inline]] Lane3 skew(int a, int b) const {
                if (a == 0) return b == 1 ? w[2] - w[1] : b == 2 ? w[0] - w[2] : w[1] - w[0];
                return a == 2 ? w[0] : b == 2 ? w[2] : -w[1];
            }
        } blocks;
        blocks.aV = aV, blocks.p_share = p_share, blocks.c_share = c_share;
        for (int a = 1; a < 4; ++a) blocks.g[a] = four.gradient(a), blocks.p[a] = F * blocks.g[a], blocks.c[a] = t.C * blocks.g[a];
        blocks.g[0] = -(blocks.g[1] + blocks.g[2] + blocks.g[3]);
        blocks.p[0] = -(blocks.p[1] + blocks.p[2] + blocks.p[3]);
        blocks.c[0] = -(blocks.c[1] + blocks.c[2] + blocks.c[3]);
        const Lane turn = -(t.b + 0.5 * law.lambda * t.J) * lanes::load(four.opposite), half = -0.5 * p_share;
        blocks.w[0] = turn * sides.d[0] + half * cross(blocks.p[2], blocks.p[3]);
        blocks.w[1] = turn * sides.d[1] + half * cross(blocks.p[3], blocks.p[1]);
        blocks.w[2] = turn * sides.d[2] + half * cross(blocks.p[1], blocks.p[2]);
        return blocks;
    });
}

void NeoHookeanTets::add_semidefinite_stiffness(const VecX& q, EdgeTangent& K) const {
    elements_.add_tangent_of_each(q, K, [law = law_](const Mat3& F, const Eigen::Matrix<double, 3, 4>& gradients) {
        const Semidefinite H(law, F);
        std::array<Eigen::Matrix<double, 3, 4>, 9> columns;  // sqrt(value) Q g_a
        for (std::size_t k = 0; k < 9; ++k) columns[k] = std::sqrt(H.value[k]) * H.Q[k] * gradients;
        return [columns](int a, int b) {
            Mat3 B = Mat3::Zero();
            for (const auto& column : columns) B += column.col(a) * column.col(b).transpose();
            return B;
        };
    });
}

void NeoHookeanTets::add_linear_stiffness(EdgeTangent& K) const { elements_.add_laplacian(bound_, K); }

#pragma GCC diagnostic pop

}  // namespace wobble
