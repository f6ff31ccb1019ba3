// Obstacles: distances are those of their surfaces, normals the gradients of distances, velocities the rates of poses.
#include "engine/core/file.h"
#include "engine/mesh/io/obj.h"
#include "engine/mesh/shapes/shapes.h"
#include "engine/model/contact/obstacle_mesh.h"
#include "engine/model/contact/sharp_points.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>
#include <random>

namespace wobble {
namespace {

using Kind = Obstacle::Kind;

TriMesh box_mesh(const Vec3& size) {
    TriMesh mesh;
    for (int bits = 0; bits < 8; ++bits)
        mesh.vertices.push_back(Vec3(bits & 1 ? 0.5 : -0.5, bits & 2 ? 0.5 : -0.5, bits & 4 ? 0.5 : -0.5).cwiseProduct(size));
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

Obstacle shape(Kind kind) {
    Obstacle o;
    o.kind = kind;
    o.radius = 0.3, o.length = 0.8, o.size = Vec3(0.4, 0.7, 1.1);
    o.position = Vec3(0.2, -0.1, 0.4), o.axis = Vec3(1, 2, -1), o.angle = 70;
    if (kind == Kind::mesh) o.mesh = ObstacleMesh::make(box_mesh(o.size)).value();
    return o;
}

Obstacle moving(Kind kind) {
    Obstacle o = shape(kind);
    o.keys = {{0.1, Vec3::Zero(), Vec3::UnitY(), 0},
              {0.5, Vec3(0.3, 0.1, -0.2), Vec3(1, 1, 0), 100},
              {0.8, Vec3(0.3, 0.4, -0.5), Vec3(1, 0.5, 0.2), 190},
              {1.4, Vec3(0, 0.5, -0.1), Vec3(0, 0, 1), -30}};
    o.amplitude = Vec3(0.1, 0, 0.2), o.frequency = 1.7;
    o.spin_axis = Vec3(0.2, 0, 1), o.spin = 80;
    return o;
}

class Shapes : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Obstacles, Shapes,
                         testing::Values(Kind::plane, Kind::sphere, Kind::box, Kind::capsule, Kind::cylinder, Kind::mesh),
                         [](const auto& of) { return std::string(obstacle_kinds()[static_cast<std::size_t>(of.param)].id); });

std::vector<Vec3> around(const Obstacle& o, int count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> coordinate(-0.7, 0.7);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(o.position + Vec3(coordinate(random), coordinate(random), coordinate(random)));
    return points;
}

// x - d n lies on the surface, and going there is the shortest way: what is nearer than |d| to x is on the same side.
TEST_P(Shapes, FootOfTheNormalIsOnTheSurface) {
    const Obstacle o = shape(GetParam());
    const Pose p = pose(o, 0);
    int inside = 0;
    for (const Vec3& x : around(o, 400)) {
        const Nearest found = nearest(o, p, x);
        inside += found.distance < 0;
        EXPECT_NEAR(found.normal.norm(), 1, 1e-12);
        EXPECT_NEAR(nearest(o, p, x - found.distance * found.normal).distance, 0, 1e-12);
        for (const Vec3& y : around(o, 20)) {
            const Vec3 near = x + 0.99 * std::abs(found.distance) * (y - o.position).normalized();
            EXPECT_GT(nearest(o, p, near).distance * found.distance, 0);
        }
    }
    EXPECT_GT(inside, 10);
    EXPECT_LT(inside, 390);
}

TEST_P(Shapes, NormalIsTheGradientOfTheDistance) {
    const Obstacle o = shape(GetParam());
    const Pose p = pose(o, 0);
    const double e = 1e-6;
    int compared = 0;
    for (const Vec3& x : around(o, 300)) {
        const Nearest found = nearest(o, p, x);
        Vec3 gradient, bend;
        for (int k = 0; k < 3; ++k) {
            const double up = nearest(o, p, x + e * Vec3::Unit(k)).distance, down = nearest(o, p, x - e * Vec3::Unit(k)).distance;
            gradient[k] = (up - down) / (2 * e), bend[k] = (up + down - 2 * found.distance) / e;
        }
        if (bend.norm() > 1e-3) continue;  // on the medial axis there is no gradient
        EXPECT_LT((gradient - found.normal).norm(), 1e-5);
        ++compared;
    }
    EXPECT_GT(compared, 280);
}

TEST_P(Shapes, VelocityIsTheRateOfThePose) {
    const Obstacle o = moving(GetParam());
    double fastest = 0;
    for (const double t : {0.0, 0.15, 0.3, 0.4999, 0.62, 0.9, 1.2, 1.39, 2.0})
        for (const Vec3& x : around(o, 5)) {
            const double e = 1e-6;
            const Vec3 X = pose(o, t).to_own(x);
            const Vec3 rate = (pose(o, t + e).to_world(X) - pose(o, t - e).to_world(X)) / (2 * e);
            EXPECT_LT((velocity(o, t, x) - rate).norm(), 1e-7 * (1 + rate.norm())) << t;
            fastest = std::max(fastest, rate.norm());
        }
    EXPECT_GT(fastest, 1);
    EXPECT_EQ(velocity(shape(GetParam()), 0.3, Vec3(1, 2, 3)), Vec3::Zero());
}

TEST(ObstacleMotion, KeysAreMetAndNotOvershot) {
    Obstacle o;
    o.keys = {{1, Vec3::Zero()}, {2, Vec3(0, -0.3, 0)}, {4, Vec3(0, -0.3, 0)}, {5, Vec3(0, -0.5, 0)}};
    for (const ObstacleKey& key : o.keys) EXPECT_LT((pose(o, key.t).position - key.translation).norm(), 1e-14);
    EXPECT_EQ(velocity(o, 1, Vec3::Zero()), Vec3::Zero());
    EXPECT_EQ(velocity(o, 5, Vec3::Zero()), Vec3::Zero());
    EXPECT_EQ(velocity(o, 3, Vec3::Zero()), Vec3::Zero());  // holds between equal keys
    double y = 0;
    for (double t = 0; t < 6; t += 0.01) {
        const double next = pose(o, t).position.y();
        EXPECT_LE(next, y + 1e-14);
        y = next;
    }
    EXPECT_NEAR(y, -0.5, 1e-14);
    EXPECT_NEAR(pose(o, 3).position.y(), -0.3, 1e-14);
}

TEST(ObstacleMotion, TurnsOfMoreThanHalfACircleAreTakenInFull) {
    Obstacle o;
    o.keys = {{0, Vec3::Zero(), Vec3::UnitZ(), 0}, {1, Vec3::Zero(), Vec3::UnitZ(), 540}};
    EXPECT_LT((pose(o, 0.5).turn * Vec3::UnitX() - Vec3(0, -1, 0)).norm(), 1e-12);  // 270 degrees
}

TEST(ObstacleMesh, OfABoxIsTheBox) {
    const Obstacle box = shape(Kind::box), mesh = shape(Kind::mesh);
    const Pose p = pose(box, 0);
    for (const Vec3& x : around(box, 2000)) {
        const Nearest a = nearest(box, p, x), b = nearest(mesh, p, x);
        EXPECT_NEAR(a.distance, b.distance, 1e-12);
        EXPECT_LT((x - a.distance * a.normal - (x - b.distance * b.normal)).norm() * (a.distance > 0), 1e-9);
    }
    for (const Vec3& corner : box_mesh(box.size).vertices) {  // on its surface
        const Nearest found = nearest(mesh, p, p.to_world(corner));
        EXPECT_NEAR(found.distance, 0, 1e-12);
        EXPECT_GT((p.turn.conjugate() * found.normal).dot(corner), 0);
    }
}

TEST(ObstacleMesh, LooksOutwardHoweverItsTrianglesAreTurned) {
    TriMesh inward = box_mesh(Vec3(1, 1, 1));
    for (Triangle& t : inward.triangles) std::swap(t[0], t[1]);
    std::swap(inward.triangles[3][0], inward.triangles[3][1]);  // and one that disagrees
    const auto mesh = ObstacleMesh::make(inward).value();
    EXPECT_TRUE(mesh->closed());
    EXPECT_NEAR(mesh->nearest(Vec3::Zero()).distance, -0.5, 1e-14);
    EXPECT_NEAR(mesh->nearest(Vec3(0, 2, 0)).distance, 1.5, 1e-14);
}

// The sign by the plane of the nearest triangle alone is wrong beside such a tip.
TEST(ObstacleMesh, SharpTipsHaveTheRightSides) {
    TriMesh needle;
    needle.vertices = {Vec3(0, 5, 0), Vec3(1, 0, 0.02), Vec3(-1, 0, 0.02), Vec3(0, 0, -0.02)};
    needle.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
    const auto mesh = ObstacleMesh::make(needle).value();
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    const Vec3 middle(0, 1.25, 0);
    for (int i = 0; i < 2000; ++i) {
        const Vec3 x = Vec3(0, 5, 0) + 0.5 * Vec3(normal(random), std::abs(normal(random)), normal(random));
        EXPECT_GT(mesh->nearest(x).distance, 0);
    }
    EXPECT_LT(mesh->nearest(middle).distance, 0);
}

TEST(ObstacleMesh, AnOpenOneIsSolidJustBehindItsFront) {
    TriMesh sheet;
    sheet.vertices = {Vec3(-1, 0, -1), Vec3(1, 0, -1), Vec3(1, 0, 1), Vec3(-1, 0, 1)};
    sheet.triangles = {{0, 2, 1}, {0, 3, 2}};
    const auto mesh = ObstacleMesh::make(sheet).value();
    EXPECT_FALSE(mesh->closed());
    EXPECT_NEAR(mesh->nearest(Vec3(0.2, 0.3, 0.1)).distance, 0.3, 1e-14);
    const Nearest behind = mesh->nearest(Vec3(0.2, -0.01, 0.1));
    EXPECT_NEAR(behind.distance, -0.01, 1e-14);
    EXPECT_LT((behind.normal - Vec3::UnitY()).norm(), 1e-12);
    EXPECT_NEAR(mesh->nearest(Vec3(0.2, -0.3, 0.1)).distance, 0.3, 1e-14);
    EXPECT_NEAR(mesh->nearest(Vec3(1.5, -0.01, 0)).distance, std::hypot(0.5, 0.01), 1e-14);
}

TEST(ObstacleMesh, ComesFromAFileOrSaysWhyNot) {
    const auto folder = std::filesystem::temp_directory_path() / "wobble-obstacle-test";
    std::filesystem::create_directories(folder);
    Obstacle o = shape(Kind::mesh);
    o.mesh = nullptr, o.file = folder / "box.obj";
    ASSERT_TRUE(save_obj(box_mesh(Vec3(1, 1, 1)), o.file));
    ASSERT_TRUE(load_mesh(o));
    EXPECT_LT((o.mesh->box().size() - o.size).norm(), 1e-12);
    o.file = folder / "none.obj";
    const auto missing = load_mesh(o);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.message().find("none.obj"), std::string::npos);
    std::ofstream(folder / "flat.obj") << "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n";
    o.file = folder / "flat.obj";
    const auto flat = load_mesh(o);
    ASSERT_FALSE(flat);
    EXPECT_NE(flat.message().find("flat.obj"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST_P(Shapes, SharpPointsLieOnTheSurface) {
    Obstacle o = shape(GetParam());
    for (const double spacing : {0.1, 1.0}) {
        const std::vector<Vec3> points = sharp_points(o, spacing);
        const bool round = o.kind == Kind::sphere || o.kind == Kind::capsule;
        EXPECT_EQ(points.empty(), o.kind == Kind::plane || (round && spacing < o.radius));
        for (const Vec3& X : points) EXPECT_LT(std::abs(nearest(o, Pose{}, X).distance), o.kind == Kind::cylinder ? 0.02 * o.radius : 1e-9);
        EXPECT_LE(sharp_points(o, 1e-4, 500).size(), 500u + 128u);
    }
}

// No triangle with sides of the spacing fits between the points of an edge.
TEST(SharpPoints, CoverTheEdgesOfABoxAndOfItsMesh) {
    for (const Kind kind : {Kind::box, Kind::mesh}) {
        const Obstacle o = shape(kind);
        const double spacing = 0.05;
        const std::vector<Vec3> points = sharp_points(o, spacing);
        for (int axis = 0; axis < 3; ++axis)
            for (double s = -0.5; s <= 0.5; s += 0.01) {
                Vec3 on_edge = 0.5 * o.size;
                on_edge[axis] = s * o.size[axis];
                double least = 1e300;
                for (const Vec3& X : points) least = std::min(least, (X - on_edge).norm());
                EXPECT_LE(least, 0.25 * spacing + 1e-12);
            }
        for (const Vec3& X : points) {  // edges only: not the diagonals of the faces
            const Vec3 beyond = (0.5 * o.size - X.cwiseAbs()).cwiseAbs();
            EXPECT_GE((beyond.array() < 1e-9).count(), 2);
        }
    }
}

}  // namespace
}  // namespace wobble
