// Who takes the step when an exponential method under error control would stand still: see stepper.h and settling.h.
#include "engine/sim/descent_fallback.h"
#include "engine/sim/step_control.h"
#include "engine/sim/system_factory.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace wobble {
namespace {

constexpr double frame = 1.0 / 60;

// A soft beam, kicked until it is far from its rest; then the sliders are moved.
World violent(const char* method, double tolerance, double stiffness, double damping) {
    Parameters soft;
    soft.stiffness = 3e3;
    soft.edge_stiffness = 3e2;
    auto scene = std::make_shared<LoadedScene>(*support::small_scene(soft, 4, 2));
    scene->scene.settings.pins() = {PinRule::below(1, 0.01)};
    scene->scene.body().initial_shear = {0, 0, 20};
    World world(scene, 1);
    world.apply(SetMethod{"exprb42"});
    world.apply(SetStepControl{StepControl::error, 0.03});
    EXPECT_TRUE(world.advance_to(0.1)) << world.snapshot().message;
    world.apply(SetMethod{method});
    world.apply(SetStep{frame});
    world.apply(SetStepControl{StepControl::error, tolerance});
    world.apply(SetParameter{"stiffness", stiffness});
    world.apply(SetParameter{"damping", damping});
    return world;
}

struct Played {
    std::uint64_t steps, tries, rejected, redone;
    bool settled = false;
};
Played play(World& world, int frames) {
    const Snapshot before = world.snapshot();
    const auto tries = world.totals().tries;
    const double end = world.time() + frames * frame;
    Played played{};
    while (world.time() < end) {
        const double gained = world.energies().total() - world.energies().supplied;
        const auto refused = world.totals().rejected;
        if (!world.step_towards(end)) {
            ADD_FAILURE() << world.snapshot().message;
            break;
        }
        EXPECT_TRUE(world.positions().allFinite() && world.velocities().allFinite());
        if (const char* by = world.report().redone_by) {
            EXPECT_GE(world.report().error, 0) << "a step taken over says how accurate it seems";
            played.settled = played.settled || std::strcmp(by, DescentFallback::id) == 0;
            if (std::strcmp(by, DescentFallback::id) == 0) {
                EXPECT_LE(world.energies().total() - world.energies().supplied, gained + 1e-9 * std::abs(gained));
                EXPECT_GE(world.totals().rejected - refused, 3u) << "the method's step and those of both rescuers were refused";
            }
        }
    }
    const Snapshot after = world.snapshot();
    played.steps = after.step - before.step;
    played.tries = world.totals().tries - tries;
    played.rejected = after.rejected_steps - before.rejected_steps;
    played.redone = after.redone_steps - before.redone_steps;
    return played;
}

// Linearised at rest and far from it: what is left to the explicit part is stiff, and steps would shrink to h / 20000.
TEST(Handover, AStiffBodyFarFromRestMovesOnAtAWatchableCost) {
    for (const char* method : {"exp-euler", "exprb2", "epirk4s3", "gautschi"}) {
        World world = violent(method, 0.1, 1e10, 2e-4);
        const Played played = play(world, 60);
        EXPECT_GT(played.redone, 0u) << method << ": the test is too gentle";
        EXPECT_LT(played.tries, 60 * 40u) << method;
        EXPECT_EQ(played.tries, played.steps + played.rejected - played.redone) << method << ": a refused step was not counted";
    }
}

TEST(Handover, AHopelessMethodIsAskedLessAndLessOften) {
    Played all{};  // of several bodies: how often one of them tries is a matter of rounding
    for (const double stiffness : {0.5e11, 0.7e11, 1e11, 1.3e11, 2e11}) {
        World world = violent("exp-euler", 1e-3, stiffness, 0);
        play(world, 8);
        const Played played = play(world, 48);
        EXPECT_GE(played.redone, 30u) << "the test is too gentle";
        all.tries += played.tries, all.steps += played.steps;
    }
    EXPECT_LE(all.tries, 4 * all.steps) << "measured 2.1 tries per step, 1 to 3.7 of one body; asked every time it would be dozens";
}

// Steps that visible motion wants are taken, however many they are.
TEST(Handover, VisibleMotionStaysWithItsMethod) {
    for (const char* method : {"exp-euler", "exprb2", "exprb42", "gautschi"}) {
        World world = violent(method, 1e-3, 3e3, 0);
        const Played played = play(world, 6);
        EXPECT_EQ(played.redone, 0u) << method;
        EXPECT_GT(played.steps, 12u) << method << ": the test is too gentle";
    }
}

// Damping by beta K(q) drives where the body is turned inside out, and no method or rescuer can follow.
TEST(Handover, ABodyNoMethodCanFollowSettles) {
    bool settled = false;
    for (const char* method : {"exp-euler", "exprb42"})
        for (const double damping : {2e-4, 5e-3}) {
            World world = violent(method, 0.05, 8e11, damping);
            const Played played = play(world, 20);
            EXPECT_LT(played.tries, 20 * 40u) << method;
            settled = settled || played.settled;
        }
    EXPECT_TRUE(settled) << "the test is too gentle";
}

TEST(DescentFallback, NeverGainsAndKeepsPins) {
    Parameters p;
    p.stiffness = 1e6;
    const auto scene = support::small_scene(p, 3, 1);
    const auto system = make_system(*scene, make_workers(*scene, 1));
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (const double size : {0.01, 0.1, 1.0})
        for (const double h : {1e-6, 1e-3, 0.1}) {
            State in = initial_state(*scene, *system), out = in;
            VecX kick(in.q.size());
            for (Eigen::Index k = 0; k < kick.size(); ++k) kick[k] = size * normal(random);
            system->constraints().project(kick);
            in.q += kick;
            in.v = 10 * kick;
            DescentFallback settling;
            ASSERT_TRUE(settling.step(*system, in, h, out).ok());
            EXPECT_DOUBLE_EQ(out.t, in.t + h);
            const auto potential = [&](const VecX& q) { return system->elastic_energy(q) + system->gravity_energy(q); };
            EXPECT_LE(potential(out.q) + system->kinetic_energy(out.v), potential(in.q) * (1 + 1e-12)) << size << " " << h;
            VecX forbidden = out.q - in.q;
            system->constraints().project(forbidden);
            EXPECT_EQ((out.q - in.q - forbidden).norm(), 0);
        }
}

TEST(Robust, StepsDoNotGrowRightAfterAFailure) {
    StepController control(StepControl::error, 1e-3, 3);
    StepReport easy;
    easy.error = 0;
    control.failed(0.01);
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(control.next(1), 0.005);
        EXPECT_TRUE(control.accept(easy, control.next(1)));
    }
    EXPECT_TRUE(control.accept(easy, control.next(1)));
    EXPECT_NEAR(control.next(1), 0.01, 1e-15);
}

}  // namespace
}  // namespace wobble
