#include "engine/mesh/volume/reorder.h"

#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/volume/tet_adjacency.h"
#include "engine/mesh/volume/tetrahedralize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace wobble {
namespace {

// A bar of tets with shuffled numbers.
TetMesh shuffled_bar() {
    TetrahedralizeOptions options;
    options.max_volume = 2e-4;
    TetMesh mesh = tetrahedralize(find_shape("beam")->make(find_shape("beam")->parameters, 0.1), options).value();
    std::vector<int> number(mesh.vertices.size());
    std::iota(number.begin(), number.end(), 0);
    std::shuffle(number.begin(), number.end(), std::mt19937(7));
    std::vector<Vec3> moved(mesh.vertices.size());
    for (std::size_t v = 0; v < moved.size(); ++v) moved[number[v]] = mesh.vertices[v];
    mesh.vertices = moved;
    for (Tet& t : mesh.tets)
        for (int& v : t) v = number[v];
    for (Triangle& t : mesh.boundary)
        for (int& v : t) v = number[v];
    return mesh;
}

TEST(Reorder, ShrinksTheBandAndKeepsTheBody) {
    const TetMesh before = shuffled_bar();
    TetMesh after = before;
    reorder(after);
    EXPECT_LT(bandwidth(after), bandwidth(before) / 4);
    EXPECT_EQ(after.tets.size(), before.tets.size());
    EXPECT_NEAR(volume(after), volume(before), 1e-12);
    for (const Tet& tet : after.tets) {
        EXPECT_GT(volume(after, tet), 0);
        EXPECT_EQ(tet[0], *std::min_element(tet.begin(), tet.end()));
    }
    EXPECT_TRUE(std::is_sorted(after.tets.begin(), after.tets.end(), [](const Tet& a, const Tet& b) { return a[0] < b[0]; }));
    EXPECT_NEAR(signed_volume({after.vertices, after.boundary}), volume(after), 1e-12);
    EXPECT_EQ(boundary_faces(after.tets).size(), after.boundary.size());
}

TEST(Reorder, DoesNotDependOnTheNumbersItGets) {
    TetMesh once = shuffled_bar();
    reorder(once);
    TetMesh twice = once;
    reorder(twice);
    EXPECT_LE(bandwidth(twice), bandwidth(once) * 1.3);
}

TEST(Reorder, SeparatePartsAndLooseVertices) {
    TetMesh mesh;
    mesh.vertices.assign(9, Vec3::Zero());
    for (int k : {0, 1}) {
        mesh.vertices[k] = Vec3(5.0 * k, 0, 0), mesh.vertices[2 + k] = mesh.vertices[k] + Vec3::UnitX();
        mesh.vertices[4 + k] = mesh.vertices[k] + Vec3::UnitY(), mesh.vertices[6 + k] = mesh.vertices[k] + Vec3::UnitZ();
        mesh.tets.push_back({k, 2 + k, 4 + k, 6 + k});
    }
    reorder(mesh);
    EXPECT_EQ(mesh.vertices.size(), 9u);
    EXPECT_EQ(bandwidth(mesh), 3);
    EXPECT_NEAR(volume(mesh), 1.0 / 3, 1e-15);
}

}  // namespace
}  // namespace wobble
