// Bodies that meet each other and themselves, in whole Worlds: nothing passes through, nothing is gained, momentum stays.
#include "engine/mesh/volume/body_mesh.h"
#include "engine/model/contact/crossing.h"
#include "engine/sim/system_factory.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct PlacedBox {
    std::array<int, 3> cells;
    Vec3 at;
    Vec3 velocity;
    double turn = 0;  // about y
};

std::shared_ptr<const LoadedScene> boxes(const std::vector<PlacedBox>& placed, double cell, const Parameters& parameters) {
    auto loaded = std::make_shared<LoadedScene>();
    Scene& scene = loaded->scene;
    scene.name = "boxes";
    scene.bodies.resize(placed.size());
    scene.settings.bodies.resize(placed.size());
    for (std::size_t b = 0; b < placed.size(); ++b) {
        scene.bodies[b].initial_velocity = placed[b].velocity;
        scene.settings.bodies[b].parameters = parameters;
        BodyMesh one;
        one.tets = support::box_tets(placed[b].cells[0], placed[b].cells[1], placed[b].cells[2], cell);
        const Vec3 middle = bounding_box(one.tets.vertices).centre();
        const Eigen::AngleAxisd turn(placed[b].turn, Vec3::UnitY());
        for (Vec3& v : one.tets.vertices) v = turn * Vec3(v - middle) + placed[b].at;
        one.tets.boundary = support::boundary_faces(one.tets);
        one.surface = {one.tets.vertices, one.tets.boundary};
        one.embedding = embed_identically(static_cast<int>(one.tets.vertices.size()));
        loaded->ranges.push_back(append(loaded->body, one));
    }
    loaded->reports.resize(placed.size());
    return loaded;
}

// Edges of the surface that cut triangles they have no corner in common with; of two bodies only, if there are two, the second's first
// particle is `border`.
int cuts(const BodyMesh& body, const VecX& q, int border = -1) {
    std::vector<std::array<int, 2>> edges;
    for (const Triangle& t : body.tets.boundary)
        for (int k = 0; k < 3; ++k)
            if (t[k] < t[(k + 1) % 3]) edges.push_back({t[k], t[(k + 1) % 3]});
            else if (body.sheet()) edges.push_back({t[(k + 1) % 3], t[k]});
    int count = 0;
    for (const auto& [i, j] : edges) {
        const Vec3 p = particle(q, i), r = particle(q, j), low = p.cwiseMin(r), high = p.cwiseMax(r);
        for (const auto& [a, b, c] : body.tets.boundary) {
            if (i == a || i == b || i == c || j == a || j == b || j == c || (border >= 0 && (i < border) == (a < border))) continue;
            const Vec3 x = particle(q, a), y = particle(q, b), z = particle(q, c);
            if ((x.cwiseMin(y).cwiseMin(z).array() > high.array()).any() || (x.cwiseMax(y).cwiseMax(z).array() < low.array()).any())
                continue;
            count += edge_cuts_triangle(p, r, x, y, z);
        }
    }
    return count;
}

struct Moments {
    Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
};
Moments moments(const VecX& mass, const VecX& q, const VecX& v) {
    Moments m;
    for (int i = 0; i < q.size() / 3; ++i) {
        const Vec3 p = mass[3 * i] * particle(v, i);
        m.momentum += p;
        m.angular += Vec3(particle(q, i)).cross(p);
    }
    return m;
}

class BothWays : public testing::TestWithParam<const char*> {};

// Two thin beams across each other at 4 m/s, in empty space.
TEST_P(BothWays, CrossedBeamsDoNotPassThroughEachOther) {
    Parameters parameters;
    parameters.gravity = 0;
    const auto make = [&](bool contact) {
        auto scene = std::make_shared<LoadedScene>(
            *boxes({{{10, 1, 1}, {0, 0, 0}, {0, 2, 0}}, {{10, 1, 1}, {0.013, 0.1, 0.017}, {0, -2, 0}, 1.5}}, 0.05, parameters));
        scene->scene.settings.contact.bodies = contact;
        scene->scene.settings.method = GetParam();
        scene->scene.settings.policy = DivergencePolicy::halve_step;
        return scene;
    };
    const int border = make(true)->range(1).particles.begin;
    {
        World free(make(false));
        ASSERT_TRUE(free.advance_to(0.025));
        ASSERT_GT(cuts(make(false)->body, free.positions(), border), 0);  // without contact they do
    }
    const auto scene = make(true);
    World world(scene);
    const auto system = make_system(*scene, make_workers(*scene, 1));
    const Moments begun = moments(system->mass(), world.positions(), world.velocities());
    const double energy = world.energies().total();
    double contact = 0;
    for (int frame = 1; frame <= 60; ++frame) {
        ASSERT_TRUE(world.advance_to(frame / 240.0)) << world.snapshot().message;
        EXPECT_EQ(cuts(scene->body, world.positions(), border), 0) << frame;
        EXPECT_LT(world.energies().total(), 1.01 * energy) << frame;
        contact = std::max(contact, world.energies().contact);
    }
    EXPECT_GT(contact, 0.01 * energy);
    const Moments now = moments(system->mass(), world.positions(), world.velocities());
    const double size = system->total_mass() / 2 * 2;                // of one beam's momentum
    EXPECT_LT((now.momentum - begun.momentum).norm(), 1e-7 * size);  // as exactly as equations are solved
    EXPECT_LT((now.angular - begun.angular).norm(), 1e-2 * size * 0.5);
    // They part again: the upper one moves up.
    double up = 0;
    const IndexRange upper = scene->range(1).particles;
    for (int i = upper.begin; i < upper.end; ++i) up += world.velocities()[3 * i + 1] / upper.size();
    EXPECT_GT(up, 0.2);
    std::printf("%s: steps tried %ld, refused %ld, angular %.2g, energy %.4f, up %.2f, contact %.3f\n", GetParam(),
                long(world.totals().tries), long(world.totals().rejected), (now.angular - begun.angular).norm() / (size * 0.5),
                world.energies().total() / energy, up, contact / energy);
}

INSTANTIATE_TEST_SUITE_P(ContactPairs, BothWays, testing::Values("exprb2", "verlet", "implicit-euler"),
                         [](const auto& row) { return std::string(row.param) == "implicit-euler" ? "implicit_euler" : row.param; });

// A strip of cloth whose upper end is moved down past its lower one.
TEST(ContactPairs, FoldedStripNeverCutsItself) {
    const auto make = [&](bool self) {
        auto scene = std::make_shared<LoadedScene>();
        scene->body = find_shape("cloth")->make_sheet({{"width", 0.12}, {"height", 0.6}}, 160);
        RunSettings& settings = scene->scene.settings;
        settings.parameters().stiffness = 400;
        settings.parameters().density = 400;
        settings.parameters().spring_damping = 1e-3;
        settings.parameters().mass_damping = 0.5;
        PinRule upper = PinRule::above(1, 0.98), lower = PinRule::below(1, 0.02);
        upper.amplitude = Vec3(0.02, -0.75, 0.05), upper.frequency = 0.4;
        settings.pins() = {lower, upper};
        settings.contact.self = self;
        settings.policy = DivergencePolicy::halve_step;
        scene->scene.body().initial_shear = Vec3(0, 0, 0.2);
        return scene;
    };
    const auto run = [&](bool self) {
        const auto scene = make(self);
        World world(scene);
        int worst = 0;
        for (int frame = 1; frame <= 90; ++frame) {
            if (!world.advance_to(frame / 60.0)) return ADD_FAILURE() << world.snapshot().message, -1;
            worst = std::max(worst, cuts(scene->body, world.positions()));
        }
        std::printf("self %d: steps tried %ld, refused %ld, cuts %d\n", self, long(world.totals().tries), long(world.totals().rejected),
                    worst);
        return worst;
    };
    EXPECT_GT(run(false), 0);
    EXPECT_EQ(run(true), 0);
}

// One and three threads: the same bits.
TEST(ContactPairs, SameBitsForAnyNumberOfThreads) {
    Parameters parameters;
    const auto scene = boxes({{{8, 4, 8}, {0, 0, 0}, {0, 1, 0}}, {{8, 4, 8}, {0.113, 0.45, 0.017}, {0, -1, 0}, 0.5}}, 0.1, parameters);
    World one(scene, 1), three(scene, 3);
    for (int n = 0; n < 40; ++n) one.apply(StepOnce{}), one.step(), three.apply(StepOnce{}), three.step();
    EXPECT_GT(one.energies().contact, 0);
    EXPECT_EQ(one.state_hash(), three.state_hash());
}

}  // namespace
}  // namespace wobble
