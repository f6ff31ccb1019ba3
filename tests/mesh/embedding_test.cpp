#include "engine/mesh/volume/embedding.h"

#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/volume/tetrahedralize.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct Embedded {
    TetMesh tets;
    TriMesh surface;
    Embedding embedding;
};

// A fine ball around a coarse one: most fine vertices lie outside the coarse tets.
Embedded ball() {
    Embedded e;
    e.tets = tetrahedralize(find_shape("sphere")->make({{"radius", 0.5}}, 0.25), {}).value();
    e.surface = find_shape("sphere")->make({{"radius", 0.5}}, 0.03);
    e.embedding = embed(e.surface.vertices, e.tets);
    return e;
}

VecX state(const TetMesh& mesh, const Mat3& A, const Vec3& b) {
    VecX q(3 * mesh.vertices.size());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) particle(q, static_cast<int>(v)) = A * mesh.vertices[v] + b;
    return q;
}

TEST(Embedding, IdentityAtRestAndAnyAffineMapIsReproduced) {
    const Embedded e = ball();
    Mat3 A;
    A << 1.3, 0.4, -0.2, 0.1, 0.7, 0.5, -0.6, 0.2, 1.1;
    const Vec3 b(3, -2, 1);
    std::vector<Vec3f> out;
    for (const auto& [linear, shift] : {std::pair<Mat3, Vec3>{Mat3::Identity(), Vec3::Zero()}, {A, b}}) {
        deform(e.embedding, state(e.tets, linear, shift), out);
        ASSERT_EQ(out.size(), e.surface.vertices.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            EXPECT_LT((out[i].cast<double>() - (linear * e.surface.vertices[i] + shift)).norm(), 2e-6);
    }
}

TEST(Embedding, WeightsSumToOneAndReproduceThePoint) {
    const Embedded e = ball();
    double least = 0;
    for (std::size_t i = 0; i < e.surface.vertices.size(); ++i) {
        Vec3 x = Vec3::Zero();
        double sum = 0;
        for (int k = 0; k < 4; ++k) {
            const double w = e.embedding.weight[i][k];
            sum += w, least = std::min(least, w);
            x += w * e.tets.vertices[e.embedding.particle[i][k]];
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_LT((x - e.surface.vertices[i]).norm(), 1e-12);
    }
    EXPECT_LT(least, -0.01);  // extrapolation does happen here,
    EXPECT_GT(least, -1);     // and stays moderate
}

TEST(Embedding, PointsInsideSitInTheTetThatContainsThem) {
    const Embedded e = ball();
    std::vector<Vec3> centres;
    for (const Tet& t : e.tets.tets)
        centres.push_back((e.tets.vertices[t[0]] + e.tets.vertices[t[1]] + e.tets.vertices[t[2]] + e.tets.vertices[t[3]]) / 4);
    const Embedding inside = embed(centres, e.tets);
    for (int t = 0; t < static_cast<int>(e.tets.tets.size()); ++t) {
        EXPECT_EQ(inside.particle[t], e.tets.tets[t]);
        for (double w : inside.weight[t]) EXPECT_NEAR(w, 0.25, 1e-9);
    }
}

TEST(Embedding, AFarPointGoesToTheNearestTet) {
    TetMesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const Embedding e = embed({{2.9, 0, 0}, {3.1, 0, 0}, {100, 0, 0}, {-100, 0, 0}}, mesh);
    EXPECT_EQ(e.particle, (std::vector<Tet>{mesh.tets[0], mesh.tets[1], mesh.tets[1], mesh.tets[0]}));
}

}  // namespace
}  // namespace wobble
