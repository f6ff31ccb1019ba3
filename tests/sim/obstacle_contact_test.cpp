// Bodies and obstacles: what a body does on a floor, a slope, a moving plate, with every method.
#include "engine/integrate/methods.h"
#include "engine/sim/system_factory.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace wobble {
namespace {

constexpr double g = 9.81;

Parameters rubber(double damping = 2e-3) {
    Parameters p;
    p.stiffness = 2e4;
    p.edge_stiffness = 4e3;
    p.damping = damping;
    p.gravity = g;
    return p;
}

Obstacle floor_at(double y) {
    Obstacle floor;
    floor.name = "floor";
    floor.position.y() = y;
    return floor;
}

// A box without pins, each vertex moved by `place`, over these obstacles.
template <class Place>
std::shared_ptr<LoadedScene> free_box(const Parameters& p, std::vector<Obstacle> obstacles, Place&& place, int length = 4, int width = 2) {
    auto loaded = std::make_shared<LoadedScene>(*support::small_scene(p, length, width));
    loaded->scene.settings.pins().clear();
    for (Vec3& x : loaded->body.tets.vertices) x = place(x);
    loaded->body.surface.vertices = loaded->body.tets.vertices;
    loaded->scene.settings.obstacles = std::move(obstacles);
    loaded->scene.settings.contact.floor = false;
    return loaded;
}

Vec3 centre(const World& world, const VecX& mass) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < mass.size() / 3; ++i) sum += mass[3 * i] * particle(world.positions(), i);
    return sum / (mass.sum() / 3);
}

VecX masses(const std::shared_ptr<const LoadedScene>& scene) { return make_system(*scene, std::make_shared<Workers>(1))->mass(); }

// How far along a slope of 20 degrees a block has slid from rest after `seconds`, with this friction.
double slid(double friction, double seconds, const char* method, double settled = 0.5) {
    const double angle = 20 * std::numbers::pi / 180;
    Parameters p = rubber();
    p.friction = friction;
    Obstacle slope = floor_at(0);
    slope.axis = Vec3::UnitZ(), slope.angle = -20;  // down towards +x
    const Eigen::AngleAxisd turn(-angle, Vec3::UnitZ());
    auto scene = free_box(p, {slope}, [&](const Vec3& x) { return Vec3(turn * x); });
    World world(scene);
    world.apply(SetMethod{method});
    world.apply(SetStep{1.0 / 240});
    const VecX m = masses(scene);
    EXPECT_TRUE(world.advance_to(settled)) << world.snapshot().message;  // on the slope
    const Vec3 along = turn * Vec3::UnitX();
    const double x0 = along.dot(centre(world, m));
    double v0 = 0;
    for (int i = 0; i < m.size() / 3; ++i) v0 += m[3 * i] * along.dot(particle(world.velocities(), i));
    v0 /= m.sum() / 3;
    EXPECT_TRUE(world.advance_to(settled + seconds)) << world.snapshot().message;
    return along.dot(centre(world, m)) - x0 - v0 * seconds;
}

TEST(ObstacleContact, BlockOnASlopeSlidesExactlyWhereTheSlopeIsSteeperThanFriction) {
    const double tan = std::tan(20 * std::numbers::pi / 180), cos = std::cos(20 * std::numbers::pi / 180);
    for (const char* method : {"exprb2", "verlet", "implicit-euler"}) {
        EXPECT_LT(std::abs(slid(1.02 * tan, 1, method, 3)), 3e-3) << method;  // 2 % less friction: 33 mm
        const double a = g * cos * (1 - 0.5) * tan;                           // of half that friction
        EXPECT_NEAR(slid(0.5 * tan, 1, method), 0.5 * a, 0.02 * 0.5 * a) << method;
        const double slow = g * cos * 0.02 * tan;
        EXPECT_NEAR(slid(0.98 * tan, 2, method), 2 * slow, 0.25 * 2 * slow) << method;
        EXPECT_NEAR(slid(0, 1, method), 0.5 * g * cos * tan, 0.02 * 0.5 * g * cos * tan) << method;
    }
}

TEST(ObstacleContact, BodyComesToRestOnTheFloorAndTheFloorCarriesItsWeight) {
    for (const char* method : {"exprb2", "verlet", "implicit-midpoint"}) {
        auto scene = free_box(rubber(), {floor_at(-0.05)}, [](const Vec3& x) { return x; });
        World world(scene);
        world.apply(SetMethod{method});
        world.apply(SetStep{1.0 / 240});
        ASSERT_TRUE(world.advance_to(8)) << method << ": " << world.snapshot().message;
        const VecX m = masses(scene);
        const Vec3 before = centre(world, m);
        ASSERT_TRUE(world.advance_to(10)) << method;
        const double size = 0.8;
        EXPECT_LT((centre(world, m) - before).norm(), 1e-5 * size) << method;
        EXPECT_LT(world.velocities().lpNorm<Eigen::Infinity>(), 1e-4 * size) << method;
        double weight = 0;
        for (const ContactView& c : world.snapshot().contacts) weight += c.force.y();
        EXPECT_NEAR(weight, g * m.sum() / 3, 1e-3 * g * m.sum() / 3) << method;
        EXPECT_LT(world.snapshot().penetration, 0.01 * size);
        EXPECT_LT(std::abs(world.energies().error()), 0.05 * world.energies().max_kinetic) << method;
        EXPECT_GE(world.energies().impact, 0);
        EXPECT_GE(world.energies().friction, 0);
    }
}

TEST(ObstacleContact, NoMethodGainsEnergyInRandomDrops) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int drop = 0; drop < 4; ++drop) {
        const Eigen::AngleAxisd turn(3 * unit(random), Vec3(unit(random), unit(random), unit(random)).normalized());
        const Vec3 speed(2 * unit(random), unit(random), 2 * unit(random));
        for (const Method& method : methods()) {
            Parameters p = rubber(0);
            p.friction = 0.3 + 0.3 * unit(random);
            auto scene = free_box(
                p, {floor_at(-0.5)}, [&](const Vec3& x) { return Vec3(turn * x); }, 3, 2);
            double low = 0;
            for (const Vec3& x : scene->body.tets.vertices) low = std::min(low, x.y());
            scene->scene.settings.obstacles[0].position.y() = low - 0.3;
            scene->scene.body().initial_velocity = speed;
            World world(scene, 1);
            world.apply(SetMethod{method.info.id});
            if (method.info.family != Family::explicit_classical) world.apply(SetStep{drop % 2 ? 1.0 / 60 : 1.0 / 120});
            world.apply(SetDivergencePolicy{DivergencePolicy::halve_step});
            const double fall = world.energies().kinetic + world.snapshot().mass * g * 0.3;  // what there is to lose
            for (int k = 1; k <= 20; ++k) {
                ASSERT_TRUE(world.advance_to(0.04 * k)) << method.info.id << ": " << world.snapshot().message;
                const Energies& e = world.energies();
                EXPECT_LT(e.total() - e.supplied - e.initial_total, 0.01 * fall)
                    << method.info.id << ", drop " << drop << ", t " << 0.04 * k;
                EXPECT_GE(e.dissipated, 0);
            }
            EXPECT_LT(world.snapshot().penetration, 0.02) << method.info.id;
        }
    }
}

TEST(ObstacleContact, PlateThatMovesUpAndDownDoesTheWorkTheBodyGets) {
    Obstacle plate = floor_at(-0.001);
    plate.amplitude = {0, 0.05, 0}, plate.frequency = 1;
    auto scene = free_box(rubber(), {plate}, [](const Vec3& x) { return x; });
    World world(scene);
    world.apply(SetStep{1.0 / 240});
    ASSERT_TRUE(world.advance_to(3)) << world.snapshot().message;
    const Energies& e = world.energies();
    EXPECT_LT(std::abs(e.error()), 0.05 * (e.max_kinetic + std::abs(e.supplied)));
    ASSERT_TRUE(world.advance_to(3.25));  // at the top: the body is that much higher
    const VecX m = masses(scene);
    EXPECT_NEAR(centre(world, m).y(), 0.2 + 0.05, 0.01);
}

TEST(ObstacleContact, GoingBackAndOnAgainGivesTheSameBits) {
    auto scene = free_box(rubber(), {floor_at(-0.1)}, [](const Vec3& x) { return x; });
    for (const char* method : {"exprb2", "epi3-leapfrog", "verlet", "implicit-midpoint", "tr-bdf2"}) {
        World world(scene, 1);
        world.apply(SetMethod{method});
        world.apply(SetStep{1.0 / 120});
        world.keep_history();
        while (world.time() < 0.5) world.step();
        const double t = world.time();
        const auto hash = world.state_hash();
        world.apply(GoTo{0.3});
        ASSERT_LT(world.time(), 0.31);
        while (world.time() < t - 1e-9) world.step();
        EXPECT_EQ(world.state_hash(), hash) << method;
    }
}

TEST(ObstacleContact, ThreadsDoNotChangeTheBits) {
    std::uint64_t hashes[2];
    for (int k = 0; k < 2; ++k) {
        auto scene = free_box(
            rubber(), {floor_at(-0.1)}, [](const Vec3& x) { return x; }, 12, 8);
        World world(scene, k == 0 ? 1 : 2);
        world.apply(SetStep{1.0 / 120});
        ASSERT_TRUE(world.advance_to(0.3));
        hashes[k] = world.state_hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace wobble
