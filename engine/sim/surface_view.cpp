#include "engine/sim/surface_view.h"

#include "engine/mesh/volume/embedding.h"
#include "engine/scene/pin_rules.h"
#include "engine/sim/system_factory.h"
#include "engine/view/pin_highlight.h"

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

std::shared_ptr<const SurfaceTopology> surface_topology(const BodyMesh& body, const std::vector<std::uint8_t>& pinned,
                                                        const std::shared_ptr<const SurfaceTopology>& before) {
    std::vector<std::uint8_t> held_vertices;
    held_vertices.reserve(body.surface.vertices.size());
    for (std::size_t i = 0; i < body.surface.vertices.size(); ++i) {
        bool held = true;
        for (int k = 0; k < 4; ++k) held = held && (pinned[body.embedding.particle[i][k]] || std::abs(body.embedding.weight[i][k]) < 1e-6);
        held_vertices.push_back(held);
    }
    if (before && before->pinned == held_vertices) return before;
    auto topology = std::make_shared<SurfaceTopology>();
    topology->triangles = body.surface.triangles;
    topology->closed = body.links.empty() && !body.two_sided;  // one sheet among solids is enough to see inner sides
    topology->rest_box = bounding_box(body.surface.vertices);
    topology->tint = pin_highlight(body.surface, held_vertices);
    topology->pinned = std::move(held_vertices);
    return topology;
}

std::uint64_t hash_of(const State& s) {
    std::uint64_t hash = hash_words(0xCBF29CE484222325u, &s.t, 1);
    for (const VecX* vector : {&s.q, &s.v, &s.internal}) hash = hash_words(hash, vector->data(), vector->size());
    return hash;
}

Snapshot first_snapshot(std::shared_ptr<const LoadedScene> loaded, std::shared_ptr<const SurfaceTopology> surface) {
    const Scene& scene = loaded->scene;
    const BodyMesh& body = loaded->body;
    const Constraints held = constraints(*loaded);
    const State state = initial_state(*loaded, held);
    Snapshot shot;
    shot.preparing = true;
    shot.settings = scene.settings;
    shot.h = shot.asked_step = scene.settings.step > 0 ? scene.settings.step : scene.frame_step;
    shot.particles = held.particles();
    shot.dofs = held.degrees_of_freedom();
    shot.tets = static_cast<int>(body.tets.tets.size());
    deform(body.embedding, state.q, shot.positions);
    shot.surface = surface ? std::move(surface) : surface_topology(body, held.held());
    for (const Obstacle& o : shot.settings.obstacles) shot.obstacle_poses.push_back(pose(o, state.t));
    shot.state_hash = hash_of(state);
    shot.scene = std::move(loaded);
    return shot;
}

}  // namespace wobble
