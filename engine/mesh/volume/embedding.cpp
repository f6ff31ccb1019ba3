#include "engine/mesh/volume/embedding.h"

#include "engine/mesh/geometry.h"
#include "engine/mesh/surface/box_tree.h"
#include "engine/mesh/volume/tet_adjacency.h"

#include <Eigen/LU>

#include <cassert>

namespace wobble {
namespace {

std::array<double, 4> barycentric(const TetMesh& mesh, const Tet& tet, const Mat3& inverse, const Vec3& p) {
    const Vec3 w = inverse * (p - mesh.vertices[tet[0]]);
    return {1 - w.x() - w.y() - w.z(), w.x(), w.y(), w.z()};
}

double distance_to_tet(const TetMesh& mesh, const Tet& tet, const Vec3& p) {
    double nearest = 1e300;
    for (const auto& f : tet_faces) {
        const Vec3 c = closest_point_on_triangle(p, mesh.vertices[tet[f[0]]], mesh.vertices[tet[f[1]]], mesh.vertices[tet[f[2]]]);
        nearest = std::min(nearest, (c - p).squaredNorm());
    }
    return nearest;
}

struct Candidate {
    int tet;
    double distance, least;  // squared distance of the point, its smallest weight
};
constexpr double slack = 1.5 * 1.5;  // on squared distances

}  // namespace

Embedding embed(const std::vector<Vec3>& points, const TetMesh& mesh, const std::function<bool(double)>& keep_going) {
    assert(!mesh.tets.empty());
    std::vector<Box> boxes(mesh.tets.size());
    std::vector<Mat3> inverses(mesh.tets.size());
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
        Mat3 edges;
        for (int v : mesh.tets[t])
            boxes[t].low = boxes[t].low.cwiseMin(mesh.vertices[v]), boxes[t].high = boxes[t].high.cwiseMax(mesh.vertices[v]);
        for (int k = 0; k < 3; ++k) edges.col(k) = mesh.vertices[mesh.tets[t][k + 1]] - mesh.vertices[mesh.tets[t][0]];
        inverses[t] = edges.inverse();
    }
    const BoxTree tree(std::move(boxes));

    Embedding embedding;
    std::vector<Candidate> candidates;
    embedding.particle.resize(points.size());
    embedding.weight.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (keep_going && i % 2048 == 0 && !keep_going(static_cast<double>(i) / static_cast<double>(points.size()))) return embedding;
        const Vec3& p = points[i];
        // Outside, several tets are about equally near: the one that needs the least extrapolation moves the point most calmly.
        double nearest = 1e300;
        candidates.clear();
        tree.nearest(p, [&](int t) {
            const std::array<double, 4> w = barycentric(mesh, mesh.tets[t], inverses[t], p);
            const double least = *std::min_element(w.begin(), w.end());
            const double distance = least >= 0 ? 0 : distance_to_tet(mesh, mesh.tets[t], p);
            nearest = std::min(nearest, distance);
            candidates.push_back({t, distance, least});
            return nearest * slack;
        });
        const Candidate* best = nullptr;
        for (const Candidate& c : candidates)
            if (c.distance <= nearest * slack && (!best || c.least > best->least)) best = &c;
        embedding.particle[i] = mesh.tets[best->tet];
        embedding.weight[i] = barycentric(mesh, mesh.tets[best->tet], inverses[best->tet], p);
    }
    return embedding;
}

Embedding embed_identically(int points) {
    Embedding embedding;
    for (int i = 0; i < points; ++i) embedding.particle.push_back({i, i, i, i}), embedding.weight.push_back({1, 0, 0, 0});
    return embedding;
}

void deform(const Embedding& embedding, const VecX& q, std::vector<Vec3f>& out) {
    out.resize(embedding.particle.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::array<int, 4>& p = embedding.particle[i];
        const std::array<double, 4>& w = embedding.weight[i];
        const Vec3 x = w[0] * particle(q, p[0]) + w[1] * particle(q, p[1]) + w[2] * particle(q, p[2]) + w[3] * particle(q, p[3]);
        out[i] = x.cast<float>();
    }
}

}  // namespace wobble
