#include "engine/mesh/geometry.h"
#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/volume/tetrahedralize.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

namespace wobble {
namespace {

double mean_edge(const TriMesh& mesh) {
    double sum = 0;
    for (const Triangle& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) sum += (mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]).norm();
    return sum / (3.0 * static_cast<double>(mesh.triangles.size()));
}

TEST(Shapes, AreFoundByName) {
    EXPECT_EQ(shapes().size(), 6u);
    for (const Shape& shape : shapes()) EXPECT_EQ(find_shape(shape.name), &shape);
    EXPECT_EQ(find_shape("teapot"), nullptr);
    EXPECT_EQ(find_shape(""), nullptr);
}

TEST(Shapes, CleanStandingAndFilledAtSeveralEdgeLengths) {
    for (const Shape& shape : shapes())
        for (double edge : {0.05, 0.035, 0.02}) {
            if (shape.make_sheet) continue;
            SCOPED_TRACE(testing::Message() << shape.name << " with edges of " << edge);
            const TriMesh mesh = shape.make(shape.parameters, edge);
            const MeshReport report = check_surface(mesh);
            EXPECT_TRUE(report.good()) << report.findings[0].sentence;
            EXPECT_EQ(report.components, 1);
            EXPECT_NEAR(report.box.low.y(), 0, 0.01);
            EXPECT_NEAR(mean_edge(mesh) / edge, 1, 0.25);
            double worst = 1;
            for (const auto& [a, b, c] : mesh.triangles)
                worst = std::min(worst, triangle_quality(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]));
            EXPECT_GT(worst, 0.3);
            if (edge < 0.035) continue;  // filling the finest takes long
            const Result<TetMesh> tets = tetrahedralize(mesh, {});
            ASSERT_TRUE(tets.ok()) << tets.message();
            EXPECT_NEAR(volume(tets.value()), report.volume, 1e-10);
        }
}

TEST(Shapes, VolumesConvergeToTheFormulas) {
    const double ball = signed_volume(find_shape("sphere")->make({{"radius", 0.5}}, 0.03));
    EXPECT_NEAR(ball, M_PI / 6, 0.005 * M_PI / 6);
    const double ring = signed_volume(find_shape("torus")->make({{"radius", 0.4}, {"tube", 0.1}}, 0.015));
    EXPECT_NEAR(ring, 2 * M_PI * M_PI * 0.4 * 0.01, 0.01 * ring);
    const double bar = signed_volume(find_shape("beam")->make({{"length", 2}, {"width", 0.4}, {"height", 0.3}}, 0.1));
    EXPECT_NEAR(bar, 0.24, 1e-12);
    // The wire of the coil: cross-section times length, and a ball's two halves at its ends.
    const auto& p = find_shape("coil")->parameters;
    const double wire = signed_volume(find_shape("coil")->make(p, 0.01)), tube = p.at("tube");
    const double length = std::hypot(2 * M_PI * p.at("radius") * p.at("turns"), p.at("height") - 2 * tube);
    EXPECT_NEAR(wire, M_PI * tube * tube * length + 4.0 / 3 * M_PI * std::pow(tube, 3), 0.02 * wire);
}

TEST(Shapes, BunnyIsOneMetreHighAndStandsOnABroadBase) {
    const Shape* bunny = find_shape("bunny");
    const TriMesh mesh = bunny->make(bunny->parameters, 0.025);
    const Box box = bounding_box(mesh.vertices);
    EXPECT_NEAR(box.high.y(), 1, 0.02);
    Box base;
    int low = 0;
    for (const Vec3& p : mesh.vertices)
        if (p.y() < 0.05 * box.high.y()) base.low = base.low.cwiseMin(p), base.high = base.high.cwiseMax(p), ++low;
    EXPECT_GT(low, 100);
    EXPECT_GT(base.size().x(), 0.5);
    EXPECT_GT(base.size().z(), 0.4);
    // The centre of mass is above the base: it does not tip over.
    Vec3 moment = Vec3::Zero();
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3 &x = mesh.vertices[a], &y = mesh.vertices[b], &z = mesh.vertices[c];
        moment += (x + y + z) / 4 * x.dot(y.cross(z)) / 6;
    }
    const Vec3 centre = moment / signed_volume(mesh);
    EXPECT_GT(centre.x(), base.low.x() + 0.1);
    EXPECT_LT(centre.x(), base.high.x() - 0.1);
    EXPECT_LT(centre.y(), 0.4);
    // Two ears: above 90 % there is something on both sides and nothing between.
    bool left = false, right = false, between = false;
    for (const Vec3& p : mesh.vertices)
        if (p.y() > 0.9) left |= p.z() > 0.05, right |= p.z() < -0.05, between |= std::abs(p.z()) < 0.02;
    EXPECT_TRUE(left && right && !between);
}

TEST(Shapes, BunnyScales) {
    const TriMesh small = find_shape("bunny")->make({{"height", 0.2}}, 0.008), large = find_shape("bunny")->make({{"height", 5.0}}, 0.2);
    ASSERT_EQ(small.vertices.size(), large.vertices.size());
    EXPECT_NEAR(signed_volume(large) / signed_volume(small), std::pow(25, 3), 1);
}

}  // namespace
}  // namespace wobble
