// Faults made on purpose, and what repair() makes of them.
#include "engine/mesh/surface/repair.h"

#include "engine/mesh/io/obj.h"
#include "engine/mesh/surface/fill_hole.h"
#include "engine/mesh/volume/body_mesh.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wobble {
namespace {

TriMesh shape(const char* name, double edge = 0.08) { return find_shape(name)->make(find_shape(name)->parameters, edge); }

std::vector<std::pair<const char*, TriMesh>> good_meshes() {
    std::vector<std::pair<const char*, TriMesh>> all{{"cube", cube()}};
    for (const char* name : {"sphere", "torus", "bunny", "beam"}) all.emplace_back(name, shape(name));
    TriMesh hollow = cube(Vec3::Zero(), 3), hole = cube(Vec3::Ones());
    for (Triangle& t : hole.triangles) std::swap(t[0], t[1]);
    add(hollow, hole);
    all.emplace_back("hollow", hollow);
    return all;
}

bool same_bits(const TriMesh& a, const TriMesh& b) {
    return a.triangles == b.triangles && a.vertices.size() == b.vertices.size() &&
           std::memcmp(a.vertices.data(), b.vertices.data(), a.vertices.size() * sizeof(Vec3)) == 0;
}

Repaired mended(const TriMesh& mesh, const RepairOptions& options = {}) { return repair(mesh, check_surface(mesh), options); }

std::string all_of(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& s : sentences) text += s + "\n";
    return text;
}

// The fault is found before and gone after; the volume is what it was; the sentences say `part`.
void expect_mended(const TriMesh& broken, double volume, double tolerance, const std::string& part) {
    ASSERT_FALSE(check_surface(broken).good());
    const Repaired result = mended(broken);
    EXPECT_TRUE(result.report.good()) << (result.report.good() ? "" : result.report.findings[0].sentence);
    EXPECT_TRUE(check_surface(result.mesh).good());
    EXPECT_NEAR(signed_volume(result.mesh), volume, tolerance * volume);
    EXPECT_NE(all_of(result.done).find(part), std::string::npos) << all_of(result.done);
    for (const std::string& s : result.done) EXPECT_TRUE(s.ends_with('.')) << s;
    const Repaired again = mended(result.mesh);
    EXPECT_TRUE(again.done.empty()) << all_of(again.done);
}

// The faces around the vertex nearest to a place are cut out.
TriMesh with_hole(TriMesh mesh, const Vec3& place) {
    int nearest = 0;
    for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v)
        if ((mesh.vertices[v] - place).norm() < (mesh.vertices[nearest] - place).norm()) nearest = v;
    std::erase_if(mesh.triangles, [&](const Triangle& t) { return std::ranges::count(t, nearest) > 0; });
    return mesh;
}

TEST(Repair, GoodMeshesComeBackBitByBit) {
    for (const auto& [name, mesh] : good_meshes()) {
        ASSERT_TRUE(check_surface(mesh).good()) << name;
        const Repaired result = mended(mesh);
        EXPECT_TRUE(same_bits(result.mesh, mesh)) << name;
        EXPECT_TRUE(result.done.empty()) << name << ": " << all_of(result.done);
        EXPECT_TRUE(result.report.good()) << name;
    }
}

TEST(Repair, EveryTriangleWithItsOwnVerticesIsJoinedAgain) {
    for (const char* name : {"sphere", "torus", "bunny"}) {
        const TriMesh mesh = shape(name);
        TriMesh soup;
        for (const Triangle& t : mesh.triangles) {
            const int first = static_cast<int>(soup.vertices.size());
            for (int v : t) soup.vertices.push_back(mesh.vertices[v]);
            soup.triangles.push_back({first, first + 1, first + 2});
        }
        expect_mended(soup, signed_volume(mesh), 1e-12, "Merged");
        EXPECT_EQ(mended(soup).mesh.vertices.size(), mesh.vertices.size()) << name;
    }
}

TEST(Repair, ACrackIsClosed) {
    TriMesh mesh = shape("sphere");
    const double volume = signed_volume(mesh);
    // Faces right of the middle get their own corners, a hair away.
    const double hair = 2e-5 * bounding_box(mesh.vertices).diagonal();
    std::map<int, int> copy;
    const Vec3 centre = bounding_box(mesh.vertices).centre();
    for (Triangle& t : mesh.triangles) {
        const double x = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]).x() / 3;
        if (x < centre.x()) continue;
        for (int& v : t) {
            const auto [at, fresh] = copy.emplace(v, static_cast<int>(mesh.vertices.size()));
            if (fresh) mesh.vertices.push_back(mesh.vertices[v] + Vec3(hair, 0, 0));
            v = at->second;
        }
    }
    expect_mended(mesh, volume, 1e-3, "Closed cracks");
}

TEST(Repair, SmallHolesAreFilled) {
    for (const char* name : {"sphere", "torus", "bunny"}) {
        const TriMesh mesh = shape(name);
        const Box box = bounding_box(mesh.vertices);
        TriMesh broken = with_hole(with_hole(mesh, box.high), box.low);
        expect_mended(broken, signed_volume(mesh), 0.02, "Filled 2 holes");
    }
}

TEST(Repair, ALargerHoleOfAFineSphereIsFilledWithoutCuts) {
    const TriMesh mesh = shape("sphere", 0.03);
    const Box box = bounding_box(mesh.vertices);
    TriMesh broken = mesh;
    std::erase_if(broken.triangles, [&](const Triangle& t) {
        return std::ranges::all_of(t, [&](int v) { return mesh.vertices[v].y() > box.high.y() - 0.1 * box.size().y(); });
    });
    expect_mended(broken, signed_volume(mesh), 0.1, "Filled 1 hole");
}

TEST(Repair, AWideHoleIsLeftAndSaid) {
    TriMesh mesh = cube();
    mesh.triangles.erase(mesh.triangles.begin() + 2, mesh.triangles.begin() + 4);
    const Repaired result = mended(mesh);
    EXPECT_TRUE(same_bits(result.mesh, mesh));
    EXPECT_FALSE(result.report.good());
    EXPECT_EQ(result.report.findings[0].fault, Fault::open);
    ASSERT_EQ(result.left.size(), 1u);
    EXPECT_NE(result.left[0].find("1 hole open"), std::string::npos) << result.left[0];
    EXPECT_NE(result.left[0].find("50 %"), std::string::npos) << result.left[0];
    RepairOptions any;
    any.widest_hole = 1;
    EXPECT_TRUE(mended(mesh, any).report.good());
    any.longest_rim = 3;
    EXPECT_FALSE(mended(mesh, any).report.good());
}

TEST(Repair, TurnedFacesAreTurnedBack) {
    for (const char* name : {"sphere", "torus", "bunny"}) {
        TriMesh mesh = shape(name);
        const double volume = signed_volume(mesh);
        for (std::size_t f = 0; f < mesh.triangles.size(); f += 7) std::swap(mesh.triangles[f][0], mesh.triangles[f][1]);
        expect_mended(mesh, volume, 1e-12, "looked against the neighbours");
        mesh = shape(name);
        for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
        expect_mended(mesh, volume, 1e-12, "outward");
    }
}

TEST(Repair, MostFacesTurnedEndOutwardToo) {
    TriMesh mesh = shape("bunny");
    const double volume = signed_volume(mesh);
    for (std::size_t f = 0; f < mesh.triangles.size(); ++f)
        if (f % 5) std::swap(mesh.triangles[f][0], mesh.triangles[f][1]);
    expect_mended(mesh, volume, 1e-12, "outward");
}

TEST(Repair, DoubledAndLooseFacesAndUnusedVerticesGo) {
    const TriMesh sphere = shape("sphere");
    TriMesh mesh = sphere;
    const Triangle first = mesh.triangles[0];
    mesh.triangles.push_back(first);
    mesh.triangles.push_back({mesh.triangles[9][1], mesh.triangles[9][0], mesh.triangles[9][2]});
    mesh.triangles.push_back({3, 3, 4});
    const int tip = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(2 * mesh.vertices[first[0]] + Vec3(1, 1, 1));  // a fin of two faces
    mesh.vertices.push_back(2 * mesh.vertices[first[0]] + Vec3(2, 1, 1));
    mesh.triangles.push_back({first[0], first[1], tip});
    mesh.triangles.push_back({first[1], tip + 1, tip});
    mesh.vertices.push_back(Vec3(9, 9, 9));  // unused
    expect_mended(mesh, signed_volume(sphere), 1e-12, "Removed 2 loose faces");
    const Repaired result = mended(mesh);
    EXPECT_NE(all_of(result.done).find("Removed 2 faces that lay on others"), std::string::npos) << all_of(result.done);
    EXPECT_NE(all_of(result.done).find("two corners in one place"), std::string::npos) << all_of(result.done);
    EXPECT_EQ(result.mesh.vertices.size(), sphere.vertices.size());
    EXPECT_EQ(result.mesh.triangles.size(), sphere.triangles.size());
}

TEST(Repair, AWallWithinIsRemoved) {
    // A double pyramid with its base inside, twice, back to back.
    TriMesh mesh;
    mesh.vertices = {{1, 0, 0}, {-0.5, 0, 0.9}, {-0.5, 0, -0.9}, {0, 1, 0}, {0, -1, 0}};
    for (int k = 0; k < 3; ++k) {
        mesh.triangles.push_back({k, 3, (k + 1) % 3});
        mesh.triangles.push_back({(k + 1) % 3, 4, k});
    }
    const double volume = std::abs(signed_volume(mesh));
    if (signed_volume(mesh) < 0)
        for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
    mesh.triangles.push_back({0, 1, 2});
    mesh.triangles.push_back({2, 1, 0});
    expect_mended(mesh, volume, 1e-12, "Removed 2 faces that lay on others");
}

TEST(Repair, ACornerOnTheSideOfItsTriangleIsSmoothedAway) {
    // The cube's edge 0-1 has a vertex in its middle that only one of its two faces knows: a flat hole.
    TriMesh mesh = cube();
    mesh.vertices.push_back({0.5, 0, 0});
    const auto at = std::ranges::find(mesh.triangles, Triangle{0, 1, 4});
    ASSERT_NE(at, mesh.triangles.end());
    *at = {0, 8, 4};
    mesh.triangles.push_back({8, 1, 4});
    RepairOptions wide;
    wide.widest_hole = 1;
    EXPECT_FALSE(check_surface(mesh).good());
    const Repaired result = mended(mesh, wide);
    EXPECT_TRUE(result.report.good()) << (result.report.good() ? "" : result.report.findings[0].sentence) << all_of(result.done);
    EXPECT_NEAR(signed_volume(result.mesh), 1, 1e-12);
}

TEST(Repair, KeepsTheLargestPartsWhenAsked) {
    TriMesh mesh = shape("torus");
    const double volume = signed_volume(mesh);
    add(mesh, cube(Vec3(20, 0, 0), 0.1));
    add(mesh, cube(Vec3(30, 0, 0), 0.2));
    ASSERT_TRUE(check_surface(mesh).good());
    EXPECT_TRUE(same_bits(mended(mesh).mesh, mesh));
    RepairOptions one;
    one.keep_parts = 1;
    const Repaired result = mended(mesh, one);
    EXPECT_EQ(result.report.components, 1);
    EXPECT_NEAR(result.report.volume, volume, 1e-12);
    EXPECT_NE(all_of(result.done).find("largest of 3 parts"), std::string::npos) << all_of(result.done);
    RepairOptions two;
    two.keep_parts = 2;
    EXPECT_NEAR(mended(mesh, two).report.volume, volume + 0.008, 1e-6);
}

TEST(Repair, WhatCannotBeRepairedStaysAndIsSaid) {
    TriMesh crossing = cube();
    add(crossing, cube(Vec3(0.5, 0.5, 0.5)));
    Repaired result = mended(crossing);
    EXPECT_TRUE(same_bits(result.mesh, crossing));
    ASSERT_FALSE(result.report.good());
    EXPECT_EQ(result.report.findings[0].fault, Fault::self_intersecting);

    TriMesh bad = cube();
    bad.vertices[3].x() = std::nan("");
    result = mended(bad);
    EXPECT_EQ(result.report.findings[0].fault, Fault::not_finite);
    EXPECT_TRUE(result.done.empty());
    EXPECT_EQ(mended({}).report.findings[0].fault, Fault::empty);

    TriMesh strip;  // of Moebius
    constexpr int n = 24;
    for (int k = 0; k < n; ++k) {
        const double turn = 2 * M_PI * k / n;
        for (double side : {-0.3, 0.3}) {
            const double r = 1 + side * std::cos(turn / 2);
            strip.vertices.push_back({r * std::cos(turn), side * std::sin(turn / 2), r * std::sin(turn)});
        }
    }
    for (int k = 0; k < n; ++k) {
        const int a = 2 * k, b = a + 1, c = k + 1 < n ? a + 2 : 1, d = k + 1 < n ? a + 3 : 0;
        strip.triangles.push_back({a, b, c}), strip.triangles.push_back({c, b, d});
    }
    result = mended(strip);
    EXPECT_FALSE(result.report.good());
}

// Whatever comes, it ends, stays valid and never gets a fault where there was none.
TEST(Repair, RandomDamageEndsWell) {
    unsigned state = 7;
    const auto number = [&](int below) {
        return static_cast<int>(((state = state * 1664525u + 1013904223u) >> 8) % static_cast<unsigned>(below));
    };
    const TriMesh torus = shape("torus", 0.12);
    int mended_ones = 0;
    for (int round = 0; round < 60; ++round) {
        TriMesh mesh = torus;
        const int blows = 1 + number(6);
        for (int blow = 0; blow < blows; ++blow) {
            const int f = number(static_cast<int>(mesh.triangles.size())), v = number(static_cast<int>(mesh.vertices.size()));
            switch (number(5)) {
                case 0:
                    mesh.triangles.erase(mesh.triangles.begin() + f);
                    break;
                case 1:
                    std::swap(mesh.triangles[f][0], mesh.triangles[f][2]);
                    break;
                case 2:
                    mesh.triangles.push_back(mesh.triangles[f]);
                    break;
                case 3:
                    mesh.triangles[f][1] = v;
                    break;
                default:
                    mesh.triangles.push_back({v, number(static_cast<int>(mesh.vertices.size())), mesh.triangles[f][0]});
            }
        }
        const Repaired result = mended(mesh);
        for (const Triangle& t : result.mesh.triangles)
            for (int v : t) ASSERT_TRUE(v >= 0 && v < static_cast<int>(result.mesh.vertices.size()));
        mended_ones += result.report.good();
        EXPECT_EQ(result.report.good(), check_surface(result.mesh).good());
    }
    EXPECT_GT(mended_ones, 20);  // a corner moved across the body is no simple fault
}

TEST(Repair, CanBeCancelledAnywhere) {
    const TriMesh mesh = with_hole(shape("bunny"), Vec3::Zero());
    const MeshReport found = check_surface(mesh);
    int all = 0;
    ASSERT_TRUE(repair(mesh, found, {}, [&](std::string_view, double) { return ++all > 0; }).report.good());
    EXPECT_GT(all, 5);
    for (int stop = 1; stop <= all; ++stop) {
        int calls = 0;
        const Repaired result = repair(mesh, found, {}, [&](std::string_view, double) { return ++calls < stop; });
        EXPECT_TRUE(result.report.cancelled) << stop;
        EXPECT_TRUE(same_bits(result.mesh, mesh));
        EXPECT_LE(calls, stop + 1);
    }
}

TEST(Repair, AFilledBodyCanBeBuilt) {
    const TriMesh mesh = with_hole(shape("sphere"), Vec3(0, 10, 0));
    const Repaired result = mended(mesh);
    BodyOptions options;
    options.resolution = 300;
    const auto body = make_body(result.mesh, "mended", 1, options, {}, &result.report);
    ASSERT_TRUE(body) << body.message();
    EXPECT_GT(body.value().tets.tets.size(), 100u);
}

// Figure-eight rims: two holes that share one corner are two loops.
TEST(FillHole, TwoHolesWithOneCommonCornerAreTwoLoops) {
    const TriMesh sphere = shape("sphere", 0.2);
    const std::vector<EdgeUse> uses = edge_uses(sphere);
    const int v = sphere.triangles[0][0];
    std::vector<int> around;
    for (int f = 0; f < static_cast<int>(sphere.triangles.size()); ++f)
        if (std::ranges::count(sphere.triangles[f], v)) around.push_back(f);
    ASSERT_GE(around.size(), 4u);
    for (int g : around) {  // an opposite face: no common edge with the first
        int common = 0;
        for (int w : sphere.triangles[g]) common += std::ranges::count(sphere.triangles[around[0]], w) > 0;
        if (common != 1) continue;
        TriMesh mesh = sphere;
        mesh.triangles.erase(mesh.triangles.begin() + std::max(g, around[0]));
        mesh.triangles.erase(mesh.triangles.begin() + std::min(g, around[0]));
        const auto loops = hole_loops(edge_uses(mesh));
        ASSERT_EQ(loops.size(), 2u);
        EXPECT_EQ(loops[0].size(), 3u);
        EXPECT_EQ(loops[1].size(), 3u);
        expect_mended(mesh, signed_volume(sphere), 1e-12, "Filled 2 holes");
        return;
    }
    FAIL() << "no opposite face";
}

// Planar and convex: the fill has the polygon's area whatever the triangulation.
TEST(FillHole, APlanarHoleIsFilledFlat) {
    TriMesh mesh = shape("beam", 0.1);
    const double volume = signed_volume(mesh);
    const Box box = bounding_box(mesh.vertices);
    std::erase_if(mesh.triangles, [&](const Triangle& t) {
        return std::ranges::all_of(t, [&](int v) { return mesh.vertices[v].x() > box.high.x() - 1e-9; });
    });
    const Repaired result = mended(mesh);
    EXPECT_TRUE(result.report.good()) << (result.report.good() ? "" : result.report.findings[0].sentence);
    EXPECT_NEAR(signed_volume(result.mesh), volume, 1e-9);
}

}  // namespace
}  // namespace wobble
