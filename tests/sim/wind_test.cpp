// Wind as an external force: the formula, its work, and that it never throws anything faster than it blows.
#include "engine/sim/wind.h"

#include "engine/integrate/methods.h"
#include "engine/mesh/volume/body_mesh.h"
#include "engine/scene/loaded_scene.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/world.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

BodyMesh sheet(int resolution) {
    BodyOptions options;
    options.resolution = resolution;
    return make_body(*find_shape("cloth"), {}, options).value();
}

MechanicalSystem slack(const BodyMesh& body, const Material& material) {
    return MechanicalSystem(body, {}, Constraints(static_cast<int>(body.tets.vertices.size())), material, std::make_shared<Workers>(1));
}

TEST(Wind, PressesOnAFlatSheetWithDragTimesAreaTimesSpeed) {
    const BodyMesh body = sheet(100);
    MechanicalSystem system = slack(body, {.density = 400, .gravity = 0});
    Wind wind(body.tets, {.direction = {1, 0, -1}, .drag = 2, .gusts = 0});
    wind.set_speed(5);
    State state{0, system.rest(), VecX::Zero(system.rest().size())};
    for (int i = 0; i < system.particles(); ++i) particle(state.v, i) = Vec3(7, 7, -1);
    wind.blow(system, state, 1e-4);
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < system.particles(); ++i) sum += particle(system.external_force(), i);
    EXPECT_LT((sum - Vec3(0, 0, -2 * 1.08 * (5 / std::sqrt(2.0) - 1))).norm(), 1e-9);  // only what is across the sheet counts
    EXPECT_NEAR(wind.work(state.q, state.q + VecX::Ones(state.q.size())), sum.sum(), 1e-9);
    wind.set_speed(0);
    system.external_force().setZero();
    wind.blow(system, state, 1e-4);
    EXPECT_TRUE(system.external_force().isZero(0));
    EXPECT_EQ(wind.work(state.q, 2 * state.q), 0);
}

// A light free sheet takes on the speed of the wind, without overshoot, at any step and drag.
TEST(Wind, IsStableAtLargeStepsAndStrongDrag) {
    const BodyMesh body = sheet(100);
    MechanicalSystem system = slack(body, {.stiffness = 1000, .density = 50, .gravity = 0});
    Wind wind(body.tets, {.direction = {0, 0, 1}, .drag = 1000, .gusts = 0});
    wind.set_speed(5);
    const auto integrator = find_method("implicit-euler")->make({});
    State state{0, system.rest(), VecX::Zero(system.rest().size())}, next = state;
    double fastest = 0;
    for (int n = 0; n < 40; ++n) {
        system.external_force().setZero();
        wind.blow(system, state, 0.05);
        ASSERT_TRUE(integrator->step(system, state, 0.05, next).ok());
        std::swap(state, next);
        fastest = std::max(fastest, state.v.cwiseAbs().maxCoeff());
    }
    EXPECT_LT(fastest, 5.0001);
    for (int i = 0; i < system.particles(); ++i) EXPECT_LT((particle(state.v, i) - Vec3(0, 0, 5)).norm(), 1e-3);
}

TEST(Wind, SwellsWithinItsBoundsAndRepeats) {
    const BodyMesh body = sheet(100);
    Wind wind(body.tets, {.direction = {0, 0, 1}, .drag = 2, .gusts = 0.5});
    wind.set_speed(4);
    double low = 1e300, high = 0;
    for (int n = 0; n < 400; ++n) {
        const double speed = wind.velocity({0.3, 0.2, 0}, 0.05 * n).z();
        low = std::min(low, speed), high = std::max(high, speed);
        EXPECT_EQ(speed, wind.velocity({0.3, 0.2, 0}, 0.05 * n).z());
    }
    EXPECT_GT(low, 4 * 0.5);
    EXPECT_LT(low, 4 * 0.75);
    EXPECT_LT(high, 4 * 1.5);
    EXPECT_GT(high, 4 * 1.25);
}

// The account of a cloth in the wind balances: what the wind did is supplied, what damping took is dissipated.
TEST(Wind, ItsWorkIsBooked) {
    Scene scene = load_scene("cloth").value();
    scene.settings.parameters().resolution = 100;
    const auto built = build_scene(scene);
    ASSERT_TRUE(built.ok()) << built.message();
    World world(built.value(), 1);
    ASSERT_TRUE(world.advance_to(1.0)) << world.snapshot().message;
    EXPECT_GT(world.energies().supplied, 0.1);
    EXPECT_LT(std::abs(world.energies().error()), 0.05 * world.energies().supplied);
    world.apply(SetParameter{"wind", 0});
    EXPECT_EQ(world.snapshot().message, "");
    const double supplied = world.energies().supplied;
    ASSERT_TRUE(world.advance_to(1.2));
    EXPECT_EQ(world.energies().supplied, supplied);
}

}  // namespace
}  // namespace wobble
