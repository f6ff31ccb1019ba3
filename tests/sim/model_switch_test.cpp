// Switching what a moving body is made of, wishes to a running World, and a body that was torn inside out.
#include "engine/scene/scene_file.h"
#include "engine/scene/softness.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <numbers>

namespace wobble {
namespace {

using Kind = ElasticModel::Kind;
using support::small_scene;

TEST(ModelSwitch, KeepsTheMotionAndTheFrequency) {
    const auto scene = small_scene();
    World world(scene, 1);
    ASSERT_TRUE(world.advance_to(0.05));
    const VecX q = world.positions(), v = world.velocities();
    const double before = slowest_wobble(*scene, world.snapshot().settings, 0);
    for (const Kind kind : {Kind::neo_hookean, Kind::corotational, Kind::springs}) {
        world.apply(SetModel{kind});
        const Snapshot shot = world.snapshot();
        EXPECT_EQ(shot.message, "");
        EXPECT_EQ(body_model(shot.scene->scene, shot.settings, 0).kind, kind);
        EXPECT_EQ(world.positions(), q);
        EXPECT_EQ(world.velocities(), v);
        EXPECT_NEAR(slowest_wobble(*scene, shot.settings, 0), before, 1e-3 * before);
        EXPECT_LT(shot.energies.drift(), 0.01) << "a switch is no energy error";
    }
    world.apply(SetModel{Kind::neo_hookean});
    ASSERT_TRUE(world.advance_to(0.2));
    EXPECT_LT(world.energies().drift(), 0.05);
    world.apply(SetModel{Kind::neo_hookean, 3});
    EXPECT_NE(world.snapshot().message, "");
}

TEST(ModelSwitch, TheSameCommandsGiveTheSameBitsForAnyNumberOfThreads) {
    std::uint64_t hash[3];
    for (int threads = 1; threads <= 3; ++threads) {
        World world(small_scene({}, 20, 8), threads);
        world.step();
        world.apply(SetModel{Kind::neo_hookean});
        for (int i = 0; i < 3; ++i) world.step();
        world.apply(SetParameter{"wobble", 3});
        world.apply(SetParameter{"damping_ratio", 0.05});
        for (int i = 0; i < 3; ++i) world.step();
        world.apply(SetModel{Kind::corotational});
        for (int i = 0; i < 3; ++i) world.step();
        hash[threads - 1] = world.state_hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
    EXPECT_EQ(hash[0], hash[2]);
}

TEST(ModelSwitch, WishesToARunningWorldAreFulfilledAtOnce) {
    const auto scene = small_scene();
    World world(scene, 1);
    world.apply(SetModel{Kind::neo_hookean});
    world.apply(SetParameter{"wobble", 3});
    world.apply(SetParameter{"damping_ratio", 0.02});
    const Snapshot shot = world.snapshot();
    EXPECT_EQ(shot.message, "");
    EXPECT_EQ(shot.settings.parameters().wobble, 0);
    EXPECT_NEAR(slowest_wobble(*scene, shot.settings, 0), 3, 3e-3);
    EXPECT_NEAR(shot.settings.parameters().damping, 0.02 / (std::numbers::pi * 3), 1e-5);
    world.apply(SetParameter{"wobble", 1e4});
    EXPECT_NE(world.snapshot().message.find("out of reach"), std::string::npos);
    EXPECT_NEAR(slowest_wobble(*scene, world.snapshot().settings, 0), 3, 3e-3);
}

// A hand pulls a corner through the body, far and fast, so that tetrahedra turn inside out; let go, the body finds its shape again.
TEST(ModelSwitch, ABodyPulledInsideOutComesBack) {
    Parameters soft;
    soft.gravity = 0, soft.wobble = 2.5, soft.damping_ratio = 0.05, soft.poisson = 0.4;
    auto loaded = std::make_shared<LoadedScene>(*small_scene(soft, 6, 2));
    loaded->scene.body().model.kind = Kind::neo_hookean;
    ASSERT_TRUE(fulfil_wishes(*loaded, loaded->scene.settings, -1));
    World world(loaded, 1);
    const VecX rest = world.positions();
    const auto& triangles = loaded->body.surface.triangles;
    int end = 0;  // a triangle at the free end
    for (int k = 0; k < static_cast<int>(triangles.size()); ++k)
        if (loaded->body.surface.vertices[triangles[k][0]].x() > loaded->body.surface.vertices[triangles[end][0]].x()) end = k;
    int most = 0;
    world.apply(SetParameter{"wobble", 0.4});  // a hand pulls with at most three times the body's weight
    for (const Vec3& target : {Vec3(-0.6, 0.2, 0.2), Vec3(1.5, -1.5, 0.2), Vec3(-0.5, 1, -1), Vec3(0.3, 0.2, 0.2)}) {
        world.apply(Grab{end, Vec3(1, 0, 0), target});
        const double until = world.time() + 0.4;
        while (world.time() < until) {
            ASSERT_TRUE(world.step_towards(until)) << world.snapshot().message;
            most = std::max(most, world.snapshot().inverted);
        }
        world.apply(Release{});
    }
    EXPECT_GT(most, 0) << "the hand was too gentle for this test";
    world.apply(SetParameter{"wobble", 2.5});
    const double end_time = world.time() + 8;
    ASSERT_TRUE(world.advance_to(end_time)) << world.snapshot().message;
    EXPECT_EQ(world.snapshot().inverted, 0);
    const double size = 1.2, rms = (world.positions() - rest).norm() / std::sqrt(static_cast<double>(rest.size()) / 3);
    EXPECT_LT(rms, 0.02 * size);
}

// The first things a newcomer does: makes the default bunny much too soft and throws it about by an ear. Made as stiff as before, it comes
// to the same rest as if nothing had happened.
TEST(ModelSwitch, TheDefaultBunnyComesBackFromStrongGrabs) {
    auto scene = load_scene("bunny").value();
    scene.settings.parameters().resolution = 250;
    const auto loaded = build_scene(scene).value();
    World world(loaded, 0);
    const auto calm = [&] {
        const double until = world.time() + 16;
        ASSERT_TRUE(world.advance_to(until)) << world.snapshot().message;
    };
    calm();
    const VecX rest = world.positions();
    const TriMesh& surface = loaded->body.surface;
    const auto top = [&](int k) { return surface.vertices[surface.triangles[k][0]].y(); };
    int ear = 0;
    for (int k = 0; k < static_cast<int>(surface.triangles.size()); ++k)
        if (top(k) > top(ear)) ear = k;
    int most = 0;
    const double wobble = slowest_wobble(*loaded, loaded->scene.settings, 0);
    world.apply(SetParameter{"wobble", 0.3});  // a hand pulls with at most three times the body's weight
    for (const Vec3& target : {Vec3(0, -0.5, 0.3), Vec3(0.8, 1.5, -1), Vec3(-0.3, 0.1, 0), Vec3(0.5, -0.8, -0.5)}) {
        world.apply(Grab{ear, Vec3(1, 0, 0), target});
        const double until = world.time() + 0.5;
        while (world.time() < until) {
            ASSERT_TRUE(world.step_towards(until)) << world.snapshot().message;
            most = std::max(most, world.snapshot().inverted);
        }
        world.apply(Release{});
    }
    EXPECT_GT(most, 0) << "the hand was too gentle for this test";
    world.apply(SetParameter{"wobble", wobble});
    calm();
    EXPECT_EQ(world.snapshot().inverted, 0);
    const double size = 1.0, rms = (world.positions() - rest).norm() / std::sqrt(static_cast<double>(rest.size()) / 3);
    EXPECT_LT(rms, 0.02 * size);
    EXPECT_LT(world.energies().kinetic, 1e-3 * world.energies().max_kinetic);
}

}  // namespace
}  // namespace wobble
