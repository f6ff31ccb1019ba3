#include "engine/mesh/surface/even_surface.h"

#include "engine/mesh/surface/creases.h"
#include "engine/mesh/surface/editable_surface.h"
#include "engine/mesh/surface/fit_surface.h"
#include "engine/mesh/surface/remesh.h"
#include "engine/mesh/surface/triangle_adjacency.h"
#include "engine/mesh/volume/tet_adjacency.h"
#include "tests/mesh/support/bodies.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wobble {
namespace {

TriMesh box(const Vec3& size) {
    TriMesh mesh = cube();
    for (Vec3& p : mesh.vertices) p = p.cwiseProduct(size);
    return mesh;
}

TriMesh shape(const char* name, double edge) { return find_shape(name)->make(find_shape(name)->parameters, edge); }

TriMesh ball(double radius, double edge) {  // around the origin
    TriMesh mesh = find_shape("sphere")->make({{"radius", radius}}, edge);
    const Vec3 centre = bounding_box(mesh.vertices).centre();
    for (Vec3& p : mesh.vertices) p = (p - centre).normalized() * radius;
    return mesh;
}

TriMesh inside_out(TriMesh mesh) {
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

// Many small and thin triangles where x > 0, as scans and models have them.
TriMesh uneven(const TriMesh& even) {
    EditableSurface surface(even);
    std::vector<int> near;
    const int count = surface.vertex_slots();
    for (int v = 0; v < count; v += 3) {
        if (!(surface.point(v).x() > 0)) continue;
        surface.neighbours(v, near);
        const Vec3 bulge = 0.003 * surface.normal(v);
        for (int w : near) surface.split(v, w, 0.8 * surface.point(v) + 0.2 * surface.point(w) + bulge);
    }
    return surface.mesh();
}

// A many-pointed star with straight walls: sharp edges that meet at small angles, long thin triangles.
TriMesh star(double height) {
    constexpr int n = 10;
    TriMesh mesh;
    for (double y : {0.0, height})
        for (int i = 0; i < n; ++i) {
            const double r = i % 2 ? 0.12 : 0.5;
            mesh.vertices.emplace_back(r * std::cos(M_PI * i / 5), y, r * std::sin(M_PI * i / 5));
        }
    mesh.vertices.emplace_back(0, 0, 0), mesh.vertices.emplace_back(0, height, 0);
    for (int i = 0; i < n; ++i) {
        const int k = (i + 1) % n;
        for (const Triangle& t : {Triangle{2 * n, i, k}, {2 * n + 1, n + k, n + i}, {i, n + i, k}, {k, n + i, n + k}})
            mesh.triangles.push_back(t);
    }
    return mesh;
}

TriMesh cone(int n, double height) {
    TriMesh mesh;
    for (int i = 0; i < n; ++i) mesh.vertices.emplace_back(0.2 * std::cos(2 * M_PI * i / n), 0, 0.2 * std::sin(2 * M_PI * i / n));
    mesh.vertices.emplace_back(0, 0, 0), mesh.vertices.emplace_back(0, height, 0);
    for (int i = 0; i < n; ++i) mesh.triangles.push_back({n, i, (i + 1) % n}), mesh.triangles.push_back({n + 1, (i + 1) % n, i});
    return mesh;
}

long euler(const TriMesh& m) { return static_cast<long>(m.vertices.size()) - static_cast<long>(m.triangles.size()) / 2; }

// The outside of a body as a surface of its own.
TriMesh skin(const TetMesh& tets) {
    EditableSurface compact({tets.vertices, tets.boundary});
    return compact.mesh();
}

void expect_like(const TriMesh& surface, const Result<BodyMesh>& body, int wanted) {
    ASSERT_TRUE(body.ok()) << body.message();
    const TetMesh& tets = body.value().tets;
    EXPECT_NEAR(std::log(static_cast<double>(tets.vertices.size()) / wanted), 0, 0.25);
    EXPECT_NEAR(volume(tets) / signed_volume(body.value().surface), 1, 0.02);
    int parts = 0, parts_before = 0;
    components(skin(tets), parts), components(surface, parts_before);
    EXPECT_EQ(parts, parts_before);
    EXPECT_EQ(euler(skin(tets)), euler(surface));
    EXPECT_EQ(body.value().surface.vertices.size(), surface.vertices.size());  // drawn is what the file has
    const Box drawn = bounding_box(body.value().surface.vertices), simulated = bounding_box(tets.vertices);
    EXPECT_LT((drawn.low - simulated.low).norm() + (drawn.high - simulated.high).norm(), 0.1 * drawn.diagonal());
    expect_sound(body.value());
}

TEST(EvenBody, SmallTrianglesMakeNoLightVertices) {
    for (const char* name : {"bunny", "torus"}) {
        SCOPED_TRACE(name);
        const TriMesh surface = uneven(shape(name, 0.06));
        const Result<BodyMesh> kept = make_body(surface, "kept", 1, {});
        ASSERT_TRUE(kept.ok()) << kept.message();
        const int wanted = static_cast<int>(kept.value().tets.vertices.size());
        const Result<BodyMesh> even = make_body(surface, "even", 1, resolution(wanted));
        expect_like(surface, even, wanted);
        EXPECT_GT(lightest_vertex(even.value().tets), 10 * lightest_vertex(kept.value().tets));
        EXPECT_GT(lightest_vertex(even.value().tets), 0.01);  // the tips of the ears
    }
}

TEST(EvenBody, WorksForAllKindsOfSolids) {
    TriMesh two = cube(), shell = ball(0.5, 0.08), hollow = cube();
    TriMesh other = ball(0.5, 0.2);
    for (Vec3& p : other.vertices) p += Vec3(2, 0.5, 0.5);
    add(two, other);
    add(shell, inside_out(ball(0.35, 0.06)));
    add(hollow, inside_out(cube(Vec3(0.25, 0.25, 0.25), 0.5)));
    const std::pair<const char*, TriMesh> solids[] = {{"box", cube()},
                                                      {"slab", box({1, 0.05, 0.7})},
                                                      {"plate", box({1, 0.01, 1})},
                                                      {"rod", box({1, 0.03, 0.03})},
                                                      {"torus", uneven(shape("torus", 0.1))},
                                                      {"two parts", two},
                                                      {"shell", shell},
                                                      {"box with a cavity", hollow},
                                                      {"star", star(0.2)},
                                                      {"thin star", star(0.03)},
                                                      {"cone", cone(30, 1.5)}};
    for (const auto& [name, surface] : solids)
        for (int wanted : {300, 2000}) {
            SCOPED_TRACE(testing::Message() << name << " at " << wanted);
            expect_like(surface, make_body(surface, name, 1, resolution(wanted)), wanted);
        }
}

TEST(EvenBody, IsEvenWhereNothingIsInTheWay) {
    TriMesh shell = ball(0.5, 0.08), hollow = cube();
    add(shell, inside_out(ball(0.3, 0.06)));
    add(hollow, inside_out(cube(Vec3(0.25, 0.25, 0.25), 0.5)));
    for (const TriMesh& surface : {cube(), ball(0.5, 0.05), shell, hollow}) EXPECT_FALSE(EvenSurface(surface).make(0.1).empty());
}

// Coordinates of a map: the volume of a house is lost in the rounding of tets with the origin.
TEST(EvenBody, FarFromTheOriginToo) {
    for (const double sign : {1.0, -1.0}) {
        TriMesh surface = box({4, 3, 5});
        for (Vec3& p : surface.vertices) p += sign * Vec3(5e5, 5e6, 200);
        EXPECT_NEAR(signed_volume(surface), 60, 1e-5);
        const Result<BodyMesh> body = make_body(surface, "house", 0, resolution(200));
        ASSERT_TRUE(body.ok()) << body.message();
        EXPECT_NEAR(volume(body.value().tets), 60, 0.1);
        EXPECT_NEAR(std::log(static_cast<double>(body.value().tets.vertices.size()) / 200), 0, 0.25);
    }
}

TEST(EvenBody, BoxesKeepTheirEdgesAndCorners) {
    const TriMesh surface = box({1, 0.4, 0.6});
    for (int wanted : {100, 1000}) {
        const Result<BodyMesh> body = make_body(surface, "box", 0, resolution(wanted));
        ASSERT_TRUE(body.ok()) << body.message();
        EXPECT_NEAR(volume(body.value().tets), 0.24, 1e-6);
        for (const Vec3& corner : surface.vertices) {
            double nearest = 1;
            for (const Vec3& p : body.value().tets.vertices) nearest = std::min(nearest, (p - corner).norm());
            EXPECT_LT(nearest, 1e-6);
        }
        EXPECT_GT(lightest_vertex(body.value().tets), 0.05);
    }
}

TEST(EvenBody, HugeMeshesToo) {
    const TriMesh surface = ball(0.5, 0.008);
    ASSERT_GT(surface.triangles.size(), 100000u);
    expect_like(surface, make_body(surface, "ball", 1, resolution(1000)), 1000);
}

TEST(EvenBody, IsTheSameEveryTime) {
    const TriMesh surface = uneven(shape("bunny", 0.08));
    const Result<BodyMesh> a = make_body(surface, "a", 1, resolution(800)), b = make_body(surface, "b", 1, resolution(800));
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(a.value().tets.tets, b.value().tets.tets);
    EXPECT_EQ(a.value().tets.vertices, b.value().tets.vertices);
}

TEST(EvenBody, WhatCannotBeEvenIsFilledAsItIs) {
    TriMesh shell = ball(0.5, 0.08);
    add(shell, inside_out(ball(0.499, 0.08)));  // even triangles of this size would cut through the other side
    ASSERT_TRUE(check_surface(shell).good());
    EXPECT_TRUE(EvenSurface(shell).make(0.3).empty());
    const Result<BodyMesh> body = make_body(shell, "shell", 0, resolution(100));
    ASSERT_TRUE(body.ok()) << body.message();
    expect_sound(body.value());
    EXPECT_NEAR(volume(body.value().tets) / signed_volume(shell), 1, 0.1);
}

TEST(EvenBody, CancelStopsEverywhere) {
    const TriMesh surface = uneven(shape("bunny", 0.08));
    int all = 0;
    const auto by_the_clock = [](std::string_view stage) { return stage == "filling with tetrahedra"; };  // their number varies
    ASSERT_TRUE(make_body(surface, "x", 1, resolution(500), [&](std::string_view stage, double) {
                    return all += !by_the_clock(stage), true;
                }).ok());
    bool evening = false;
    for (int stop = 1; stop <= all; stop += 1 + all / 25) {
        int calls = 0;
        const Result<BodyMesh> body = make_body(surface, "x", 1, resolution(500), [&](std::string_view stage, double fraction) {
            EXPECT_TRUE(fraction >= 0 && fraction <= 1) << stage;
            evening |= stage == "evening out the surface";
            calls += !by_the_clock(stage);
            return calls < stop;
        });
        ASSERT_FALSE(body.ok());
        EXPECT_NE(body.message().find("cancelled"), std::string::npos) << body.message();
        EXPECT_LE(calls, stop + 5);  // who made what is given up may ask once more each
    }
    EXPECT_TRUE(evening);
}

TEST(Remesh, KeepsCreases) {
    const TriMesh surface = cube();
    const RemeshGuide flat{.project = [](const Vec3& p, const Vec3&) { return p; },
                           .creases = find_creases(surface, 0.1),
                           .project_to_line = [](const Vec3& p, int) { return p; }};
    EXPECT_EQ(flat.creases.size(), 12u);
    const TriMesh even = remesh(surface, 0.1, 8, flat);
    EXPECT_NEAR(signed_volume(even), 1, 1e-12);
    EXPECT_GT(even.vertices.size(), 500u);
    EXPECT_LT(even.vertices.size(), 1000u);
    EXPECT_TRUE(find_creases(ball(0.5, 0.1), 0.1).empty());
    EXPECT_EQ(pointed_vertices(cone(20, 1)).size(), 1u);
}

TEST(FitSurface, KeepsTheVolumeOfABall) {
    const TriMesh fine = ball(0.5, 0.04);
    TriMesh coarse = ball(0.5, 0.25);
    EXPECT_LT(signed_volume(coarse), 0.97 * signed_volume(fine));
    ASSERT_TRUE(fit_surface(coarse, fine, 0.25));
    EXPECT_NEAR(signed_volume(coarse) / signed_volume(fine), 1, 0.005);
    EXPECT_TRUE(check_surface(coarse).good());
    EXPECT_FALSE(fit_surface(coarse, fine, 0.25, [](double) { return false; }));
}

TEST(NearestPoint, StaysOnItsSideOfAThinWall) {
    const NearestPoint nearest(box({1, 0.01, 1}));
    const Vec3 p(0.5, 0.002, 0.5);
    EXPECT_NEAR(nearest(p).y(), 0, 1e-12);
    EXPECT_NEAR(nearest.facing(p, Vec3(0, 1, 0), 0.1).y(), 0.01, 1e-12);
    EXPECT_NEAR(nearest.facing(p, Vec3(0, 1, 0), 0.001).y(), 0, 1e-12);  // nothing like it within reach
}

// A box and, beyond corner a of one of its outer faces a, b, c, a point that no flip can reach.
struct Spiked {
    TetMesh mesh;
    int a = 0, b = 0, c = 0;
    Spiked() {
        mesh = make_body(cube(), "box", 1, resolution(200)).value().tets;
        const Rows around = tets_of_vertices(mesh.tets, static_cast<int>(mesh.vertices.size()));
        for (const auto& [i, j, k] : mesh.boundary)  // of corners that can spare a tet
            if (around.count(i) > 6 && around.count(j) > 6 && around.count(k) > 6) a = i, b = j, c = k;
        EXPECT_NE(a, b);
    }
    int add(double beyond, double height) {
        const Vec3 x = mesh.vertices[a], y = mesh.vertices[b], z = mesh.vertices[c];
        mesh.vertices.push_back(x + beyond * (x - 0.5 * (y + z)) + height * (y - x).cross(z - x).normalized());
        return static_cast<int>(mesh.vertices.size()) - 1;
    }
    void expect_sound() const {
        for (const Tet& tet : mesh.tets) {
            for (int v : tet) ASSERT_TRUE(v >= 0 && v < static_cast<int>(mesh.vertices.size()));
            EXPECT_GT(volume(mesh, tet), 0);
        }
    }
};

TEST(Quality, TrimsSmallTetsThatStickOut) {
    for (const bool trim : {false, true}) {
        Spiked spiked;
        const std::size_t tets = spiked.mesh.tets.size();
        const int v = spiked.add(0.5, 0.02);
        spiked.mesh.tets.push_back({spiked.a, spiked.b, spiked.c, v});
        ASSERT_GT(volume(spiked.mesh, spiked.mesh.tets.back()), 0);
        ASSERT_EQ(quality(spiked.mesh).weak_vertices, 1);
        strengthen_weak_vertices(spiked.mesh, trim);
        spiked.expect_sound();
        EXPECT_EQ(spiked.mesh.tets.size() == tets, trim) << "otherwise it is split";
    }
}

// The second point is held by a tet that is gone once the first has been looked at.
TEST(Quality, TrimsASpikeOnASpike) {
    Spiked spiked;
    const int u = spiked.add(0.5, 0.02), w = spiked.add(1.0, 0.03);
    Tet first{spiked.a, spiked.b, u, w}, second{spiked.a, spiked.b, spiked.c, u};
    if (volume(spiked.mesh, first) < 0) std::swap(first[2], first[3]);
    spiked.mesh.tets.push_back(first);
    spiked.mesh.tets.push_back(second);
    ASSERT_GT(volume(spiked.mesh, second), 0);
    strengthen_weak_vertices(spiked.mesh, true);
    spiked.expect_sound();
}

}  // namespace
}  // namespace wobble
