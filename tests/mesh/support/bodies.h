#pragma once
// What tests ask of bodies made from surfaces.
#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/volume/embedding.h"
#include "engine/mesh/volume/quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace wobble {

// What every body must be, whatever it came from.
inline void expect_sound(const BodyMesh& body) {
    const TetQuality q = quality(body.tets);
    EXPECT_GT(q.worst, 0);
    EXPECT_EQ(q.weak_vertices, 0);
    ASSERT_EQ(body.embedding.particle.size(), body.surface.vertices.size());
    VecX rest(3 * body.tets.vertices.size());
    for (std::size_t v = 0; v < body.tets.vertices.size(); ++v) particle(rest, static_cast<int>(v)) = body.tets.vertices[v];
    std::vector<Vec3f> drawn;
    deform(body.embedding, rest, drawn);
    for (std::size_t i = 0; i < drawn.size(); ++i) ASSERT_LT((drawn[i].cast<double>() - body.surface.vertices[i]).norm(), 1e-5);
}

inline BodyOptions resolution(int wanted) {
    BodyOptions options;
    options.resolution = wanted;
    return options;
}

// The lightest vertex in shares of the mean one.
inline double lightest_vertex(const TetMesh& mesh) {
    std::vector<double> mass(mesh.vertices.size(), 0);
    for (const Tet& tet : mesh.tets)
        for (int v : tet) mass[v] += volume(mesh, tet) / 4;
    return *std::min_element(mass.begin(), mass.end()) * static_cast<double>(mass.size()) / volume(mesh);
}

}  // namespace wobble
