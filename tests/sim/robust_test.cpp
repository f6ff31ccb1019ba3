// What happens when a step goes wrong, and how step sizes are chosen.
#include "engine/integrate/methods.h"
#include "engine/sim/step_control.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wobble {
namespace {

Parameters soft() {
    Parameters p;
    p.stiffness = 3e3;
    p.edge_stiffness = 3e2;
    return p;
}

std::shared_ptr<const LoadedScene> kicked(double shear, Parameters p = soft()) {
    auto scene = std::make_shared<LoadedScene>(*support::small_scene(p, 4, 2));
    scene->scene.pins = {PinRule::below(1, 0.01)};
    scene->scene.initial_shear = {0, 0, shear};
    return scene;
}

// Kicks that tear elements inside out: nothing may explode, whatever the implicit method, at a frame's step.
TEST(Robust, ViolentKicksStayBoundedForEveryImplicitMethod) {
    for (const Method& method : methods()) {
        if (method.info.family != Family::implicit_classical) continue;
        for (const double kick : {8.0, 20.0}) {
            World world(kicked(kick));
            world.apply(SetMethod{method.info.id});
            world.apply(SetStep{1.0 / 60});
            const double start = world.energies().total();
            ASSERT_TRUE(world.advance_to(2)) << method.info.id << ", kick " << kick << ": " << world.snapshot().message;
            EXPECT_LT(world.energies().total(), start + 0.25 * world.energies().max_kinetic) << method.info.id << ", kick " << kick;
            EXPECT_TRUE(world.positions().allFinite());
        }
    }
}

TEST(Robust, RefusedStepsAreCountedAndRedoneStepsAreAmongThem) {
    std::uint64_t redone = 0;
    for (const Method& method : methods()) {
        if (method.info.family != Family::implicit_classical) continue;
        World world(kicked(20));
        world.apply(SetMethod{method.info.id});
        world.apply(SetStep{1.0 / 30});
        ASSERT_TRUE(world.advance_to(1)) << method.info.id;
        const Snapshot shot = world.snapshot();
        EXPECT_LE(shot.redone_steps, shot.rejected_steps) << method.info.id;
        redone += shot.redone_steps;
    }
    EXPECT_GT(redone, 0u) << "no method ever needed help: the test is too gentle";
}

TEST(Robust, ErrorControlFindsStableStepsForEveryExplicitMethod) {
    for (const Method& method : methods()) {
        if (method.info.family != Family::explicit_classical) continue;
        World world(kicked(2));
        world.apply(SetMethod{method.info.id});
        world.apply(SetStepControl{StepControl::error, 1e-3});
        ASSERT_TRUE(world.advance_to(0.2)) << method.info.id << ": " << world.snapshot().message;
        EXPECT_LT(world.energies().drift(), 0.2) << method.info.id;
        EXPECT_TRUE(world.positions().allFinite());
    }
}

TEST(Robust, ASmallerToleranceGivesASmallerError) {
    const auto end = [](const char* id, double tolerance) {
        World world(kicked(2));
        world.apply(SetMethod{id});
        world.apply(SetStep{0.1});  // the longest one: the tolerance shall decide
        world.apply(SetStepControl{StepControl::error, tolerance});
        EXPECT_TRUE(world.advance_to(0.2)) << id << ": " << world.snapshot().message;
        return std::pair{world.positions(), world.snapshot().step};
    };
    const auto [reference, unused] = end("rk45", 1e-7);
    for (const char* id : {"rk45", "rk23", "verlet", "tr-bdf2"}) {
        if (!find_method(id)) continue;
        const auto [coarse, few] = end(id, 1e-2);
        const auto [fine, many] = end(id, 1e-4);
        EXPECT_LT((fine - reference).norm(), 0.3 * (coarse - reference).norm()) << id;
        EXPECT_GT(many, few) << id;
    }
}

TEST(Robust, NewtonControlShortensWhereNewtonWorksHardAndGrowsBack) {
    StepController control(StepControl::newton, 0.01, 1);
    StepReport hard, easy;
    hard.newton_iterations = 12, hard.stages = 1;
    easy.newton_iterations = 2, easy.stages = 1;
    EXPECT_EQ(control.next(0.01), 0.01);
    EXPECT_TRUE(control.accept(hard, 0.01));
    const double shorter = control.next(0.01);
    EXPECT_LT(shorter, 0.01);
    EXPECT_TRUE(control.accept(easy, shorter));
    EXPECT_GT(control.next(0.01), shorter);
    for (int i = 0; i < 20; ++i) control.accept(easy, control.next(0.01));
    EXPECT_EQ(control.next(0.01), 0.01) << "never longer than asked for";
    control.failed(0.01);
    EXPECT_EQ(control.next(0.01), 0.005);
}

TEST(Robust, NewtonControlRunsViolentMotion) {
    World world(kicked(8));
    world.apply(SetMethod{"implicit-euler"});
    world.apply(SetStep{0.1});
    world.apply(SetStepControl{StepControl::newton, 0.01});
    double shortest = 1;
    world.apply(Play{});
    while (world.time() < 1) {
        ASSERT_TRUE(world.step_towards(1)) << world.snapshot().message;
        if (world.time() < 1) shortest = std::min(shortest, world.snapshot().h);
    }
    EXPECT_LT(shortest, 0.09) << "Newton never asked for a shorter step: the test is too gentle";
}

TEST(Robust, TheErrorControllerRepeatsBadStepsAndIgnoresNothing) {
    StepController control(StepControl::error, 1e-3, 4);
    StepReport report;
    report.error = 1e-1;
    EXPECT_FALSE(control.accept(report, 0.01));
    EXPECT_LE(control.next(0.01), 0.007);
    report.error = std::nan("");
    EXPECT_FALSE(control.accept(report, 0.01));
    EXPECT_LT(control.next(0.01), 0.01);
    report.error = 0;
    EXPECT_TRUE(control.accept(report, 0.001));
    EXPECT_EQ(control.next(0.01), 0.002);
}

TEST(Robust, QuadratureDefectIsTheLocalErrorOfTheTrapezoid) {
    State a, b;
    a.q = VecX::Zero(3), a.v = VecX::Constant(3, 1);
    b = a;
    b.t = 0.1;
    b.q = VecX::Constant(3, 0.1);
    EXPECT_NEAR(quadrature_defect(a, b), 0, 1e-15);
    b.v = VecX::Constant(3, 2);  // moved 0.1, but the mean velocity says 0.15
    EXPECT_NEAR(quadrature_defect(a, b), 0.5, 1e-12);
}

}  // namespace
}  // namespace wobble
