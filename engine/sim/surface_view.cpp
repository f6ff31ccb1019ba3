#include "engine/sim/surface_view.h"

#include <cmath>
#include <cstring>

namespace wobble {

namespace {

std::uint64_t hash_words(std::uint64_t hash, const double* data, Eigen::Index count) {
    for (Eigen::Index k = 0; k < count; ++k) {
        std::uint64_t word;
        std::memcpy(&word, data + k, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

}  // namespace

std::shared_ptr<const SurfaceTopology> surface_topology(const BodyMesh& body, const std::vector<std::uint8_t>& pinned) {
    auto topology = std::make_shared<SurfaceTopology>();
    topology->triangles = body.surface.triangles;
    topology->closed = !body.sheet();
    topology->rest_box = bounding_box(body.surface.vertices);
    for (std::size_t i = 0; i < body.surface.vertices.size(); ++i) {
        bool held = true;
        for (int k = 0; k < 4; ++k)
            held = held && (pinned[body.embedding.particle[i][k]] || std::abs(body.embedding.weight[i][k]) < 1e-6);
        topology->pinned.push_back(held);
    }
    return topology;
}

std::uint64_t hash_of(const State& s) {
    return hash_words(hash_words(hash_words(0xCBF29CE484222325u, &s.t, 1), s.q.data(), s.q.size()), s.v.data(), s.v.size());
}

}  // namespace wobble
