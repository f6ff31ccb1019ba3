// What a user does to obstacles, and the drop: settings follow, refusals change nothing, and a log does it all again.
#include "engine/scene/obstacles.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/run_log.h"
#include "engine/sim/world.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

std::shared_ptr<const LoadedScene> small_beam() {
    auto scene = parse_scene("[source]\nshape = \"beam\"\n[parameters]\nresolution = 60\n[[pins]]\naxis = \"y\"\nbelow = 0.05\n", {}, "x");
    return build_scene(std::move(scene).value()).value();
}

Obstacle ball(const std::string& name) {
    Obstacle o = make_obstacle(Obstacle::Kind::sphere);
    o.name = name, o.position = Vec3(0, 9, 0);
    return o;
}

TEST(ObstacleCommands, AddChangeAndRemove) {
    World world(small_beam(), 1);
    const auto all = [&] { return world.snapshot().settings.obstacles; };
    ASSERT_EQ(all().size(), 1u);
    world.apply(AddObstacle{ball("a")});
    world.apply(AddObstacle{ball("")});
    ASSERT_EQ(all().size(), 3u);
    EXPECT_EQ(all()[2].name, "obstacle 3");
    Obstacle larger = all()[1];
    larger.radius = 0.7;
    world.apply(SetObstacle{1, larger});
    EXPECT_EQ(all()[1].radius, 0.7);
    EXPECT_EQ(world.snapshot().obstacle_poses.size(), 3u);
    world.apply(RemoveObstacle{0});  // the floor
    ASSERT_EQ(all().size(), 2u);
    EXPECT_FALSE(world.snapshot().settings.contact.floor);
    EXPECT_EQ(all()[0].name, "a");
    EXPECT_EQ(world.snapshot().message, "");
}

TEST(ObstacleCommands, WhatCannotBeIsToldAndChangesNothing) {
    World world(small_beam(), 1);
    world.apply(AddObstacle{ball("a")});
    const auto before = world.snapshot().settings;
    const auto refuses = [&](const Command& command, const std::string& word) {
        world.apply(command);
        EXPECT_NE(world.snapshot().message.find(word), std::string::npos) << world.snapshot().message;
        EXPECT_TRUE(world.snapshot().settings == before);
    };
    refuses(AddObstacle{ball("a")}, "already");
    refuses(RemoveObstacle{2}, "no such obstacle");
    refuses(SetObstacle{-1, ball("b")}, "no such obstacle");
    refuses(DragObstacle{7, Vec3::Zero()}, "no such obstacle");
    Obstacle bad = ball("b");
    bad.radius = NAN;
    refuses(AddObstacle{bad}, "size");
    Obstacle mesh = make_obstacle(Obstacle::Kind::mesh);
    mesh.name = "m", mesh.file = "/nowhere/none.obj";
    refuses(AddObstacle{mesh}, "none.obj");
    refuses(Drop{-1}, "height");
    refuses(Drop{NAN}, "height");
    for (int i = 0; i < 100; ++i) world.apply(AddObstacle{ball("")});
    EXPECT_LE(world.snapshot().settings.obstacles.size(), 64u);
    EXPECT_NE(world.snapshot().message.find("64"), std::string::npos);
}

TEST(ObstacleCommands, TheFloorComesAndGoesWhereItWas) {
    World world(small_beam(), 1);
    const Obstacle floor = world.snapshot().settings.obstacles[0];
    world.apply(SetContact{{false, true, false}});
    EXPECT_TRUE(world.snapshot().settings.obstacles.empty());
    world.apply(SetContact{{true, true, true}});
    ASSERT_EQ(world.snapshot().settings.obstacles.size(), 1u);
    EXPECT_TRUE(world.snapshot().settings.obstacles[0] == floor);
    EXPECT_TRUE(world.snapshot().settings.contact.self);
}

TEST(ObstacleCommands, DropLetsGoAndBeginsHigher) {
    World world(small_beam(), 1);
    const VecX rest = world.positions();
    for (int i = 0; i < 3; ++i) world.step();
    world.apply(Drop{0.25});
    const Snapshot shot = world.snapshot();
    EXPECT_EQ(shot.t, 0);
    EXPECT_EQ(shot.dofs, 3 * shot.particles);  // nothing is held
    EXPECT_TRUE(shot.settings.pins().empty());
    for (int i = 0; i < shot.particles; ++i)
        EXPECT_LT((particle(world.positions(), i) - particle(rest, i) - Vec3(0, 0.25, 0)).norm(), 1e-14);
    EXPECT_EQ(shot.energies.dissipated, 0);
    world.step();
    world.apply(Reset{});
    EXPECT_LT((particle(world.positions(), 0) - particle(rest, 0) - Vec3(0, 0.25, 0)).norm(), 1e-14);
    // A scene saved now begins there.
    Scene saved = shot.scene->scene;
    saved.settings = shot.settings;
    const World again(build_scene(parse_scene(to_toml(saved), {}, "x").value()).value(), 1);
    EXPECT_LT((again.positions() - world.positions()).norm(), 1e-14);
    // It is above the floor, which did not rise with it.
    EXPECT_EQ(shot.settings.obstacles[0].position.y(), again.snapshot().settings.obstacles[0].position.y());
}

TEST(ObstacleCommands, ALogDoesItAgain) {
    const auto scene = small_beam();
    RunLog log;
    log.begin(*scene);
    World world(scene, 1);
    world.keep_history();
    std::uint64_t steps = 0;
    const auto apply = [&](const Command& command) { world.apply(command), log.note(steps, world.time(), command); };
    const auto step = [&](int count) {
        for (int i = 0; i < count; ++i) world.step(), ++steps;
    };
    step(2);
    apply(AddObstacle{ball("a")});
    apply(Drop{0.1});
    step(3);
    apply(DragObstacle{1, Vec3(0, 8.5, 0)});
    step(2);
    EXPECT_LT(world.snapshot().obstacle_poses[1].position.y(), 9);
    apply(ReleaseObstacle{});
    apply(RemoveObstacle{1});
    apply(SetContact{{true, false, true}});
    step(2);
    log.steps = steps, log.hash = world.state_hash();
    const auto path = std::filesystem::temp_directory_path() / "wobble-obstacle-commands.log";
    ASSERT_TRUE(write_run_log(log, path));
    const auto back = read_run_log(path);
    ASSERT_TRUE(back) << back.message();
    const auto again = replay(back.value(), 1);
    ASSERT_TRUE(again) << again.message();
    EXPECT_TRUE(again.value().same);
    EXPECT_TRUE(again.value().world.snapshot().settings == world.snapshot().settings);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace wobble
