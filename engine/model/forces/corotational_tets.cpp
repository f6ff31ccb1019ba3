#include "engine/model/forces/corotational_tets.h"

#include "engine/model/forces/polar_lanes.h"

#include <Eigen/Eigenvalues>

namespace wobble {

using lanes::Lane;
using lanes::Lane3;
using lanes::Lane33;
using lanes::Lane6;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in spring_lanes.h

namespace {

using Law = CorotationalTets::Law;

constexpr double least_pair = 0.2;  // of s_j + s_k in derivatives

// (tr(S) I - S)^-1 with eigenvalues 1 / max(s_j + s_k, least_pair).
Mat3 turning(const Mat3& S) {
    Mat3 G = -S;
    G.diagonal().array() += S.trace();
    if (!G.allFinite()) return Mat3::Zero();
    Eigen::SelfAdjointEigenSolver<Mat3> eigen;
    eigen.computeDirect(G);
    if (!eigen.eigenvectors().allFinite()) return Mat3::Identity() / least_pair;
    const Vec3 inverse = eigen.eigenvalues().cwiseMax(least_pair).cwiseInverse();
    return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

[[gnu::always_inline]] inline Lane6 turning(const Lane6& S) {
    const Lane6 G{S.yy + S.zz, -S.xy, -S.xz, S.xx + S.zz, -S.yz, S.xx + S.yy};
    // G - least_pair I is positive definite if its leading minors are.
    const Lane a = G.xx - least_pair, b = G.yy - least_pair, d = G.zz - least_pair;
    const Lane minor2 = a * b - G.xy * G.xy;
    const Lane minor3 = d * minor2 - a * G.yz * G.yz - b * G.xz * G.xz + 2.0 * G.xy * G.xz * G.yz;
    const lanes::Mask good = (a > 0.0) & (minor2 > 0.0) & (minor3 > 0.0) & (minor3 < 1e300);
    const Lane xx = G.yy * G.zz - G.yz * G.yz, xy = G.xz * G.yz - G.xy * G.zz, xz = G.xy * G.yz - G.xz * G.yy;
    const Lane inverse = 1.0 / (G.xx * xx + G.xy * xy + G.xz * xz);
    Lane6 H{inverse * xx,
            inverse * xy,
            inverse * xz,
            inverse * (G.xx * G.zz - G.xz * G.xz),
            inverse * (G.xy * G.xz - G.xx * G.yz),
            inverse * (G.xx * G.yy - G.xy * G.xy)};
    if (lanes::any(~good)) [[unlikely]]
        for (int k = 0; k < 4; ++k) {
            if (good[k]) continue;
            Mat3 M;
            M << S.xx[k], S.xy[k], S.xz[k], S.xy[k], S.yy[k], S.yz[k], S.xz[k], S.yz[k], S.zz[k];
            M = turning(M);
            H.xx[k] = M(0, 0), H.xy[k] = M(0, 1), H.xz[k] = M(0, 2), H.yy[k] = M(1, 1), H.yz[k] = M(1, 2), H.zz[k] = M(2, 2);
        }
    return H;
}

[[gnu::always_inline]] inline Lane6 symmetric_part(const Lane33& A) {
    return {A.x.x, 0.5 * (A.x.y + A.y.x), 0.5 * (A.x.z + A.z.x), A.y.y, 0.5 * (A.y.z + A.z.y), A.z.z};
}

[[gnu::always_inline]] inline Lane density(const Law& law, const Lane33& F, const Lane33& R) {
    const Lane33 difference = F - R;
    const Lane stretch = inner(R, difference);  // tr(S - I)
    return law.mu * inner(difference, difference) + 0.5 * law.lambda * stretch * stretch;
}

[[gnu::always_inline]] inline Lane33 stress(const Law& law, const Lane33& F, const Lane33& R) {
    return lanes::all(2 * law.mu) * (F - R) + (law.lambda * (inner(R, F) - 3.0)) * R;
}

[[gnu::always_inline]] inline Lane33 rate(const Law& law, const Lane33& F, const Lane33& R, const Lane33& dF) {
    const Lane33 S = transposed_times(R, F), A = transposed_times(R, dF);
    const Lane6 H = turning(symmetric_part(S));
    const Lane c = law.lambda * (trace(S) - 3.0) - 2 * law.mu;
    // G w = axis(A) with G = tr(S) I - S;   dS = A - W S,   dA = -W A,   so   G w' = axis(dA) - tr(dS) w + dS w.
    const Lane3 w = H * axis(A);
    const Lane33 dS = A - crossed(w, S), WA = crossed(w, A);
    const Lane3 turn = H * (dS * w - axis(WA) - trace(dS) * w);
    // R:dF changes by dR:dF = W:A, as trace(W^T A).
    const Lane across = dot(w, axis(A)), ww = dot(w, w), twice = 2.0 * law.lambda * trace(A);
    const Lane3 v = c * turn + twice * w;
    Lane33 M{c * w.x * w, c * w.y * w, c * w.z * w};  // c w w^T, then c (W W) = c (w w^T - |w|^2 I)
    const Lane diagonal = law.lambda * across - c * ww;
    M.x.x += diagonal, M.y.y += diagonal, M.z.z += diagonal;
    M.x.y += v.z, M.x.z -= v.y, M.y.x -= v.z, M.y.z += v.x, M.z.x += v.y, M.z.y -= v.x;
    return R * M;
}

}  // namespace

void CorotationalTets::set_material(const Material& m) {
    law_ = {m.young / (2 * (1 + m.poisson)), m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson))};
}

double CorotationalTets::energy(const VecX& q) const {
    return elements_.energy(q, [law = law_](const Lane33& F) { return density(law, F, lanes::rotations(F)); });
}

void CorotationalTets::add_force(const VecX& q, VecX& f) const {
    elements_.scatter<1>(q, -1, {f.data()},
                         [law = law_](const FourTets&, const Lane33& F, Lane33(&P)[1]) { P[0] = stress(law, F, lanes::rotations(F)); });
}

double CorotationalTets::add_force_and_energy(const VecX& q, VecX& f) const {
    return elements_.scatter_with_energy(q, f, [law = law_](const Lane33& F, Lane33& P) {
        const Lane33 R = lanes::rotations(F);
        P = stress(law, F, R);
        return density(law, F, R);
    });
}

void CorotationalTets::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    elements_.scatter<1>(q, s, {f.data()}, [law = law_, from = u.data()](const FourTets& four, const Lane33& F, Lane33(&P)[1]) {
        const Lane33 R = lanes::rotations(F), S = transposed_times(R, F), dF = deformation(from, four), A = transposed_times(R, dF);
        const Lane c = law.lambda * (trace(S) - 3.0) - 2 * law.mu;
        const Lane3 w = c * (turning(symmetric_part(S)) * axis(A));
        const Lane a = law.lambda * trace(A), none = lanes::all(0);
        P[0] = lanes::all(2 * law.mu) * dF + R * Lane33{{a, w.z, none - w.y}, {none - w.z, a, w.x}, {w.y, none - w.x, a}};
    });
}

void CorotationalTets::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    elements_.scatter<1>(q, s, {f.data()}, [law = law_, from = u.data()](const FourTets& four, const Lane33& F, Lane33(&P)[1]) {
        P[0] = rate(law, F, lanes::rotations(F), deformation(from, four));
    });
}

void CorotationalTets::add_force_and_rate(const VecX& q, const VecX& u, double s, VecX& f, VecX& rates) const {
    elements_.scatter<2>(q, -1, {f.data(), rates.data()},
                         [law = law_, s, from = u.data()](const FourTets& four, const Lane33& F, Lane33(&P)[2]) {
                             const Lane33 R = lanes::rotations(F);
                             P[0] = stress(law, F, R);
                             P[1] = lanes::all(-s) * rate(law, F, R, deformation(from, four));
                         });
}

void CorotationalTets::add_stiffness(const VecX& q, EdgeTangent& K) const {
    elements_.add_tangent(q, K, [law = law_](const FourTets& four, const TetSides&, const Lane33& F) {
        const Lane33 R = lanes::rotations(F), S = F * transposed(R);  // R S R^T of the header, so that H is H
        const Lane V = lanes::load(four.volume), c = -V * (law.lambda * (trace(S) - 3.0) - 2 * law.mu);
        const Lane6 H = turning(symmetric_part(S));
        struct Blocks {
            Lane twice_mu, lambda;  // times V
            Lane3 r[4];             // |r_a| = |g_a|
            Lane33 rows[4];         // rows of -V c [r_a] H
            [[gnu::always_inline]] TetElements::Block operator()(int a, int b) const {
                const Lane3 along = lambda * r[a];
                const Lane bend = twice_mu * dot(r[a], r[b]);
                // Row k of [r_a] H [r_b] is (row k of [r_a] H) cross r_b.
                const Lane3 x = cross(rows[a].x, r[b]) + along.x * r[b], y = cross(rows[a].y, r[b]) + along.y * r[b],
                            z = cross(rows[a].z, r[b]) + along.z * r[b];
                return {{x.x + bend, 0.5 * (x.y + y.x), 0.5 * (x.z + z.x), y.y + bend, 0.5 * (y.z + z.y), z.z + bend},
                        {0.5 * (z.y - y.z), 0.5 * (x.z - z.x), 0.5 * (y.x - x.y)}};
            }
        } blocks;
        blocks.twice_mu = 2 * law.mu * V, blocks.lambda = law.lambda * V;
        for (int a = 1; a < 4; ++a) {
            const Lane3 r = R * four.gradient(a), u = c * r;
            blocks.r[a] = r;
            const Lane3 hx{H.xx, H.xy, H.xz}, hy{H.xy, H.yy, H.yz}, hz{H.xz, H.yz, H.zz};
            blocks.rows[a] = {u.y * hz - u.z * hy, u.z * hx - u.x * hz, u.x * hy - u.y * hx};
        }
        blocks.r[0] = -(blocks.r[1] + blocks.r[2] + blocks.r[3]);
        const Lane33 sum = blocks.rows[1] + blocks.rows[2] + blocks.rows[3];
        blocks.rows[0] = {-sum.x, -sum.y, -sum.z};
        return blocks;
    });
}

void CorotationalTets::add_linear_stiffness(EdgeTangent& K) const { elements_.add_laplacian(2 * law_.mu + 3 * law_.lambda, K); }

#pragma GCC diagnostic pop

}  // namespace wobble
