// Any triangles become a body: what is inside, the cage, the whole.
#include "engine/mesh/surface/check.h"
#include "engine/mesh/surface/self_intersection.h"
#include "engine/mesh/surface/triangle_adjacency.h"
#include "engine/mesh/surface/weld.h"
#include "engine/mesh/wrap/any_body.h"
#include "engine/mesh/wrap/cage.h"
#include "engine/mesh/wrap/lattice.h"
#include "tests/mesh/support/bodies.h"
#include "tests/mesh/support/meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace wobble {
namespace {

TriMesh sphere(double edge) { return find_shape("sphere")->make(find_shape("sphere")->parameters, edge); }

TriMesh& operator+=(TriMesh& all, const TriMesh& more) {
    const int first = static_cast<int>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), more.vertices.begin(), more.vertices.end());
    for (const auto& [a, b, c] : more.triangles) all.triangles.push_back({a + first, b + first, c + first});
    return all;
}

TriMesh turned(TriMesh mesh) {
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

TriMesh boxes(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    TriMesh all;
    for (int k = 0; k < count; ++k) {
        TriMesh box = cube(Vec3::Constant(-0.5));
        const Vec3 axis = Vec3(unit(random), unit(random), unit(random)).normalized();
        const Mat3 R = Eigen::AngleAxisd(6 * unit(random), axis).toRotationMatrix();
        const Vec3 size(0.1 + 0.3 * unit(random), 0.1 + 0.3 * unit(random), 0.1 + 0.3 * unit(random));
        const Vec3 centre(unit(random), unit(random), unit(random));
        for (Vec3& p : box.vertices) p = centre + R * p.cwiseProduct(size);
        all += k % 3 == 0 ? turned(box) : box;
    }
    return all;
}

TriMesh bowl() {
    TriMesh whole = sphere(0.12);
    const Box box = bounding_box(whole.vertices);
    std::erase_if(whole.triangles, [&](const Triangle& t) {
        return std::any_of(t.begin(), t.end(), [&](int v) { return whole.vertices[v].y() > box.centre().y(); });
    });
    drop_unused_vertices(whole);
    return whole;
}

TriMesh moebius_strip() {
    constexpr int n = 40;
    TriMesh strip;
    for (int i = 0; i < n; ++i)
        for (double s : {-0.3, 0.3}) {
            const double a = 2 * M_PI * i / n;
            strip.vertices.push_back(
                {(1 + s * std::cos(a / 2)) * std::cos(a), s * std::sin(a / 2), (1 + s * std::cos(a / 2)) * std::sin(a)});
        }
    for (int i = 0; i < n; ++i) {
        const bool last = i + 1 == n;
        const int a = 2 * i, b = 2 * i + 1, c = last ? 1 : 2 * i + 2, d = last ? 0 : 2 * i + 3;
        strip.triangles.push_back({a, b, d}), strip.triangles.push_back({a, d, c});
    }
    return strip;
}

TEST(Winding, IsOneInsideOfAClosedSurfaceAndNothingOutside) {
    const TriMesh mesh = sphere(0.1);
    const TriangleTree tree(mesh);
    const Box box = bounding_box(mesh.vertices);
    const double radius = 0.5 * box.size().x();
    std::mt19937 random(1);
    std::uniform_real_distribution<double> wide(-2 * radius, 2 * radius);
    for (int k = 0; k < 300; ++k) {
        const Vec3 p(wide(random), wide(random), wide(random));
        if (std::abs(p.norm() - radius) < 0.05 * radius) continue;
        const double exact = p.norm() < radius ? 1 : 0;
        EXPECT_NEAR(tree.winding_exact(box.centre() + p), exact, 1e-10);
        EXPECT_NEAR(tree.winding(box.centre() + p), exact, 5e-2);
    }
}

TEST(Winding, TakenTogetherIsNearlyTheSameAndCountsOverlaps) {
    const TriMesh soup = boxes(60, 2), open = bowl();
    for (const TriMesh& mesh : {soup, open}) {
        const TriangleTree tree(mesh);
        std::mt19937 random(3);
        std::uniform_real_distribution<double> wide(-1, 2);
        for (int k = 0; k < 200; ++k) {
            const Vec3 p(wide(random), wide(random), wide(random));
            EXPECT_NEAR(tree.winding(p), tree.winding_exact(p), 5e-2);
        }
    }
    TriMesh two = cube();
    two += cube(Vec3(0.5, 0, 0));
    EXPECT_NEAR(TriangleTree(two).winding({0.75, 0.5, 0.5}), 2, 1e-9);
}

TEST(TriangleTree, FindsTheDistance) {
    const TriangleTree tree(cube());
    EXPECT_NEAR(tree.distance({0.5, 0.5, 1.25}, 1e9), 0.25, 1e-12);
    EXPECT_NEAR(tree.distance({0.5, 0.5, 0.5}, 1e9), 0.5, 1e-12);
    EXPECT_NEAR(tree.distance({2, 2, 2}, 1e9), std::sqrt(3.0), 1e-12);
    EXPECT_EQ(tree.distance({2, 2, 2}, 0.5), 0.5);
}

TEST(Soup, PartsAreTurnedOutwardButCavitiesStay) {
    TriMesh inside_out = turned(cube());
    EXPECT_GT(signed_volume(make_soup(inside_out).mesh), 0.99);
    TriMesh hollow = cube();
    hollow += turned(cube(Vec3::Constant(0.25), 0.5));
    EXPECT_NEAR(signed_volume(make_soup(hollow).mesh), 1 - 0.125, 1e-12);
    TriMesh doubled = cube();
    doubled += turned(cube());  // every face from both sides
    EXPECT_EQ(make_soup(doubled).mesh.triangles.size(), 12u);
}

TEST(Soup, KnowsWhatEnclosesNothing) {
    EXPECT_EQ(make_soup(cube()).sheets(), 0);
    EXPECT_EQ(make_soup(bowl()).sheets(), 1);
    TriMesh pierced = sphere(0.1);
    pierced.triangles.resize(pierced.triangles.size() - 4);
    EXPECT_EQ(make_soup(pierced).sheets(), 0) << "a small hole";
}

TriMesh cage_of(const TriMesh& mesh, double cell, double thickness) {
    Workers workers(2);
    return Cage(make_soup(mesh)).make({.cell = cell, .thickness = thickness, .smallest = 8 * cell * cell * cell}, workers);
}

// Vertices in one tilted plane are off it by nothing but rounding, which no test can tell from a cut.
TriMesh moved_a_little(TriMesh mesh, double amount) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-amount, amount);
    for (Vec3& p : mesh.vertices) p += Vec3(unit(random), unit(random), unit(random));
    return mesh;
}

TEST(Cage, OfAnySoupIsClosedManifoldAndHoldsIt) {
    TriMesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0.2}}, {{0, 1, 2}}};
    for (const TriMesh& mesh : {boxes(12, 4), bowl(), moebius_strip(), triangle}) {
        const double cell = bounding_box(mesh.vertices).size().maxCoeff() / 30;
        const TriMesh cage = cage_of(mesh, cell, 3 * cell);
        const MeshReport report = check_surface(moved_a_little(cage, 1e-6 * cell));
        // Marching leaves triangles that are small, not cuts.
        for (const Finding& finding : report.findings) EXPECT_EQ(finding.fault, Fault::degenerate) << finding.sentence;
        EXPECT_TRUE(self_intersections(moved_a_little(cage, 1e-6 * cell)).none());
        EXPECT_GT(signed_volume(cage), 0);
        const TriangleTree tree(cage);
        for (const Vec3& p : mesh.vertices) EXPECT_TRUE(tree.winding(p) > 0.5 || tree.distance(p, 1e9) < 1.5 * cell) << p.transpose();
    }
}

TEST(Cage, OfASphereLiesWithinACellOfIt) {
    const TriMesh mesh = sphere(0.05);
    const double cell = bounding_box(mesh.vertices).size().x() / 30;
    const TriMesh cage = cage_of(mesh, cell, 3 * cell);
    const TriangleTree true_surface(mesh);
    for (const Vec3& p : cage.vertices) EXPECT_LT(true_surface.distance(p, 1e9), cell);
    EXPECT_NEAR(signed_volume(cage) / signed_volume(mesh), 1, 0.02);
}

TEST(Cage, KeepsThinWallsAndCavities) {
    TriMesh plate = cube();
    for (Vec3& p : plate.vertices) p.y() *= 0.01;
    plate += cube(Vec3(0.4, -0.1, 0.4), 0.2);  // it cuts through
    const TriMesh cage = cage_of(plate, 0.04, 0.12);
    int count = 0;
    components(cage, count);
    EXPECT_EQ(count, 1) << "the plate is thinner than a cell";
    EXPECT_NEAR(bounding_box(cage.vertices).size().x(), 1.1, 0.06);

    TriMesh hollow = sphere(0.1), inner = turned(sphere(0.1));
    const Vec3 centre = bounding_box(hollow.vertices).centre();
    for (Vec3& p : inner.vertices) p = centre + 0.8 * (p - centre);
    hollow += inner;
    const TriMesh shell = cage_of(hollow, bounding_box(hollow.vertices).size().x() / 60, 0);
    EXPECT_NEAR(signed_volume(shell) / signed_volume(hollow), 1, 0.1) << "the inside stays empty";
}

TEST(Cage, DoesNotDependOnTheNumberOfThreads) {
    const Cage cage(make_soup(boxes(8, 5)));
    Workers one(1), three(3);
    const CageOptions options{.cell = 0.05, .thickness = 0.15, .smallest = 0.001};
    EXPECT_EQ(cage.make(options, one).vertices, cage.make(options, three).vertices);
}

TEST(Lattice, OfACubeFillsIt) {
    const TetMesh mesh = fill_with_cubes(cube(), 0.25);
    EXPECT_NEAR(volume(mesh), 1, 1e-12);
    EXPECT_EQ(mesh.vertices.size(), 125u);
    EXPECT_EQ(mesh.boundary.size(), 6u * 16 * 2);
    EXPECT_EQ(fill_with_cubes(cube(), 5).tets.size(), 6u) << "at least one cube";
}

WrappedBody body_of(const TriMesh& mesh, SurfaceUse as, int wanted) {
    Result<WrappedBody> body = make_any_body(mesh, "thing.obj", {.as = as, .size = 1, .body = resolution(wanted)});
    EXPECT_TRUE(body.ok()) << body.message();
    return body.ok() ? std::move(body).value() : WrappedBody{};
}

TEST(WrappedBody, WrapsWhatIsNotSolidAndDrawsTheWholeOriginal) {
    TriMesh two = cube();
    two += cube(Vec3(0.5, 0.5, 0.5));
    TriMesh open = sphere(0.1);
    open.triangles.resize(open.triangles.size() - 4);
    for (const TriMesh& mesh : {two, open, bowl(), moebius_strip()}) {
        const WrappedBody made = body_of(mesh, SurfaceUse::automatic, 300);
        EXPECT_EQ(made.used, SurfaceUse::wrap);
        EXPECT_NE(made.sentence.find("thing.obj"), std::string::npos);
        EXPECT_NE(made.sentence.find("wrapped"), std::string::npos);
        ASSERT_GE(made.body.surface.vertices.size(), mesh.vertices.size());
        EXPECT_GE(made.body.surface.triangles.size(), mesh.triangles.size());
        const double scale = 1 / bounding_box(mesh.vertices).size().maxCoeff();
        EXPECT_NEAR(area(made.body.surface), scale * scale * area(mesh), 1e-9);
        for (std::size_t v = 1; v < mesh.vertices.size(); ++v)  // the first ones, in their order
            EXPECT_NEAR((made.body.surface.vertices[v] - made.body.surface.vertices[0]).norm(),
                        scale * (mesh.vertices[v] - mesh.vertices[0]).norm(), 1e-9);
        EXPECT_LT(std::abs(std::log(static_cast<double>(made.body.tets.vertices.size()) / 300)), std::log(2.5));
        const TetQuality q = quality(made.body.tets);
        EXPECT_GT(q.worst, 0);
        VecX rest(3 * made.body.tets.vertices.size());
        for (std::size_t v = 0; v < made.body.tets.vertices.size(); ++v) particle(rest, static_cast<int>(v)) = made.body.tets.vertices[v];
        std::vector<Vec3f> drawn;
        deform(made.body.embedding, rest, drawn);
        for (std::size_t i = 0; i < drawn.size(); ++i) ASSERT_LT((drawn[i].cast<double>() - made.body.surface.vertices[i]).norm(), 1e-5);
    }
}

TEST(WrappedBody, LeavesGoodSurfacesAndPutsTurnedOnesInOrder) {
    EXPECT_EQ(body_of(cube(), SurfaceUse::automatic, 100).sentence, "");
    const WrappedBody made = body_of(turned(cube()), SurfaceUse::automatic, 100);
    EXPECT_EQ(made.used, SurfaceUse::solid);
    EXPECT_NEAR(volume(made.body.tets), 1, 1e-9);
    EXPECT_NE(made.sentence.find("inside out"), std::string::npos);
    EXPECT_EQ(body_of(cube(), SurfaceUse::wrap, 100).used, SurfaceUse::wrap);
}

TEST(WrappedBody, DividesLargeTrianglesForDrawing) {
    const WrappedBody made = body_of(cube(), SurfaceUse::automatic, 300);
    EXPECT_GT(made.body.surface.triangles.size(), 100u) << "a cube of 12 triangles could not bulge";
    EXPECT_TRUE(check_surface(made.body.surface).good()) << "no cracks";
    EXPECT_NEAR(area(made.body.surface), 6, 1e-12);
}

TEST(WrappedBody, RefusesWhatHasNoShape) {
    const auto message = [](const TriMesh& mesh, SurfaceUse as) {
        const Result<WrappedBody> body = make_any_body(mesh, "thing.obj", {.as = as, .size = 1, .body = resolution(100)});
        return body.ok() ? std::string("fine") : body.message();
    };
    TriMesh bad = cube();
    bad.vertices[3].x() = std::nan("");
    EXPECT_NE(message(bad, SurfaceUse::wrap).find("not finite"), std::string::npos);
    EXPECT_NE(message({}, SurfaceUse::automatic).find("no faces"), std::string::npos);
    const TriMesh point{{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}, {{0, 1, 2}}};
    EXPECT_NE(message(point, SurfaceUse::automatic).find("one point"), std::string::npos);
    EXPECT_NE(message(bowl(), SurfaceUse::solid).find("not closed"), std::string::npos);
}

TEST(Sheet, OfABowlHasItsAreaAndSprings) {
    const TriMesh mesh = bowl();
    const WrappedBody made = body_of(mesh, SurfaceUse::sheet, 400);
    EXPECT_TRUE(made.body.sheet());
    EXPECT_EQ(made.used, SurfaceUse::sheet);
    const TriMesh sheet{made.body.tets.vertices, made.body.tets.boundary};
    EXPECT_NEAR(area(sheet) / area(made.body.surface), 1, 0.05);
    long bending = 0;
    for (const Link& link : made.body.links) {
        EXPECT_LT(link.i, link.j);
        bending += link.kind == LinkKind::bending;
    }
    // One over every inner edge; 3 F = 2 inner + rim.
    EXPECT_GT(bending, static_cast<long>(sheet.triangles.size()));
    VecX rest(3 * sheet.vertices.size());
    for (std::size_t v = 0; v < sheet.vertices.size(); ++v) particle(rest, static_cast<int>(v)) = sheet.vertices[v];
    std::vector<Vec3f> drawn;
    deform(made.body.embedding, rest, drawn);
    for (std::size_t i = 0; i < drawn.size(); ++i) ASSERT_LT((drawn[i].cast<double>() - made.body.surface.vertices[i]).norm(), 0.03);
}

}  // namespace
}  // namespace wobble
