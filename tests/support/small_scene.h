#pragma once
// A complete scene on a small box of tets, without TetGen: a beam held at its x = 0 end. Length 20 and width 8 (1701 particles) make
// the World use three threads.
#include "engine/mesh/volume/embedding.h"
#include "engine/scene/loaded_scene.h"
#include "tests/support/box_tets.h"

#include <map>

namespace wobble::support {

inline std::vector<Triangle> boundary_faces(const TetMesh& mesh) {
    constexpr int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};  // outward for positive volume
    std::map<std::array<int, 3>, std::pair<int, Triangle>> seen;
    for (const Tet& tet : mesh.tets)
        for (const auto& f : face) {
            const Triangle t{tet[f[0]], tet[f[1]], tet[f[2]]};
            std::array<int, 3> key = t;
            std::sort(key.begin(), key.end());
            auto& entry = seen[key];
            ++entry.first;
            entry.second = t;
        }
    std::vector<Triangle> faces;
    for (const auto& [key, entry] : seen)
        if (entry.first == 1) faces.push_back(entry.second);
    return faces;
}

inline std::shared_ptr<const LoadedScene> small_scene(Parameters parameters = {}, int length = 6, int width = 2) {
    auto loaded = std::make_shared<LoadedScene>();
    loaded->scene.name = "box";
    loaded->scene.settings.parameters() = parameters;
    loaded->scene.settings.pins() = {PinRule::below(0, 0.01)};
    BodyMesh& body = loaded->body;
    body.tets = box_tets(length, width, width, 0.2);
    body.tets.boundary = boundary_faces(body.tets);
    body.surface = {body.tets.vertices, body.tets.boundary};
    body.embedding = embed_identically(static_cast<int>(body.surface.vertices.size()));
    return loaded;
}

}  // namespace wobble::support
