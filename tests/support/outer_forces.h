#pragma once
// Two forces that a body has no fixed edges for: a ground plane, and repulsion between particles of two bodies that come near.
#include "engine/model/mechanical_system.h"
#include "tests/support/box_tets.h"

#include <cmath>

namespace wobble::support {

// U = k/3 sum max(0, height - y)^3. The bound of add_linear_stiffness holds up to a depth of 0.1 m.
class GroundPlane final : public ForceModel {
public:
    GroundPlane(double k, double height) : k_(k), height_(height) {}
    void set_material(const Material&) override {}
    double energy(const VecX& q) const override {
        double sum = 0;
        each(q, [&](int, double d) { sum += k_ / 3 * d * d * d; });
        return sum;
    }
    void add_force(const VecX& q, VecX& f) const override {
        each(q, [&](int i, double d) { f[3 * i + 1] += k_ * d * d; });
    }
    void add_stiffness(const VecX& q, EdgeTangent& K) const override {
        each(q, [&](int i, double d) { K.local(i)[3] += 2 * k_ * d; });
    }
    void add_linear_stiffness(EdgeTangent& K) const override {
        for (int i = 0; i < K.matrix().rows(); ++i)
            for (int x : {0, 3, 5}) K.local(i)[x] += 2 * k_ * 0.1;
    }
    void add_product(const VecX& q, const VecX& u, double s, VecX& f) const override {
        each(q, [&](int i, double d) { f[3 * i + 1] += s * 2 * k_ * d * u[3 * i + 1]; });
    }
    void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const override {
        each(q, [&](int i, double) { f[3 * i + 1] -= s * 2 * k_ * u[3 * i + 1] * u[3 * i + 1]; });
    }
    bool acts_on_single_particles() const override { return true; }

private:
    template <class Each>
    void each(const VecX& q, Each&& each) const {
        for (int i = 0; i < q.size() / 3; ++i)
            if (const double d = height_ - q[3 * i + 1]; d > 0) each(i, d);
    }
    double k_, height_;
};

// U = k/3 sum over pairs of max(0, reach - l)^3, l the distance of a particle of the first body (the first `border` particles) and one of
// the second; pairs are those nearer than 1.5 reach when a step begins.
class Repulsion final : public ForceModel {
public:
    Repulsion(double k, double reach, int border) : k_(k), reach_(reach), border_(border) {}
    void set_material(const Material&) override {}
    bool begin_step(const State& state, double) override {
        std::vector<Edge> near;
        for (int i = 0; i < border_; ++i)
            for (int j = border_; j < state.q.size() / 3; ++j)
                if ((particle(state.q, j) - particle(state.q, i)).norm() < 1.5 * reach_) near.push_back({i, j});
        if (near == pairs_) return false;
        pairs_ = near;
        return true;
    }
    void varying_pairs(std::vector<Edge>& pairs) const override { pairs.insert(pairs.end(), pairs_.begin(), pairs_.end()); }
    void bind_varying(std::span<const int> place) override { place_.assign(place.begin(), place.end()); }
    std::size_t count() const { return pairs_.size(); }

    double energy(const VecX& q) const override {
        double sum = 0;
        each(q, [&](std::size_t, const Law& a) { sum += k_ / 3 * a.g * a.g * a.g; });
        return sum;
    }
    void add_force(const VecX& q, VecX& f) const override {
        each(q, [&](std::size_t p, const Law& a) { spread(p, -a.first * a.n, f); });
    }
    void add_stiffness(const VecX& q, EdgeTangent& K) const override {
        each(q, [&](std::size_t p, const Law& a) {
            const Mat3 H = a.hessian();
            double* S = K.varying(place_[p]);
            S[0] -= H(0, 0), S[1] -= H(0, 1), S[2] -= H(0, 2), S[3] -= H(1, 1), S[4] -= H(1, 2), S[5] -= H(2, 2);
        });
    }
    void add_linear_stiffness(EdgeTangent& K) const override {
        for (int place : place_)
            for (int x : {0, 3, 5}) K.varying(place)[x] -= 2 * k_ * reach_;
    }
    void add_product(const VecX& q, const VecX& u, double s, VecX& f) const override {
        each(q, [&](std::size_t p, const Law& a) { spread(p, s * a.hessian() * difference(u, p), f); });
    }
    void add_rate(const VecX& q, const VecX& u, double s, VecX& f) const override {
        each(q, [&](std::size_t p, const Law& a) {
            const Vec3 w = difference(u, p);
            const double A = a.second - a.first / a.l, along = a.n.dot(w);
            const Vec3 turn = (w - along * a.n) / a.l;
            spread(p, s * ((-2 * k_ - A / a.l) * along * along * a.n + A * (along * turn + turn.dot(w) * a.n) + A / a.l * along * w), f);
        });
    }

private:
    struct Law {  // of one pair: reach - l, l, its direction, dU/dl and d2U/dl2
        double g, l;
        Vec3 n;
        double first, second;
        Mat3 hessian() const { return second * n * n.transpose() + first / l * (Mat3::Identity() - n * n.transpose()); }
    };
    Vec3 difference(const VecX& x, std::size_t p) const { return particle(x, pairs_[p][1]) - particle(x, pairs_[p][0]); }
    void spread(std::size_t p, const Vec3& w, VecX& f) const { particle(f, pairs_[p][1]) += w, particle(f, pairs_[p][0]) -= w; }
    template <class Each>
    void each(const VecX& q, Each&& each) const {
        for (std::size_t p = 0; p < pairs_.size(); ++p) {
            const Vec3 d = difference(q, p);
            const double l = d.norm(), g = reach_ - l;
            if (g > 0) each(p, Law{g, l, d / l, -k_ * g * g, 2 * k_ * g});
        }
    }
    double k_, reach_;
    int border_;
    std::vector<Edge> pairs_;
    std::vector<int> place_;
};

// Two boxes, the second `gap` above the first, and a ground plane; corotational or of springs.
struct TwoBoxes {
    TetMesh mesh;
    int border;
    std::unique_ptr<MechanicalSystem> system;

    TwoBoxes(double ground_height, const Material& material, double gap = 0.03, bool hold = false, int threads = 2,
             ElasticModel::Kind kind = ElasticModel().kind, double k_ground = 2e4, double k_pairs = 2e5, double reach = 0.04) {
        mesh = box_tets(2, 1, 1, 0.1);
        border = static_cast<int>(mesh.vertices.size());
        const TetMesh one = mesh;
        for (const Vec3& v : one.vertices) mesh.vertices.push_back(v + Vec3(0.013, 0.1 + gap, 0.007));
        for (Tet t : one.tets) {
            for (int& i : t) i += border;
            mesh.tets.push_back(t);
        }
        const auto workers = std::make_shared<Workers>(threads);
        ElasticModel model;
        model.kind = kind;
        SystemParts parts = body_parts(mesh, {}, model, workers);
        parts.forces.push_back(std::make_unique<GroundPlane>(k_ground, ground_height));
        parts.forces.push_back(std::make_unique<Repulsion>(k_pairs, reach, border));
        std::vector<Constraint> held;
        for (int i = 0; i < 2 * border && hold; ++i)
            if (mesh.vertices[i].x() < 0.02) held.push_back(Constraint::held(i));
        system = std::make_unique<MechanicalSystem>(std::move(parts), Constraints(2 * border, held), material, workers);
    }
    State start() const { return {0, positions(mesh), VecX::Zero(3 * static_cast<Eigen::Index>(mesh.vertices.size()))}; }
};

inline Eigen::MatrixXd dense_blocks(const BlockMatrix& A) {
    const BlockPattern& pattern = A.pattern();
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * A.rows(), 3 * A.rows());
    for (int i = 0; i < A.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) D.block<3, 3>(3 * i, 3 * pattern.column[k]) = A.at(k);
    return D;
}

}  // namespace wobble::support
