// Held, sliding and moving particles, for every method of the table.
#include "engine/integrate/methods.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace wobble {
namespace {

// The small beam with other pins; the built scene is const, so it is copied.
std::shared_ptr<const LoadedScene> pinned_beam(std::vector<PinRule> pins, double gravity = 9.81) {
    Parameters p;
    p.stiffness = 2e4;
    p.edge_stiffness = 5e3;
    p.gravity = gravity;
    auto scene = std::make_shared<LoadedScene>(*support::small_scene(p));
    scene->scene.settings.pins() = std::move(pins);
    return scene;
}

TEST(Pins, TheBoxSelectsByRestPosition) {
    const std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0.5, 1, 0}};
    const Constraints c =
        constraints({{.low = {0.9, 0.9, 0}}, {.high = {0.1, 1, 1}, .kind = PinRule::Kind::line, .direction = {0, 2, 0}}}, rest);
    EXPECT_EQ(c.held(), (std::vector<std::uint8_t>{0, 0, 1, 0}));
    EXPECT_EQ(c.degrees_of_freedom(), 1 + 3 + 0 + 3);
    ASSERT_TRUE(c.of(0));
    EXPECT_LT((c.of(0)->allowed * Vec3(1, 2, 3) - Vec3(0, 2, 0)).norm(), 1e-15);
}

TEST(Pins, TwoPlanesMakeALineAndAPlaneAcrossALineAPoint) {
    const Constraints line(1, {Constraint::on_plane(0, {0, 0, 1}), Constraint::on_plane(0, {0, 1, 1})});
    EXPECT_EQ(line.degrees_of_freedom(), 1);
    EXPECT_LT((line.of(0)->allowed * Vec3(3, 4, 5) - Vec3(3, 0, 0)).norm(), 1e-12);
    const Constraints point(1, {Constraint::on_line(0, {0, 0, 1}), Constraint::on_plane(0, {0, 1, 1})});
    EXPECT_EQ(point.degrees_of_freedom(), 0);
    EXPECT_EQ(point.held()[0], 1);
}

TEST(Pins, SlidingParticlesStayOnTheirPlaneAndSlide) {
    const Vec3 normal = Vec3(1, 0.3, 0.2).normalized();
    for (const Method& method : methods()) {
        World world(pinned_beam({{.high = {0.01, 1, 1}, .kind = PinRule::Kind::plane, .direction = normal},
                                 {.high = {0.01, 0.01, 1}, .kind = PinRule::Kind::line, .direction = {0, 0, 1}}}));
        world.apply(SetMethod{method.info.id});
        const VecX start = world.positions();
        ASSERT_TRUE(world.advance_to(0.05)) << method.info.id << ": " << world.snapshot().message;
        double off = 0, slid = 0;
        for (int i = 0; i < start.size() / 3; ++i) {
            if (start[3 * i] > 1e-9) continue;
            const Vec3 moved = particle(world.positions(), i) - particle(start, i);
            off = std::max(off, std::abs(normal.dot(moved)));
            slid = std::max(slid, moved.norm());
        }
        EXPECT_LT(off, 1e-9) << method.info.id;
        EXPECT_GT(slid, 1e-4) << method.info.id;
    }
}

TEST(Pins, MovingPinsFollowTheirPathAndTheirWorkIsBooked) {
    const double frequency = 3;
    const Vec3 amplitude(0, 0.05, 0.02);
    VecX reference;
    for (const Method& method : methods()) {
        if (method.info.order < 2) continue;  // their energy error would hide what is tested here
        World world(pinned_beam({{.high = {0.01, 1, 1}, .amplitude = amplitude, .frequency = frequency}}, 0));
        world.apply(SetMethod{method.info.id});
        world.apply(SetStep{2e-4});
        const VecX start = world.positions();
        ASSERT_TRUE(world.advance_to(0.2)) << method.info.id << ": " << world.snapshot().message;
        const Vec3 expected = std::sin(2 * std::numbers::pi * frequency * 0.2) * amplitude;
        for (int i = 0; i < start.size() / 3; ++i)
            if (start[3 * i] < 1e-9) {
                EXPECT_LT((particle(world.positions(), i) - particle(start, i) - expected).norm(), 1e-12) << method.info.id;
            }
        const Energies& e = world.energies();
        EXPECT_GT(e.supplied, 1e-3) << method.info.id;
        EXPECT_LT(e.drift(), 0.01) << method.info.id;
        if (reference.size() == 0) reference = world.positions();
        EXPECT_LT((world.positions() - reference).norm(), 0.01 * (reference - start).norm()) << method.info.id;
    }
}

TEST(Pins, OfTwoRulesTheLaterDecidesWhetherAParticleMoves) {
    const std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}};
    const PinRule moving{.amplitude = {0, 1, 0}, .frequency = 0.25}, still{.high = {0.1, 1, 1}};
    State state;
    state.q = VecX::Zero(6), state.v = VecX::Zero(6);
    particle(state.q, 1) = rest[1];
    MovingPins({moving, still}, rest).drive(state, 1);
    EXPECT_EQ(particle(state.v, 0), Vec3(0, 0, 0));
    EXPECT_LT((particle(state.v, 1) - Vec3(0, 1, 0)).norm(), 1e-12);
    MovingPins({still, moving}, rest).drive(state, 1);
    EXPECT_LT((particle(state.v, 0) - Vec3(0, 1, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace wobble
