// Obstacles in scene files, and the floor under the bodies.
#include "engine/mesh/io/obj.h"
#include "engine/model/contact/obstacle_mesh.h"
#include "engine/scene/obstacles.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/world.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

constexpr const char* all_kinds = R"([source]
shape = "beam"
[parameters]
resolution = 60
friction = 0.3
restitution = 0.25
contact_thickness = 0.01
[contact]
floor = false
bodies = false
self = true
drop_height = 0.75
[[obstacles]]
name = "slope"
kind = "plane"
size = [3.0, 1.0, 2.0]
axis = [0.0, 0.0, 1.0]
angle = 20.0
friction = 0.0
[[obstacles]]
kind = "sphere"
radius = 0.2
position = [0.0, -1.0, 0.0]
amplitude = [0.0, 0.1, 0.0]
frequency = 2.0
visible = false
[[obstacles]]
name = "lid"
kind = "box"
size = [1.0, 0.1, 1.0]
colour = [0.1, 0.2, 0.3]
[[obstacles.keys]]
t = 0.5
[[obstacles.keys]]
t = 1.5
translation = [0.0, -0.4, 0.0]
axis = [1.0, 0.0, 0.0]
angle = 720.0
[[obstacles]]
name = "pin"
kind = "capsule"
radius = 0.01
length = 0.0
[[obstacles]]
name = "drum"
kind = "cylinder"
spin_axis = [1.0, 0.0, 0.0]
spin = -90.0
)";

std::string refusal(const std::string& toml) {
    const auto scene = parse_scene(toml, "dir/x.toml", "x");
    return scene ? "accepted" : scene.message();
}

TEST(ObstacleScene, WhatIsWrittenReadsBackTheSame) {
    const auto read = parse_scene(all_kinds, {}, "x");
    ASSERT_TRUE(read) << read.message();
    const RunSettings& s = read.value().settings;
    ASSERT_EQ(s.obstacles.size(), 5u);
    EXPECT_EQ(s.obstacles[0].friction, 0);
    EXPECT_LT(s.obstacles[1].friction, 0);
    EXPECT_EQ(s.obstacles[2].keys.size(), 2u);
    EXPECT_EQ(s.obstacles[2].keys[1].angle, 720);
    EXPECT_EQ(s.obstacles[4].spin, -90);
    EXPECT_EQ(s.parameters().friction, 0.3);
    EXPECT_EQ(s.parameters().restitution, 0.25);
    EXPECT_EQ(s.parameters().contact_thickness, 0.01);
    EXPECT_TRUE((s.contact == ContactRules{false, false, true}));
    const auto again = parse_scene(to_toml(read.value()), {}, "x");
    ASSERT_TRUE(again) << again.message();
    EXPECT_EQ(s.obstacles[1].name, "obstacle 2");
    EXPECT_TRUE(again.value().settings.obstacles == s.obstacles);
    EXPECT_EQ(again.value().settings.drop_height, 0.75);
    EXPECT_TRUE(again.value().settings.contact == s.contact);
}

TEST(ObstacleScene, MistakesAreToldWithTheirLine) {
    const auto has = [](const std::string& toml, const std::string& line, const std::string& word) {
        const std::string told = refusal(toml);
        EXPECT_NE(told.find("x.toml:" + line + ":"), std::string::npos) << told;
        EXPECT_NE(told.find(word), std::string::npos) << told;
    };
    has("[[obstacles]]\nkind = \"sphere\"\nradius = -1.0\n", "3", "radius");
    has("[[obstacles]]\nkind = \"shpere\"\n", "2", "sphere");
    has("[[obstacles]]\nkind = \"box\"\nradius = 1.0\n", "3", "no radius");
    has("[[obstacles]]\nkind = \"mesh\"\n", "2", "file");
    has("[[obstacles]]\nkind = \"sphere\"\ncolor = [1,1,1]\n", "3", "colour");
    has("[[obstacles]]\nkind = \"sphere\"\nvisible = 1\n", "3", "true or false");
    has("[[obstacles]]\nkind = \"plane\"\naxis = [0, 0, 0]\n", "3", "axis");
    has("[[obstacles]]\nfriction = 7\n", "2", "friction");
    has("[[obstacles]]\n[[obstacles.keys]]\nt = 1\n[[obstacles.keys]]\nt = 1\n", "5", "increase");
    has("[[obstacles]]\n[[obstacles.keys]]\ntime = 1\n", "3", "time");
    has("[[obstacles]]\nname = \"a\"\n[[obstacles]]\nname = \"a\"\n", "4", "Two obstacles");
    has("[contact]\nflor = true\n", "2", "floor");
    has("[contact]\nself = \"yes\"\n", "2", "true or false");
    has("obstacles = 3\n", "1", "[[obstacles]]");
    has("[parameters]\nfriction = 3.0\n", "2", "friction");
}

class ObstacleFile : public testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("wobble_obstacles_" + std::to_string(::getpid()));
    void SetUp() override {
        fs::create_directories(folder / "meshes");
        std::ofstream(folder / "meshes/wedge.obj") << "v -1 -1 -1\nv 1 -1 -1\nv 0 -1 1\nv 0 -0.5 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
    }
    void TearDown() override { fs::remove_all(folder); }
    Scene scene(const std::string& more) const {
        return parse_scene("[source]\nshape = \"beam\"\n[parameters]\nresolution = 60\n" + more, folder / "x.toml", "x").value();
    }
};

TEST_F(ObstacleFile, AMeshIsFoundBesideTheSceneAndStaysRightWhenThatIsSavedElsewhere) {
    const Scene read = scene("[[obstacles]]\nkind = \"mesh\"\nfile = \"meshes/wedge.obj\"\nsize = [2, 1, 1]\n");
    const auto loaded = build_scene(read);
    ASSERT_TRUE(loaded) << loaded.message();
    const Obstacle& wedge = loaded.value()->scene.settings.obstacles.back();
    ASSERT_TRUE(wedge.mesh);
    EXPECT_TRUE(wedge.mesh->closed());
    EXPECT_NEAR(wedge.mesh->box().size().x(), 4, 1e-12);
    fs::create_directories(folder / "elsewhere");
    ASSERT_TRUE(save_scene(loaded.value()->scene, folder / "elsewhere/y.toml"));
    const auto again = load_scene((folder / "elsewhere/y.toml").string());
    ASSERT_TRUE(again) << again.message();
    EXPECT_TRUE(build_scene(again.value()));
}

TEST_F(ObstacleFile, AMeshThatIsNotThereIsRefusedByName) {
    const auto built = build_scene(scene("[[obstacles]]\nkind = \"mesh\"\nfile = \"meshes/wegde.obj\"\n"));
    ASSERT_FALSE(built);
    EXPECT_NE(built.message().find("wegde.obj"), std::string::npos) << built.message();
}

TEST_F(ObstacleFile, TheFloorLiesUnderEverythingAndIsFirst) {
    const auto free = build_scene(scene("")).value();
    const RunSettings& s = free->scene.settings;
    ASSERT_EQ(floor_of(s), 0);
    double low = 1e300;
    for (const Vec3& x : free->body.tets.vertices) low = std::min(low, x.y());
    EXPECT_LE(s.obstacles[0].position.y(), low);
    EXPECT_NEAR(s.obstacles[0].position.y(), low, 0.02);
    EXPECT_EQ(s.obstacles[0].position.y(), free->ground);

    const auto hanging = build_scene(scene("[[pins]]\naxis = \"y\"\nabove = 0.9\n")).value();
    EXPECT_LT(hanging->ground, low - 0.1);
    EXPECT_EQ(hanging->scene.settings.obstacles[0].position.y(), hanging->ground);
    const auto standing = build_scene(scene("[[pins]]\naxis = \"y\"\nbelow = 0.02\n")).value();
    EXPECT_EQ(standing->ground, free->ground);

    const auto ball = build_scene(scene("[[obstacles]]\nkind = \"sphere\"\nradius = 0.5\nposition = [0, -3, 0]\n")).value();
    EXPECT_NEAR(ball->ground, -3.5, 1e-12);
    ASSERT_EQ(ball->scene.settings.obstacles.size(), 2u);
    EXPECT_TRUE(ball->scene.settings.obstacles[0].automatic);
}

TEST_F(ObstacleFile, AnAutomaticFloorIsFoundAnewAndAnOwnOneStays) {
    Scene read = scene("");
    const auto built = build_scene(read).value();
    EXPECT_EQ(to_toml(built->scene).find("\n[[obstacles]]"), std::string::npos);
    Scene moved = built->scene;
    moved.body().place.translation = Vec3(0, 5, 0);
    const auto again = build_scene(moved).value();
    ASSERT_EQ(again->scene.settings.obstacles.size(), 1u);
    EXPECT_NEAR(again->ground, built->ground + 5, 1e-9);

    const auto own = build_scene(scene("[[obstacles]]\nname = \"floor\"\nposition = [0, -2, 0]\nfriction = 0.1\n")).value();
    ASSERT_EQ(own->scene.settings.obstacles.size(), 1u);
    EXPECT_EQ(own->scene.settings.obstacles[0].position.y(), -2);
    const auto none = build_scene(scene("[contact]\nfloor = false\n")).value();
    EXPECT_TRUE(none->scene.settings.obstacles.empty());
    EXPECT_EQ(none->ground, built->ground);  // drawn, not touched
}

TEST_F(ObstacleFile, SnapshotsKnowWhereObstaclesAre) {
    World world(build_scene(scene("[[obstacles]]\nkind = \"box\"\nposition = [0, 3, 0]\namplitude = [1, 0, 0]\nfrequency = 3\n")).value(),
                1);
    for (int i = 0; i < 3; ++i) world.step();
    const Snapshot shot = world.snapshot();
    ASSERT_EQ(shot.obstacle_poses.size(), 2u);
    EXPECT_GT(shot.t, 0);
    EXPECT_EQ(shot.obstacle_poses[1].position, pose(shot.settings.obstacles[1], shot.t).position);
    EXPECT_GT(shot.obstacle_poses[1].position.x(), 0);
}

TEST(ObstacleCheck, RefusesWhatCannotBe) {
    Obstacle good = make_obstacle(Obstacle::Kind::capsule);
    EXPECT_TRUE(check_obstacle(good));
    const auto refused = [&](auto&& spoil) {
        Obstacle bad = good;
        spoil(bad);
        return !check_obstacle(bad);
    };
    EXPECT_TRUE(refused([](Obstacle& o) { o.radius = -1; }));
    EXPECT_TRUE(refused([](Obstacle& o) { o.position.x() = NAN; }));
    EXPECT_TRUE(refused([](Obstacle& o) { o.axis = Vec3::Zero(); }));
    EXPECT_TRUE(refused([](Obstacle& o) { o.friction = NAN; }));
    EXPECT_TRUE(refused([](Obstacle& o) { o.keys = {{1}, {0.5}}; }));
    EXPECT_TRUE(refused([](Obstacle& o) { o.spin = 1e9; }));
    EXPECT_TRUE(refused([](Obstacle& o) { o.colour = Vec3(2, 0, 0); }));
}

}  // namespace
}  // namespace wobble
