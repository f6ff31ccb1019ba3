#include "engine/sim/frame_barrier.h"

#include "tests/support/small_scene.h"
#include "tests/support/wait_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <thread>
#include <utility>

namespace wobble {
namespace {

using support::small_scene;
using support::wait_for;

struct Pair : ::testing::Test {
    std::shared_ptr<const LoadedScene> scene = small_scene({}, 8, 3);
    Simulation a{scene, 1}, b{scene, 1};
    void start(const std::shared_ptr<FrameBarrier>& lock, double interval = 1.0 / 60) {
        a.post(SetMethod{"verlet"});
        b.post(SetMethod{"implicit-euler"});
        int i = 0;
        for (Simulation* s : {&a, &b}) {
            s->post(SetSpeed{20});
            s->set_frames(interval, {lock->gate(i++)}, 0);
            s->post(Play{});
        }
    }
};

TEST_F(Pair, SetsAreOfTheSameTimeAndNoneIsSkipped) {
    struct Shared {
        std::mutex mutex;
        std::vector<FrameBarrier::Set> sets;
    };
    const auto shared = std::make_shared<Shared>();  // the engines go on while this function ends
    const auto lock = FrameBarrier::make(2, [shared](const FrameBarrier::Set& set) {
        const std::lock_guard guard(shared->mutex);
        shared->sets.push_back(set);
        return true;
    });
    start(lock);
    ASSERT_TRUE(wait_for([&] {
        const std::lock_guard guard(shared->mutex);
        return shared->sets.size() >= 30;
    }));
    const auto sets = [&] {
        const std::lock_guard guard(shared->mutex);
        return shared->sets;
    }();
    for (std::size_t k = 0; k < sets.size(); ++k) {
        ASSERT_EQ(sets[k].size(), 2u);
        EXPECT_NEAR(sets[k][0]->t, static_cast<double>(k) / 60, 1e-12);
        EXPECT_EQ(sets[k][0]->t, sets[k][1]->t);
        EXPECT_EQ(sets[k][0]->settings.method, "verlet");
        EXPECT_EQ(sets[k][1]->settings.method, "implicit-euler");
    }
}

TEST_F(Pair, DistancesAreThoseOfTheSurfaces) {
    const auto lock = FrameBarrier::make(2);
    start(lock);
    ASSERT_TRUE(wait_for([&] { return lock->complete().size() == 2 && lock->complete()[0]->t > 0.3; }));
    a.post(Pause{}), b.post(Pause{});
    const auto distances = lock->take_distances();
    ASSERT_GT(distances.size(), 10u);
    EXPECT_EQ(distances.front().metres, 0) << "they start from the same state";
    EXPECT_GT(distances.back().metres, 0);
    Snapshot x, y;
    x.positions = {{0, 0, 0}, {1, 0, 0}};
    y.positions = {{0, 3, 4}, {1, 0, 0}};
    EXPECT_NEAR(surface_distance(x, y), std::sqrt(12.5), 1e-6);
    y.positions.pop_back();
    EXPECT_EQ(surface_distance(x, y), 0) << "of another body";
}

TEST_F(Pair, ASinkThatIsNotReadyHoldsUpAllAndLosesNothing) {
    struct Shared {
        std::atomic<bool> ready = false;
        std::atomic<int> taken = 0;
    };
    const auto shared = std::make_shared<Shared>();
    std::atomic<bool>& ready = shared->ready;
    std::atomic<int>& taken = shared->taken;
    const auto lock = FrameBarrier::make(
        2, [shared](const FrameBarrier::Set&) { return shared->ready.load() && (++shared->taken, true); }, 2);
    start(lock);
    ASSERT_TRUE(wait_for([&] { return a.latest()->running && b.latest()->running; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(taken, 0);
    EXPECT_EQ(a.latest()->t, 0);
    a.post(SetParameter{"stiffness", 7000});
    EXPECT_TRUE(wait_for([&] { return a.latest()->settings.parameters().stiffness == 7000; })) << "commands are heard while waiting";
    ready = true;
    ASSERT_TRUE(wait_for([&] { return taken >= 5; }));
    a.post(Pause{}), b.post(Pause{});
    ASSERT_TRUE(wait_for([&] { return !a.latest()->running && !b.latest()->running; }));
    EXPECT_NEAR(a.latest()->t, 2.0 * (taken - 1) / 60, 2.1 / 60) << "every second frame was offered";
}

TEST_F(Pair, StopAndGoTogetherAtFrames) {
    const auto lock = FrameBarrier::make(2);
    lock->hold();
    start(lock);
    ASSERT_TRUE(wait_for([&] { return lock->complete().size() == 2; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(a.latest()->t, 0) << "held from the beginning";
    for (int k = 1; k <= 3; ++k) {
        lock->go_one_frame();
        ASSERT_TRUE(wait_for([&] { return lock->complete()[0]->frame == static_cast<std::uint64_t>(k); }));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_NEAR(lock->complete()[0]->t, 3.0 / 60, 1e-12);
    lock->go();
    ASSERT_TRUE(wait_for([&] { return lock->complete()[0]->t > 0.3; }));
    lock->hold();
    double t = -1;
    ASSERT_TRUE(wait_for([&] {  // the frame they were on the way to may take its time
        t = lock->complete()[0]->t;
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        return lock->complete()[0]->t == t;
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    EXPECT_EQ(lock->complete()[0]->t, t);
    EXPECT_EQ(lock->complete()[1]->t, t);
}

TEST_F(Pair, WhoIsBehindCatchesUp) {
    b.post(SetMethod{"verlet"});
    b.post(SetFrameTimes{0.05});
    b.post(PlayTo{0.1});
    ASSERT_TRUE(wait_for([&] { return b.latest()->t >= 0.1 - 1e-9; }));
    const auto lock = FrameBarrier::make(2);
    start(lock);
    ASSERT_TRUE(wait_for([&] { return lock->complete().size() == 2 && lock->complete()[0]->t > 0.2; }));
    const auto set = lock->complete();
    EXPECT_EQ(set[0]->t, set[1]->t);
    const auto distances = lock->take_distances();
    ASSERT_FALSE(distances.empty());
    for (const auto& d : distances) EXPECT_GE(d.t, 0.1 - 1e-9) << "no set before all had come";
}

TEST_F(Pair, WhoIsLeftBehindDoesNotHoldUpTheOthers) {
    const auto lock = FrameBarrier::make(2);
    a.post(SetSpeed{20});
    a.set_frames(1.0 / 60, {lock->gate(0)}, 0);
    a.post(Play{});  // b never comes
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_LE(a.latest()->t, 1.0 / 60);
    lock->leave(1);
    EXPECT_TRUE(wait_for([&] { return a.latest()->t > 0.2; }));
}

TEST(Simulation, QuitsWhileAGateIsClosed) {
    struct Never final : FrameGate {
        bool pass(const std::shared_ptr<const Snapshot>&) override { return false; }
    };
    Simulation simulation(small_scene({}, 8, 3), 1);
    simulation.set_frames(0.01, {std::make_shared<Never>()});
    simulation.post(Play{});
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(simulation.latest()->t, 0);
}

}  // namespace
}  // namespace wobble
