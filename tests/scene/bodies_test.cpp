// Scenes with several bodies: reading and writing them, where each stands, and that each moves as it would alone.
#include "engine/scene/scene_file.h"
#include "engine/sim/run_log.h"
#include "engine/sim/simulation.h"
#include "engine/sim/system_factory.h"
#include "engine/sim/world.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <numbers>

namespace wobble {
namespace {

constexpr const char* two_beams = R"(
[parameters]
gravity = 9.81
resolution = 120

[[bodies]]
name = "left"
[bodies.source]
shape = "beam"
[[bodies.pins]]
axis = "x"
below = 0.02

[[bodies]]
name = "right"
[bodies.source]
shape = "beam"
[bodies.place]
translation = [0, 0.5, 1.5]
axis = [0, 1, 0]
angle = 90
size = 0.5
[bodies.parameters]
stiffness = 3e4
density = 500
[[bodies.pins]]
axis = "z"
above = 0.97
[bodies.initial]
velocity = [0, 0, 0]
shear = [0.5, 0, 0]

[integrator]
id = "verlet"
step = 2e-4
)";

Scene scene_of(const std::string& toml) {
    auto scene = parse_scene(toml, {}, "two");
    if (!scene) return ADD_FAILURE() << scene.message(), Scene{};
    return std::move(scene).value();
}
std::shared_ptr<const LoadedScene> built(Scene scene) {
    auto loaded = build_scene(std::move(scene));
    if (!loaded) return ADD_FAILURE() << loaded.message(), nullptr;
    return loaded.value();
}
std::string refusal(const std::string& toml) {
    auto scene = parse_scene(toml, {}, "two");
    return scene ? "" : scene.message();
}

// The scene with this body only.
Scene alone(Scene scene, int b) {
    scene.bodies = {scene.body(b)};
    scene.settings.bodies = {scene.settings.bodies[static_cast<std::size_t>(b)]};
    return scene;
}

// Largest distance of the positions of body b among others from those of the same body alone.
double distance_from_alone(const World& together, const IndexRange& own, const World& alone) {
    return (together.positions().segment(3 * own.begin, 3 * own.size()) - alone.positions()).lpNorm<Eigen::Infinity>();
}

TEST(Bodies, AreReadWithTheirSourceMaterialPinsPlaceAndMotion) {
    const Scene scene = scene_of(two_beams);
    ASSERT_EQ(scene.count(), 2);
    ASSERT_EQ(scene.settings.bodies.size(), 2u);
    EXPECT_EQ(scene.body_name(0), "left");
    EXPECT_EQ(scene.body(1).place.angle, 90);
    EXPECT_EQ(scene.body(1).place.size, 0.5);
    EXPECT_EQ(scene.body(1).initial_shear, Vec3(0.5, 0, 0));
    EXPECT_EQ(scene.settings.parameters(1).stiffness, 3e4);
    EXPECT_NE(scene.settings.parameters(0).stiffness, 3e4);
    for (int b : {0, 1}) EXPECT_EQ(scene.settings.parameters(b).resolution, 120) << "[parameters] holds for all";
    EXPECT_TRUE(scene.settings.pins(1)[0] == PinRule::above(2, 0.97));
}

TEST(Bodies, WrittenReadTheSame) {
    const Scene scene = scene_of(two_beams), again = scene_of(to_toml(scene));
    ASSERT_EQ(again.count(), 2);
    EXPECT_TRUE(again.settings == scene.settings);
    for (int b : {0, 1}) {
        EXPECT_EQ(again.body(b).name, scene.body(b).name);
        EXPECT_TRUE(again.body(b).place == scene.body(b).place);
        EXPECT_TRUE(again.body(b).model == scene.body(b).model);
        EXPECT_EQ(again.body(b).initial_shear, scene.body(b).initial_shear);
    }
}

TEST(Bodies, OfAnOldFileAreOne) {
    const Scene scene = scene_of("[source]\nshape = \"beam\"\n[parameters]\nstiffness = 7e4\n");
    ASSERT_EQ(scene.count(), 1);
    EXPECT_EQ(scene.settings.parameters().stiffness, 7e4);
    EXPECT_TRUE(scene.body().place == Place{});
}

TEST(Bodies, MistakesAreNamedWithTheirLine) {
    EXPECT_NE(refusal("[[bodies]]\nname = \"a\"\n[[bodies]]\nname = \"a\"\n").find("Two bodies are called"), std::string::npos);
    EXPECT_NE(refusal("[source]\nshape = \"beam\"\n[[bodies]]\nname = \"a\"\n").find("[bodies.source]"), std::string::npos);
    EXPECT_NE(refusal("[[bodies]]\n[bodies.parameters]\ngravity = 3\n").find("the same for all bodies"), std::string::npos);
    EXPECT_NE(refusal("[[bodies]]\n[bodies.place]\naxis = [0, 0, 0]\n").find("must not be zero"), std::string::npos);
    EXPECT_NE(refusal("[[bodies]]\n[bodies.place]\nsize = 0\n"), "");
    EXPECT_NE(refusal("[[bodies]]\n[bodies.place]\nsize = nan\n"), "");
    EXPECT_NE(refusal("[[bodies]]\ncolour = 3\n").find("colour"), std::string::npos);
    EXPECT_NE(refusal("bodies = 3\n").find("[[bodies]]"), std::string::npos);
    EXPECT_NE(refusal("bodies = []\n").find("[[bodies]]"), std::string::npos);
    EXPECT_NE(refusal("[[bodies]]\n[bodies.source]\nshape = \"bean\"\n").find("two:3"), std::string::npos) << "line 3 of scene two";
}

TEST(Bodies, AParameterIsSetForAllOrForOne) {
    Scene scene = scene_of(two_beams);
    ASSERT_TRUE(set_parameter(scene, "right.density", 250));
    EXPECT_EQ(scene.settings.parameters(1).density, 250);
    EXPECT_NE(scene.settings.parameters(0).density, 250);
    ASSERT_TRUE(set_parameter(scene, "density", 750));
    for (int b : {0, 1}) EXPECT_EQ(scene.settings.parameters(b).density, 750);
    const auto refused = set_parameter(scene, "middle.density", 1);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.message().find("middle"), std::string::npos) << refused.message();
    for (int b : {0, 1}) EXPECT_EQ(scene.settings.parameters(b).density, 750) << "a refusal changes nothing";
}

TEST(Bodies, StandWhereTheirPlaceSays) {
    const auto two = built(scene_of(two_beams));
    ASSERT_TRUE(two);
    Scene plain = alone(scene_of(two_beams), 1);
    plain.body().place = {};
    plain.settings.pins().clear();
    const auto one = built(plain);
    ASSERT_TRUE(one);
    const std::span<const Vec3> placed = two->rest_of(1), rest = one->rest_of(0);
    ASSERT_EQ(placed.size(), rest.size());
    const Box box = bounding_box(one->body.surface.vertices);
    const Vec3 c(box.centre().x(), box.low.y(), box.centre().z());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const Vec3 d = rest[i] - c;  // a quarter turn about y: x to -z, z to x
        EXPECT_LT((placed[i] - (c + Vec3(0, 0.5, 1.5) + 0.5 * Vec3(d.z(), d.y(), -d.x()))).norm(), 1e-12);
    }
    EXPECT_NEAR(two->report(1).surface.volume, one->report(0).surface.volume / 8, 1e-12);
    const Box stands = bounding_box(two->rest_of(1));
    EXPECT_LT((two->report(1).surface.box.centre() - stands.centre()).norm(), 0.01 * stands.diagonal());
}

// The parts are independent systems, and Verlet works on each particle's own force: the same motion, but for the order of sums.
TEST(Bodies, EachMovesAsItWouldAlone) {
    const Scene scene = scene_of(two_beams);
    const auto two = built(scene);
    ASSERT_TRUE(two);
    for (const char* method : {"verlet", "rk4", "implicit-midpoint", "exprb42", "epi3-leapfrog"}) {
        World together(two, 1);
        together.apply(SetMethod{method});
        const bool explicit_one = std::string_view(method) == "verlet" || std::string_view(method) == "rk4";
        for (int b : {0, 1}) {
            World lonely(built(alone(scene, b)), 1);
            for (World* world : {&together, &lonely}) {
                world->apply(Reset{});
                world->apply(SetMethod{method});
                world->apply(SetStep{2e-4});
                world->apply(SetSolver{{.tolerance = 1e-10}});
                ASSERT_TRUE(world->advance_to(0.02)) << method;
            }
            const double moved =
                (lonely.positions() -
                 initial_state(*two, constraints(*two)).q.segment(3 * two->range(b).particles.begin, lonely.positions().size()))
                    .lpNorm<Eigen::Infinity>();
            EXPECT_GT(moved, 1e-4);
            EXPECT_LT(distance_from_alone(together, two->range(b).particles, lonely), (explicit_one ? 1e-12 : 1e-6) * moved)
                << method << " body " << b;
        }
    }
}

TEST(Bodies, CommandsReachTheOneTheyAreFor) {
    const auto two = built(scene_of(two_beams));
    ASSERT_TRUE(two);
    const auto run = [&](std::initializer_list<Command> commands) {
        World world(two, 1);
        for (const Command& command : commands) world.apply(command);
        EXPECT_TRUE(world.advance_to(0.02));
        return world.positions();
    };
    const IndexRange left = two->range(0).particles, right = two->range(1).particles;
    const auto changed = [](const VecX& a, const VecX& b, const IndexRange& own) {
        return (a - b).segment(3 * own.begin, 3 * own.size()).norm() > 0;
    };
    const VecX before = run({});
    const VecX softer = run({SetParameter{"stiffness", 2e4, 1}});
    EXPECT_FALSE(changed(before, softer, left));
    EXPECT_TRUE(changed(before, softer, right));
    const VecX freed = run({SetPins{{}, 0}});
    EXPECT_TRUE(changed(before, freed, left));
    EXPECT_FALSE(changed(before, freed, right));
    const int triangle = two->range(1).triangles.begin;
    EXPECT_EQ(two->body_of_triangle(triangle), 1);
    const VecX pulled = run({Grab{triangle, Vec3::Constant(1.0 / 3), Vec3(3, 3, 3)}});
    EXPECT_FALSE(changed(before, pulled, left));
    EXPECT_TRUE(changed(before, pulled, right));
    World world(two, 1);
    world.apply(SetParameter{"stiffness", 2e4, 2});
    EXPECT_FALSE(world.snapshot().message.empty()) << "there is no third body";
    EXPECT_TRUE(world.snapshot().settings == two->scene.settings);
}

TEST(Bodies, TheRunLogSaysWhichBodyACommandWasFor) {
    const auto two = built(scene_of(two_beams));
    ASSERT_TRUE(two);
    RunLog log;
    log.start = two;
    log.bodies = {1};
    log.entries = {{0, 0, SetParameter{"stiffness", 2e4, 1}},
                   {0, 0, SetParameter{"stiffness", 3e4}},
                   {0, 0, SetPins{{PinRule::below(0, 0.1)}, 1}},
                   {0, 0, SetPins{{PinRule::below(0, 0.2)}, 0}}};
    const auto file = std::filesystem::temp_directory_path() / ("wobble-bodies-" + std::to_string(getpid()) + ".log");
    ASSERT_TRUE(write_run_log(log, file));
    const auto again = read_run_log(file);
    std::filesystem::remove(file);
    ASSERT_TRUE(again) << again.message();
    ASSERT_EQ(again.value().entries.size(), 4u);
    EXPECT_EQ(std::get<SetParameter>(again.value().entries[0].command).body, 1);
    EXPECT_EQ(std::get<SetParameter>(again.value().entries[1].command).body, -1);
    EXPECT_EQ(std::get<SetPins>(again.value().entries[2].command).body, 1);
    EXPECT_EQ(std::get<SetPins>(again.value().entries[3].command).body, 0);
    EXPECT_EQ(again.value().start->scene.count(), 2);
}

// A solid and a sheet in one scene: fields, pins and wind know the difference.
TEST(Bodies, OfDifferentKindsShareAScene) {
    const auto mixed = built(scene_of(R"(
[parameters]
resolution = 150
wind = 4
[[bodies]]
name = "flag"
[bodies.source]
shape = "cloth"
[[bodies.pins]]
axis = "x"
below = 0.02
[[bodies]]
name = "post"
[bodies.source]
shape = "beam"
[bodies.model]
kind = "corotational"
[bodies.place]
translation = [-3, 0, 0]
[[bodies.pins]]
axis = "y"
below = 0.05
)"));
    ASSERT_TRUE(mixed);
    EXPECT_TRUE(mixed->range(0).sheet());
    EXPECT_FALSE(mixed->range(1).sheet());
    EXPECT_EQ(body_kinds(mixed->scene), unsigned(spring_sheet | corotational_solid));
    World world(mixed, 1);
    world.apply(Show{Field::stress, true});
    ASSERT_TRUE(world.advance_to(0.1)) << world.snapshot().message;
    const Snapshot shot = world.snapshot();
    EXPECT_FALSE(shot.surface->closed) << "both sides of the sheet are seen";
    ASSERT_EQ(shot.values.size(), shot.positions.size());
    const auto largest = [&](const IndexRange& own) {
        return *std::max_element(shot.values.begin() + own.begin, shot.values.begin() + own.end);
    };
    EXPECT_EQ(largest(mixed->range(0).vertices), 0) << "springs have no stress";
    EXPECT_GT(largest(mixed->range(1).vertices), 0);
}

}  // namespace
}  // namespace wobble
