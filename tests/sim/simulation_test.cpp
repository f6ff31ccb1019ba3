#include "engine/sim/simulation.h"

#include "engine/integrate/methods.h"
#include "engine/sim/world.h"
#include "tests/support/small_scene.h"
#include "tests/support/wait_for.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace wobble {
namespace {

using support::small_scene;
using support::wait_for;

TEST(Simulation, AThreadedRunHasTheHashOfASingleThreadedOneWithTheSameCommands) {
    const auto scene = small_scene({}, 20, 8);
    std::shared_ptr<const Snapshot> last;
    std::vector<Simulation::Logged> log;
    {
        Simulation simulation(scene, 2, Simulation::Log::on);
        simulation.post(SetSpeed{100});
        simulation.post(Play{});
        ASSERT_TRUE(wait_for([&] { return simulation.latest()->step > 20; }));
        for (const char* id : {"verlet", "rk45", "implicit-euler", "bdf2", "v-imex", "exprb2"}) {
            const Method& method = *find_method(id);
            simulation.post(SetMethod{id});
            simulation.post(SetSolver{{.linear = LinearSolver::cg_block}});
            simulation.post(SetParameter{"stiffness", 1e4 * method.info.order});
            simulation.post(Grab{3, Vec3(0.2, 0.3, 0.5), Vec3(1, 1, 0)});
            const auto from = simulation.latest()->step;
            ASSERT_TRUE(wait_for([&] { return simulation.latest()->step > from + 10; }));
            simulation.post(Release{});
        }
        simulation.post(Pause{});
        ASSERT_TRUE(wait_for([&] { return !simulation.latest()->running; }));
        const auto paused_at = simulation.latest()->step;
        simulation.post(StepOnce{});
        ASSERT_TRUE(wait_for([&] { return simulation.latest()->step == paused_at + 1; }));
        last = simulation.latest();
        log = simulation.log();
    }
    World world(scene, 1);
    std::uint64_t steps = 0;
    for (const auto& [before_step, t, command] : log) {
        for (; steps < before_step; ++steps) world.step();
        EXPECT_EQ(world.time(), t);
        world.apply(command);
    }
    while (world.snapshot().step < last->step) world.step();
    EXPECT_EQ(world.state_hash(), last->state_hash);
    EXPECT_EQ(world.time(), last->t);
}

TEST(Simulation, PausesPlaysResetsAndStepsOnce) {
    Simulation simulation(small_scene());
    EXPECT_FALSE(simulation.latest()->running);
    EXPECT_EQ(simulation.latest()->step, 0u);
    const auto initial = simulation.latest()->state_hash;
    simulation.post(StepOnce{});
    ASSERT_TRUE(wait_for([&] { return simulation.latest()->step == 1; }));
    simulation.post(StepOnce{});
    simulation.post(StepOnce{});
    ASSERT_TRUE(wait_for([&] { return simulation.latest()->step == 3; }));
    EXPECT_FALSE(simulation.latest()->running);
    simulation.post(Play{});
    ASSERT_TRUE(wait_for([&] { return simulation.latest()->step > 5 && simulation.latest()->running; }));
    simulation.post(Pause{});
    ASSERT_TRUE(wait_for([&] { return !simulation.latest()->running; }));
    const auto stopped = simulation.latest()->step;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(simulation.latest()->step, stopped);
    simulation.post(Reset{});
    ASSERT_TRUE(wait_for([&] { return simulation.latest()->state_hash == initial; }));
}

// A flood of commands neither stops the stepping nor is lost.
TEST(Simulation, KeepsSteppingUnderAFloodOfCommands) {
    Simulation simulation(small_scene(), 0, Simulation::Log::on);
    simulation.post(Play{});
    simulation.post(Grab{3, Vec3(0.2, 0.3, 0.5), Vec3(1, 1, 0)});
    for (int i = 0; i < 400; ++i) {
        simulation.post(MoveGrab{Vec3(1, 1 + 1e-3 * i, 0)});
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(wait_for([&] { return simulation.log().size() == 402; }));
    ASSERT_TRUE(wait_for([&] { return simulation.latest()->step > 20; }));
    ASSERT_TRUE(simulation.latest()->grab.has_value());
    EXPECT_NEAR(simulation.latest()->grab->target.y(), 1.399f, 1e-3f);
}

TEST(Simulation, TheTraceHasEveryStepOnce) {
    Simulation simulation(small_scene());
    simulation.post(SetSpeed{50});
    simulation.post(Play{});
    std::vector<EnergySample> trace;
    const auto fetch = [&] {
        const auto more = simulation.take_trace();
        trace.insert(trace.end(), more.begin(), more.end());
    };
    ASSERT_TRUE(wait_for([&] { return fetch(), simulation.latest()->step > 50; }));
    simulation.post(Pause{});
    ASSERT_TRUE(wait_for([&] { return !simulation.latest()->running; }));
    fetch();
    std::uint64_t steps = 0;
    for (std::size_t i = 1; i < trace.size(); ++i) {
        EXPECT_GE(trace[i].t, trace[i - 1].t);
        steps += trace[i].t > trace[i - 1].t;
    }
    EXPECT_EQ(steps, simulation.latest()->step);
    EXPECT_EQ(trace.back().energies.total(), simulation.latest()->energies.total());
}

TEST(Simulation, DivergencePausesWithAMessage) {
    Simulation simulation(small_scene());
    simulation.post(SetMethod{"verlet"});
    simulation.post(SetStep{0.05});
    simulation.post(Play{});
    ASSERT_TRUE(wait_for([&] { return !simulation.latest()->message.empty(); }));
    EXPECT_FALSE(simulation.latest()->running);
    for (const Vec3f& x : simulation.latest()->positions) ASSERT_TRUE(x.allFinite());
}

TEST(Simulation, SnapshotsOutliveTheSimulation) {
    std::shared_ptr<const Snapshot> last;
    {
        Simulation simulation(small_scene());
        last = simulation.latest();
    }
    EXPECT_EQ(last->positions.size(), last->surface->pinned.size());
}

}  // namespace
}  // namespace wobble
