#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/volume/embedding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace wobble {
namespace {

class Cloth : public testing::TestWithParam<std::pair<double, double>> {};

TEST_P(Cloth, IsAGridOfThreeKindsOfSprings) {
    const auto [width, height] = GetParam();
    BodyOptions options;
    options.resolution = 600;
    const auto made = make_body(*find_shape("cloth"), {{"width", width}, {"height", height}}, options);
    ASSERT_TRUE(made.ok()) << made.message();
    const BodyMesh& body = made.value();
    EXPECT_TRUE(body.sheet());
    const int count = static_cast<int>(body.tets.vertices.size());
    EXPECT_NEAR(count, 600, 60);
    std::set<double> columns, rows;
    for (const Vec3& x : body.tets.vertices) columns.insert(x.x()), rows.insert(x.y());
    const int m = static_cast<int>(columns.size()), n = static_cast<int>(rows.size());
    ASSERT_EQ(m * n, count);

    int of_kind[3] = {};
    std::set<std::pair<int, int>> pairs;
    const double dx = width / (m - 1), dy = height / (n - 1);
    for (const auto& [i, j, kind] : body.links) {
        ASSERT_LT(i, j);
        EXPECT_TRUE(pairs.insert({i, j}).second);
        ++of_kind[static_cast<int>(kind)];
        const Vec3 d = (body.tets.vertices[j] - body.tets.vertices[i]).cwiseAbs();
        const double along = d.x() / dx + d.y() / dy;
        if (kind == LinkKind::structural) EXPECT_NEAR(along, 1, 1e-9);
        else EXPECT_NEAR(along, 2, 1e-9);
        EXPECT_EQ(std::min(d.x(), d.y()) > 1e-9, kind == LinkKind::shear);
    }
    EXPECT_EQ(of_kind[0], m * (n - 1) + n * (m - 1));
    EXPECT_EQ(of_kind[1], 2 * (m - 1) * (n - 1));
    EXPECT_EQ(of_kind[2], m * (n - 2) + n * (m - 2));

    double area = 0;
    for (const auto& [a, b, c] : body.tets.boundary) {
        const Vec3 doubled = (body.tets.vertices[b] - body.tets.vertices[a]).cross(body.tets.vertices[c] - body.tets.vertices[a]);
        EXPECT_GT(doubled.z(), 0);  // the front looks along +z
        area += 0.5 * doubled.norm();
    }
    EXPECT_NEAR(area, width * height, 1e-9);
    // Numbered along the shorter side: neighbours are near.
    for (const auto& [i, j, kind] : body.links) EXPECT_LE(j - i, 2 * std::min(m, n));

    VecX q(3 * count);
    for (int i = 0; i < count; ++i) particle(q, i) = body.tets.vertices[i] + Vec3(0, 0, 0.1 * i);
    std::vector<Vec3f> drawn;
    deform(body.embedding, q, drawn);
    for (int i = 0; i < count; ++i) EXPECT_LT((drawn[i].cast<double>() - particle(q, i)).norm(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(WideAndTall, Cloth, testing::Values(std::pair{1.2, 0.9}, std::pair{0.5, 2.0}),
                         [](const auto& test) { return test.param.first > test.param.second ? "Wide" : "Tall"; });

}  // namespace
}  // namespace wobble
