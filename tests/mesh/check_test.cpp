#include "engine/mesh/surface/check.h"

#include "engine/mesh/volume/body_mesh.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wobble {
namespace {

const Finding* find(const MeshReport& report, Fault fault) {
    for (const Finding& f : report.findings)
        if (f.fault == fault) return &f;
    return nullptr;
}

// The report has this fault alone, with these faces, in one sentence.
void expect_only(const TriMesh& mesh, Fault fault, const std::vector<int>& faces, const std::string& part) {
    const MeshReport report = check_surface(mesh);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].fault, fault);
    EXPECT_EQ(report.findings[0].faces, faces);
    EXPECT_NE(report.findings[0].sentence.find(part), std::string::npos) << report.findings[0].sentence;
    EXPECT_TRUE(report.findings[0].sentence.ends_with('.'));
}

std::vector<int> range(int begin, int end) {
    std::vector<int> all;
    for (int i = begin; i < end; ++i) all.push_back(i);
    return all;
}

TEST(Check, CleanCube) {
    const MeshReport report = check_surface(cube());
    EXPECT_TRUE(report.good());
    EXPECT_EQ(report.components, 1);
    EXPECT_DOUBLE_EQ(report.volume, 1);
    EXPECT_DOUBLE_EQ(report.box.diagonal(), std::sqrt(3));
}

TEST(Check, Empty) { expect_only({}, Fault::empty, {}, "no faces"); }

TEST(Check, NotFinite) {
    TriMesh mesh = cube();
    mesh.vertices[7].y() = std::numeric_limits<double>::quiet_NaN();
    expect_only(mesh, Fault::not_finite, {3, 7, 11}, "1 vertex");
}

TEST(Check, OpenNamesHolesEdgesAndPlace) {
    TriMesh mesh = cube();
    mesh.triangles.erase(mesh.triangles.begin() + 2, mesh.triangles.begin() + 4);  // the face z = 1
    const MeshReport report = check_surface(mesh);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].fault, Fault::open);
    EXPECT_NE(report.findings[0].sentence.find("1 hole with 4 open edges"), std::string::npos) << report.findings[0].sentence;
    EXPECT_NE(report.findings[0].sentence.find("(0.5, 0.5, 1)"), std::string::npos) << report.findings[0].sentence;
    EXPECT_EQ(report.findings[0].faces.size(), 4u);

    TriMesh two = cube();
    two.triangles.erase(two.triangles.begin() + 11);
    two.triangles.erase(two.triangles.begin());
    const MeshReport both = check_surface(two);
    ASSERT_NE(find(both, Fault::open), nullptr);
    EXPECT_NE(find(both, Fault::open)->sentence.find("6 open edges"), std::string::npos) << find(both, Fault::open)->sentence;
}

TEST(Check, DegenerateByIndexAndByShape) {
    TriMesh mesh = cube();
    mesh.triangles.push_back({1, 1, 2});
    expect_only(mesh, Fault::degenerate, {12}, "1 degenerate");
    TriMesh flat = cube();
    flat.vertices.push_back({0.5, 0, 0});
    flat.triangles.push_back({0, 1, 8});
    const MeshReport report = check_surface(flat);
    ASSERT_NE(find(report, Fault::degenerate), nullptr);
    EXPECT_EQ(find(report, Fault::degenerate)->faces, std::vector<int>{12});
}

TEST(Check, NonManifoldEdge) {
    TriMesh mesh = cube();
    mesh.vertices.push_back({0.5, -1, -1});
    mesh.triangles.push_back({0, 1, 8});  // a fin on the edge 0-1
    const MeshReport report = check_surface(mesh);
    const Finding* finding = find(report, Fault::non_manifold);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->faces, (std::vector<int>{0, 4, 12}));
    EXPECT_NE(finding->sentence.find("1 edge has"), std::string::npos) << finding->sentence;
}

TEST(Check, NonManifoldVertex) {
    TriMesh mesh = cube();
    add(mesh, cube(Vec3::Ones()));
    for (Triangle& t : mesh.triangles)
        for (int& v : t)
            if (v == 8) v = 7;  // both cubes share the corner (1, 1, 1)
    const MeshReport report = check_surface(mesh);
    const Finding* finding = find(report, Fault::non_manifold);
    ASSERT_NE(finding, nullptr);
    EXPECT_NE(finding->sentence.find("1 vertex joins"), std::string::npos) << finding->sentence;
    EXPECT_NE(finding->sentence.find("(1, 1, 1)"), std::string::npos) << finding->sentence;
}

TEST(Check, MisorientedNamesTheMinority) {
    TriMesh mesh = cube();
    std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
    expect_only(mesh, Fault::misoriented, {5}, "1 face turned");
}

TEST(Check, InsideOutWholeOrInPart) {
    TriMesh inverted = cube();
    for (Triangle& t : inverted.triangles) std::swap(t[0], t[1]);
    expect_only(inverted, Fault::inside_out, range(0, 12), "inside out");

    TriMesh pair = cube(Vec3::Zero(), 2);
    TriMesh other = inverted;
    for (Vec3& v : other.vertices) v += Vec3(5, 0, 0);
    add(pair, other);
    expect_only(pair, Fault::inside_out, range(12, 24), "12 faces");
}

TEST(Check, CavityIsNotInsideOut) {
    TriMesh mesh = cube(Vec3::Zero(), 3), hole = cube(Vec3::Ones());
    for (Triangle& t : hole.triangles) std::swap(t[0], t[1]);
    add(mesh, hole);
    EXPECT_TRUE(check_surface(mesh).good());
    EXPECT_EQ(check_surface(mesh).components, 2);
    EXPECT_DOUBLE_EQ(check_surface(mesh).volume, 26);
}

TEST(Check, SelfIntersectingCubes) {
    TriMesh mesh = cube();
    add(mesh, cube(Vec3(0.5, 0.5, 0.5)));
    const MeshReport report = check_surface(mesh);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].fault, Fault::self_intersecting);
    // The three faces at (1,1,1) of the first cube cut the three at (.5,.5,.5) of the second; each is two triangles, some untouched.
    for (int f : report.findings[0].faces) {
        Vec3 c = Vec3::Zero();
        for (int v : mesh.triangles[f]) c += mesh.vertices[v] / 3;
        EXPECT_TRUE(f < 12 ? c.maxCoeff() > 0.99 : c.minCoeff() < 0.51);
    }
    EXPECT_GE(report.findings[0].faces.size(), 8u);
}

TEST(Check, TouchingAndPiercingAreFound) {
    for (double height : {0.9, 1.0}) {  // a tip below or exactly on the cube's top face
        TriMesh mesh = cube();
        TriMesh tip;
        tip.vertices = {{0.4, 2, 0.3}, {0.6, 2, 0.3}, {0.5, 2, 0.6}, {0.5, height, 0.4}};
        tip.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
        add(mesh, tip);
        EXPECT_NE(find(check_surface(mesh), Fault::self_intersecting), nullptr) << height;
    }
    TriMesh apart = cube();
    add(apart, cube(Vec3(0, 1 + 1e-6, 0)));
    EXPECT_TRUE(check_surface(apart).good());
}

TEST(Check, FoldedNeighboursAreFound) {
    // A tent whose two roofs share a ridge and lie on each other.
    TriMesh flat;
    flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0.3, 1, 0}, {0.6, 0.8, 0}};
    flat.triangles = {{0, 1, 2}, {1, 0, 3}};
    EXPECT_NE(find(check_surface(flat), Fault::self_intersecting), nullptr);
    flat.vertices[3] = {0.6, -0.8, 0};  // unfolded
    EXPECT_EQ(find(check_surface(flat), Fault::self_intersecting), nullptr);
    // Two triangles at one corner in one plane: angles that overlap, and that do not.
    flat.vertices = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 1, 0}, {1, 2, 0}};
    flat.triangles = {{0, 1, 2}, {0, 3, 4}};
    EXPECT_NE(find(check_surface(flat), Fault::self_intersecting), nullptr);
    flat.vertices[3] = {-2, 1, 0}, flat.vertices[4] = {-1, -1, 0};
    EXPECT_EQ(find(check_surface(flat), Fault::self_intersecting), nullptr);
}

TEST(Check, AHundredThousandTrianglesWithOneIntruder) {
    const Shape* sphere = find_shape("sphere");
    TriMesh mesh = sphere->make({{"radius", 0.5}}, 0.0064);
    ASSERT_GT(mesh.triangles.size(), 90000u);
    EXPECT_TRUE(check_surface(mesh).good());
    const int before = static_cast<int>(mesh.triangles.size());
    add(mesh, cube(Vec3(0.4, 0.45, -0.05), 0.2));
    const MeshReport report = check_surface(mesh);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_GT(report.findings[0].faces.size(), 50u);
    EXPECT_GE(report.findings[0].faces.back(), before);
}

TEST(Check, TriangleSoupEndsSoon) {
    TriMesh soup;  // 40 000 triangles all across each other
    unsigned state = 1;
    const auto number = [&] { return static_cast<double>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24); };
    for (int t = 0; t < 40000; ++t) {
        for (int k = 0; k < 3; ++k) soup.vertices.push_back({number(), number(), number()});
        soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    const MeshReport report = check_surface(soup);
    ASSERT_NE(find(report, Fault::self_intersecting), nullptr);
    EXPECT_GE(find(report, Fault::self_intersecting)->faces.size(), 20000u);
    EXPECT_NE(find(report, Fault::self_intersecting)->sentence.find("(the search stopped there)"), std::string::npos);
}

// A closed double cone of 2 n long triangles: all of one cone have a corner in common and boxes that overlap.
TriMesh spindle(int n) {
    TriMesh mesh;
    mesh.vertices = {{0, 5, 5}, {0, -5, -5}};
    for (int k = 0; k < n; ++k) mesh.vertices.push_back({std::cos(2 * M_PI * k / n), 0, std::sin(2 * M_PI * k / n)});
    for (int k = 0; k < n; ++k) {
        const int a = 2 + k, b = 2 + (k + 1) % n;
        mesh.triangles.push_back({0, b, a});
        mesh.triangles.push_back({1, a, b});
    }
    return mesh;
}

TEST(Check, ManyLongTrianglesAroundOneCornerEndInASentence) {
    EXPECT_TRUE(check_surface(spindle(200)).good());
    const MeshReport report = check_surface(spindle(100000));
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].fault, Fault::unchecked);
    EXPECT_NE(report.findings[0].sentence.find("too entangled"), std::string::npos) << report.findings[0].sentence;
    EXPECT_EQ(report.findings[0].faces.size(), 1u);
}

TEST(Check, ManyPartsEndInASentence) {
    TriMesh dust, tet;
    tet.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tet.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const auto grow = [&](int parts) {
        while (static_cast<int>(dust.triangles.size()) < 4 * parts) {
            add(dust, tet);
            for (Vec3& v : tet.vertices) v.x() += 2;
        }
    };
    grow(10000);
    EXPECT_TRUE(check_surface(dust).good());
    grow(10001);
    expect_only(dust, Fault::too_many_parts, {}, "10001 separate parts");
}

TEST(Check, CanBeCancelledAnywhere) {
    const TriMesh mesh = spindle(1200);
    int all = 0;
    const auto count = [&](std::string_view stage, double fraction) {
        EXPECT_EQ(stage, "checking the surface");
        EXPECT_TRUE(fraction >= 0 && fraction <= 1);
        return ++all > 0;
    };
    EXPECT_TRUE(check_surface(mesh, count).good());
    EXPECT_GT(all, 5);
    for (int stop = 1; stop <= all; ++stop) {
        int calls = 0;
        const MeshReport report = check_surface(mesh, [&](std::string_view, double) { return ++calls < stop; });
        EXPECT_TRUE(report.cancelled);
        EXPECT_FALSE(report.good());
        EXPECT_EQ(calls, stop);
        calls = 0;
        const Result<BodyMesh> body = make_body(mesh, "spindle.obj", 1, {}, [&](std::string_view, double) { return ++calls < stop; });
        ASSERT_FALSE(body.ok());
        EXPECT_NE(body.message().find("cancelled"), std::string::npos) << body.message();
        if (stop > 3) stop += all / 4;
    }
}

}  // namespace
}  // namespace wobble
