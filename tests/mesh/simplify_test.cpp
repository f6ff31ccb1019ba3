#include "engine/mesh/surface/simplify.h"

#include "engine/mesh/surface/editable_surface.h"
#include "engine/mesh/surface/remesh.h"
#include "engine/mesh/volume/body_mesh.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

TEST(Simplify, StaysClosedManifoldAndNearTheShape) {
    for (const char* name : {"sphere", "torus", "bunny"}) {
        const TriMesh fine = find_shape(name)->make(find_shape(name)->parameters, 0.03);
        for (int wanted : {800, 300}) {
            SCOPED_TRACE(testing::Message() << name << " to " << wanted);
            const TriMesh coarse = simplify(fine, wanted);
            EXPECT_EQ(coarse.vertices.size(), static_cast<std::size_t>(wanted));
            const MeshReport report = check_surface(coarse);
            for (const Finding& f : report.findings) EXPECT_EQ(f.fault, Fault::self_intersecting) << f.sentence;
            // What chords cut off falls with the area of a triangle: 1.8 to 3.8 shares of one vertex.
            EXPECT_NEAR(report.volume / signed_volume(fine), 1, 6.0 / wanted);
            // Same genus: V - E + F with E = 3/2 F.
            const auto euler = [](const TriMesh& m) {
                return static_cast<long>(m.vertices.size()) - static_cast<long>(m.triangles.size()) / 2;
            };
            EXPECT_EQ(euler(coarse), euler(fine));
        }
    }
}

TEST(Simplify, FarFromTheOriginToo) {
    TriMesh ball = find_shape("sphere")->make({{"radius", 0.5}}, 0.05);
    const TriMesh near = simplify(ball, 200);
    for (Vec3& p : ball.vertices) p += Vec3(1000, 2000, -3000);
    const TriMesh far = simplify(ball, 200);
    EXPECT_EQ(far.vertices.size(), near.vertices.size());
    EXPECT_TRUE(check_surface(far).good());
}

TEST(Simplify, StopsWhereNothingCanGo) {
    TriMesh tet;
    tet.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tet.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    EXPECT_EQ(simplify(tet, 1).vertices.size(), 4u);
    EXPECT_GE(simplify(cube(), 1).vertices.size(), 4u);
    EXPECT_TRUE(check_surface(simplify(cube(), 1)).good());
    EXPECT_EQ(simplify(cube(), 100).vertices.size(), 8u);
}

TEST(EditableSurface, CollapseFlipSplitKeepTheSurfaceClosed) {
    EditableSurface surface(find_shape("sphere")->make({{"radius", 0.5}}, 0.2));
    std::vector<int> near;
    surface.neighbours(3, near);
    ASSERT_GE(near.size(), 5u);
    const int before = surface.vertex_count();
    const int middle = surface.split(3, near[0], 0.5 * (surface.point(3) + surface.point(near[0])));
    EXPECT_EQ(surface.vertex_count(), before + 1);
    EXPECT_EQ(surface.valence(middle), 4);
    EXPECT_TRUE(check_surface(surface.mesh()).good());
    EXPECT_TRUE(surface.collapse(near[0], middle, surface.point(near[0]), 0));
    EXPECT_EQ(surface.vertex_count(), before);
    EXPECT_TRUE(check_surface(surface.mesh()).good());
    EXPECT_FALSE(surface.flip(3, 3));
    EXPECT_FALSE(surface.collapse(3, 3, surface.point(3), 0));
    int flips = 0;
    for (int w : near) flips += surface.flip(3, w);
    EXPECT_GT(flips, 0);
    EXPECT_EQ(surface.valence(3), static_cast<int>(near.size()) - flips);
    EXPECT_TRUE(check_surface(surface.mesh()).good());
    EXPECT_FALSE(surface.collapse(3, 3000000 % before, Vec3(9, 9, 9), 0));  // would turn everything over
}

TEST(Remesh, GivesEvenEdgesOnTheTrueSurface) {
    TriMesh box = cube(Vec3(-0.5, -0.5, -0.5));
    const auto to_ball = [](const Vec3& p) { return Vec3(p.normalized() * 0.5); };
    for (Vec3& p : box.vertices) p = to_ball(p);
    const TriMesh ball = remesh(box, 0.08, 8, to_ball);
    EXPECT_TRUE(check_surface(ball).good());
    EXPECT_NEAR(signed_volume(ball), M_PI / 6, 0.02);
    for (const Vec3& p : ball.vertices) EXPECT_NEAR(p.norm(), 0.5, 0.003);
    for (const Triangle& t : ball.triangles)
        for (int k = 0; k < 3; ++k) {
            const double length = (ball.vertices[t[k]] - ball.vertices[t[(k + 1) % 3]]).norm();
            EXPECT_GT(length, 0.03);
            EXPECT_LT(length, 0.15);
        }
}

}  // namespace
}  // namespace wobble
