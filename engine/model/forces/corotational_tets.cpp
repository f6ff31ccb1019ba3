#include "engine/model/forces/corotational_tets.h"

#include "engine/core/reduce.h"
#include "engine/model/forces/polar.h"
#include "engine/model/forces/tet_edges.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace wobble {

namespace {

constexpr double least_pair = 0.2;  // of s_j + s_k in derivatives

Mat3 cross_matrix(const Vec3& r) {
    Mat3 X;
    X << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    return X;
}
Vec3 axis(const Mat3& A) { return {A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)}; }  // of A - A^T

// (tr(S) I - S)^-1 with eigenvalues 1 / max(s_j + s_k, least_pair).
Mat3 turning(const Mat3& S) {
    Mat3 G = -S;
    G.diagonal().array() += S.trace();
    const double a = G(0, 0) - least_pair, b = G(1, 1) - least_pair, d = G(2, 2) - least_pair;
    const double minor2 = a * b - G(0, 1) * G(0, 1);
    const double minor3 = d * minor2 - a * G(1, 2) * G(1, 2) - b * G(0, 2) * G(0, 2) + 2 * G(0, 1) * G(0, 2) * G(1, 2);
    if (a > 0 && minor2 > 0 && minor3 > 0) return G.inverse();
    if (!G.allFinite()) return Mat3::Zero();
    Eigen::SelfAdjointEigenSolver<Mat3> eigen;
    eigen.computeDirect(G);
    if (!eigen.eigenvectors().allFinite()) return Mat3::Identity() / least_pair;
    const Vec3 inverse = eigen.eigenvalues().cwiseMax(least_pair).cwiseInverse();
    return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

struct Polar {
    Mat3 R, S;
    Polar(const Mat3& F, const Mat3& rotation) : R(rotation), S(R.transpose() * F) { S = 0.5 * (S + S.transpose()).eval(); }
};

}  // namespace

CorotationalTets::CorotationalTets(const TetMesh& rest, std::shared_ptr<Workers> workers, const std::vector<double>& factors)
    : tets_(rest.tets),
      edges_(tets_.size()),
      workers_(std::move(workers)),
      parts_(split_rows(static_cast<int>(rest.vertices.size()), tets_, *workers_)) {
    for (const Tet& t : tets_) {
        Mat3 sides;
        for (int k = 0; k < 3; ++k) sides.col(k) = rest.vertices[t[k + 1]] - rest.vertices[t[0]];
        const double factor = factors.empty() ? 1 : factors[elements_.size()];
        elements_.push_back({sides.inverse(), factor * sides.determinant() / 6});
    }
}

void CorotationalTets::pairs(std::vector<Edge>& pairs) const { append_pairs(tets_, pairs); }

void CorotationalTets::bind(std::span<const int> edge_of_pair, int) {
    for (std::size_t t = 0; t < tets_.size(); ++t) std::copy_n(&edge_of_pair[6 * t], 6, edges_[t].begin());
}

void CorotationalTets::set_material(const Material& m) {
    mu_ = m.young / (2 * (1 + m.poisson));
    lambda_ = m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson));
}

Mat3 CorotationalTets::deformation(const VecX& x, int tet) const {
    const Tet& t = tets_[tet];
    Mat3 sides;
    for (int k = 0; k < 3; ++k) sides.col(k) = particle(x, t[k + 1]) - particle(x, t[0]);
    return sides * elements_[tet].gradients;
}

// each(tet, F, R), in ascending order.
template <class Each>
void CorotationalTets::for_elements(const VecX& q, int begin, int end, Each&& each) const {
    Mat3 F[4], R[4];
    for (int t = begin; t < end; t += 4) {
        const int count = std::min(4, end - t);
        for (int k = 0; k < 4; ++k) F[k] = deformation(q, t + (k < count ? k : 0));
        rotations_of(F, R);
        for (int k = 0; k < count; ++k) each(t + k, F[k], R[k]);
    }
}

double CorotationalTets::energy(const VecX& q) const {
    return blocked_sum(*workers_, static_cast<int>(tets_.size()), [&](int begin, int end) {
        double sum = 0;
        for_elements(q, begin, end, [&](int t, const Mat3& F, const Mat3& R) {
            const Mat3 difference = F - R;
            const double stretch = R.cwiseProduct(difference).sum();  // tr(S - I)
            sum += elements_[t].volume * (mu_ * difference.squaredNorm() + 0.5 * lambda_ * stretch * stretch);
        });
        return sum;
    });
}

// f_a += s V P g_a with P = stress(tet, F, R).
template <class Stress>
void CorotationalTets::scatter(const VecX& q, double s, VecX& f, Stress&& stress) const {
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for_elements(q, range.element_begin, range.element_end, [&](int t, const Mat3& F, const Mat3& R) {
            const Tet& tet = tets_[t];
            const Mat3 value = s * elements_[t].volume * stress(t, F, R) * elements_[t].gradients.transpose();
            if (range.owns(tet[0])) particle(f, tet[0]) -= value.rowwise().sum();
            for (int a = 1; a < 4; ++a)
                if (range.owns(tet[a])) particle(f, tet[a]) += value.col(a - 1);
        });
    });
}

void CorotationalTets::add_force(const VecX& q, VecX& f) const {
    scatter(q, -1, f,
            [&](int, const Mat3& F, const Mat3& R) -> Mat3 { return 2 * mu_ * (F - R) + lambda_ * (R.cwiseProduct(F).sum() - 3) * R; });
}

void CorotationalTets::add_product(const VecX& q, const VecX& u, double s, VecX& f) const {
    scatter(q, s, f, [&](int t, const Mat3& F, const Mat3& rotation) -> Mat3 {
        const auto [R, S] = Polar(F, rotation);
        const Mat3 dF = deformation(u, t), A = R.transpose() * dF;
        const double c = lambda_ * (S.trace() - 3) - 2 * mu_;
        const Vec3 w = turning(S) * axis(A);
        return 2 * mu_ * dF + lambda_ * A.trace() * R + c * R * cross_matrix(w);
    });
}

void CorotationalTets::add_rate(const VecX& q, const VecX& u, double s, VecX& f) const {
    scatter(q, s, f, [&](int t, const Mat3& F, const Mat3& rotation) -> Mat3 {
        const auto [R, S] = Polar(F, rotation);
        const Mat3 A = R.transpose() * deformation(u, t), H = turning(S);
        const double c = lambda_ * (S.trace() - 3) - 2 * mu_;
        // G w = axis(A) with G = tr(S) I - S;   dS = A - W S,   dA = -W A,   so   G w' = axis(dA) - tr(dS) w + dS w.
        const Vec3 w = H * axis(A);
        const Mat3 W = cross_matrix(w), dS = A - W * S, dA = -W * A;
        const Vec3 turn = H * (axis(dA) - dS.trace() * w + dS * w);
        const double trace = W.cwiseProduct(A).sum();  // dR : dF
        return R * (c * (W * W + cross_matrix(turn)) + lambda_ * (trace * Mat3::Identity() + 2 * A.trace() * W));
    });
}

// An edge belongs to the part that owns its smaller particle.
void CorotationalTets::add_stiffness(const VecX& q, EdgeTangent& K) const {
    workers_->run([&](int part) {
        const OwnedRange& range = parts_[part];
        for_elements(q, range.element_begin, range.element_end, [&](int t, const Mat3& F, const Mat3& rotation) {
            const Tet& tet = tets_[t];
            const auto [R, S] = Polar(F, rotation);
            const double V = elements_[t].volume, c = lambda_ * (S.trace() - 3) - 2 * mu_;
            const Mat3 H = R * turning(S) * R.transpose();
            Vec3 r[4];   // |r_a| = |g_a|
            Mat3 rH[4];  // [r_a] H
            for (int a = 1; a < 4; ++a) r[a] = R * elements_[t].gradients.row(a - 1).transpose();
            r[0] = -(r[1] + r[2] + r[3]);
            for (int a = 0; a < 4; ++a)
                for (int k = 0; k < 3; ++k) rH[a].col(k) = r[a].cross(H.col(k));
            for (int e = 0; e < 6; ++e) {
                const bool ascending = tet[tet_edges[e][0]] < tet[tet_edges[e][1]];
                const int a = tet_edges[e][ascending ? 0 : 1], b = tet_edges[e][ascending ? 1 : 0];
                if (!range.owns(tet[a])) continue;
                Mat3 block = V * (lambda_ * r[a]) * r[b].transpose();
                for (int k = 0; k < 3; ++k) {  // row k of [r_a] H [r_b] is (row k of [r_a] H) cross r_b
                    const Vec3 row = rH[a].row(k);
                    block.row(k) -= V * c * row.cross(r[b]).transpose();
                }
                block.diagonal().array() += 2 * mu_ * V * r[a].dot(r[b]);
                double *six = K.at(edges_[t][e]), *skew = K.skew(edges_[t][e]);
                six[0] += block(0, 0), six[1] += 0.5 * (block(0, 1) + block(1, 0)), six[2] += 0.5 * (block(0, 2) + block(2, 0));
                six[3] += block(1, 1), six[4] += 0.5 * (block(1, 2) + block(2, 1)), six[5] += block(2, 2);
                for (int k = 0; k < 3; ++k) skew[k] += 0.5 * axis(block)[k];
            }
        });
    });
}

void CorotationalTets::add_linear_stiffness(EdgeTangent& K) const {
    for (std::size_t t = 0; t < tets_.size(); ++t) {
        Eigen::Matrix<double, 4, 3> g;
        g.bottomRows<3>() = elements_[t].gradients;
        g.row(0) = -elements_[t].gradients.colwise().sum();
        for (int e = 0; e < 6; ++e)
            for (int x : {0, 3, 5})
                K.at(edges_[t][e])[x] += elements_[t].volume * (2 * mu_ + 3 * lambda_) * g.row(tet_edges[e][0]).dot(g.row(tet_edges[e][1]));
    }
}

}  // namespace wobble
