// The window while one step takes half a second and the engine has all cores: it still draws, and pause, orbit and quit are seen at once.
// Times are measured and printed; asserted is what no load can excuse: frames, not milliseconds. On a machine with nothing else to do
// WOBBLE_TIMED=1 asserts the milliseconds, too.
#include "tests/app/timed.h"
#include "tests/app/viewer_test.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <random>
#include <thread>
#include <utility>

namespace wobble {
namespace {

using Clock = std::chrono::steady_clock;
double milliseconds(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

double share(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

// One xdotool that stays and reads commands: an event is at the server less than a millisecond after it was asked for.
class Hand {
public:
    Hand() : pipe_(popen("xdotool - >/dev/null 2>&1", "w")) {}
    ~Hand() {
        if (pipe_) pclose(pipe_);
    }
    Hand(const Hand&) = delete;
    Hand& operator=(const Hand&) = delete;
    void does(const std::string& words) {
        std::fprintf(pipe_, "%s\n", words.c_str());
        std::fflush(pipe_);
    }

private:
    FILE* pipe_;
};

class SlowSteps : public ViewerTest {
protected:
    double step_ms_ = 0;
    void change(ViewerOptions& options) override { options.threads = 0; }
    // A body whose implicit steps with a fresh factorisation take about half a second here.
    void SetUp() override {
        ViewerTest::SetUp();
        auto scene = load_scene("beam");
        ASSERT_TRUE(scene);
        scene.value().settings.parameters().resolution = 5000;
        auto loaded = build_scene(std::move(scene).value());
        ASSERT_TRUE(loaded) << loaded.message();
        app_->post(Load{loaded.value()});
        SolverOptions solver;
        solver.nonlinear = NonlinearSolver::newton;
        solver.linear = LinearSolver::cholesky;
        app_->post(SetMethod{"implicit-euler"});
        app_->post(SetSolver{solver});
        app_->post(SetStep{1.0 / 60});
        ASSERT_TRUE(until([&] { return app_->latest()->scene == loaded.value() && app_->latest()->settings.method == "implicit-euler"; }));
        app_->post(Play{});
        ASSERT_TRUE(until([&] { return app_->latest()->step >= 1; }));
        const auto began = Clock::now();
        const auto from = app_->latest()->step;
        ASSERT_TRUE(until([&] { return app_->latest()->step >= from + 2; }));
        step_ms_ = milliseconds(Clock::now() - began) / double(app_->latest()->step - from);
        std::printf("one step takes %.0f ms\n", step_ms_);
        ASSERT_TRUE(Xvfb::xdotool(at(on_body())));
    }

    // How long until a frame that shows the effect of an event is on the display; events come at any moment of a frame.
    template <class Seen>
    std::vector<double> reactions(int trials, const std::function<std::string(int)>& words, Seen&& seen) {
        Hand hand;
        std::mt19937 random(7);
        std::vector<double> times;
        for (int trial = 0; trial < trials; ++trial) {
            Clock::time_point asked;
            std::atomic<bool> done = false;
            std::jthread user([&, pause = std::uniform_int_distribution<>(40, 80)(random)] {
                std::this_thread::sleep_for(std::chrono::milliseconds(pause));
                asked = Clock::now();
                hand.does(words(trial));
                done = true;
            });
            if (!until([&] { return done && seen(trial); })) return {};
            times.push_back(milliseconds(Clock::now() - asked));
        }
        return times;
    }
    static void print(const char* what, const std::vector<double>& times) {
        std::printf("%s: median %.0f ms, 90 %% of %zu within %.0f ms, all within %.0f ms\n", what, share(times, 0.5), times.size(),
                    share(times, 0.9), share(times, 1));
    }
    // Frames until an event that is already at the server is seen.
    template <class Seen>
    int frames_until(Seen&& seen) {
        int count = 0;
        do app_->frame();
        while (++count < 100 && !seen());
        return count;
    }
};

TEST_F(SlowSteps, ManyFramesAreDrawnDuringOneStep) {
    if (step_ms_ < 150) GTEST_SKIP() << "a step takes only " << step_ms_ << " ms here: not slow enough to show anything";
    std::vector<double> times;
    int frames = 0;
    const auto step = app_->latest()->step;
    ASSERT_TRUE(until([&] { return app_->latest()->step > step; }));
    while (app_->latest()->step == step + 1) {
        const auto began = Clock::now();
        app_->frame();
        times.push_back(milliseconds(Clock::now() - began));
        ++frames;
    }
    const auto& t = app_->ui().interface.timings;
    std::printf("%d frames during one step; a frame takes %.1f ms (median), %.1f at most\n", frames, share(times, 0.5), share(times, 1));
    std::printf("of the last ones: panels %.1f ms, picture %.1f ms, handed over in %.1f ms\n", t.panels, t.picture, t.present);
    EXPECT_GE(frames, 3) << "the window waits for steps";
}

TEST_F(SlowSteps, PauseAndOrbitAreSeenInTheNextFrame) {
    int now_running = 1;
    for (int round = 0; round < 6; ++round) {
        ASSERT_TRUE(Xvfb::xdotool("key space"));
        now_running = !now_running;
        EXPECT_LE(frames_until([&] { return app_->shown().front()->running == now_running; }), 2);
    }
    ASSERT_TRUE(Xvfb::xdotool("mousedown 1"));
    frames(3);
    for (int round = 0; round < 6; ++round) {
        const float yaw = app_->ui().camera.yaw;
        ASSERT_TRUE(Xvfb::xdotool("mousemove_relative 12 0"));
        EXPECT_LE(frames_until([&] { return app_->ui().camera.yaw != yaw; }), 2);
    }
    ASSERT_TRUE(Xvfb::xdotool("mouseup 1"));
}

TEST_F(SlowSteps, ReactionsAtAnyMoment) {
    const auto pause = reactions(
        30, [](int) { return "key space"; }, [&](int trial) { return app_->shown().front()->running == (trial % 2 == 1); });
    ASSERT_EQ(pause.size(), 30u) << "pause was never seen";
    print("pause", pause);
    app_->post(Play{});
    ASSERT_TRUE(Xvfb::xdotool("mousedown 1"));
    frames(3);
    float yaw = app_->ui().camera.yaw;
    const auto orbit = reactions(
        30, [](int trial) { return trial % 4 < 2 ? "mousemove_relative 12 0" : "mousemove_relative -- -12 0"; },
        [&](int) { return std::exchange(yaw, app_->ui().camera.yaw) != app_->ui().camera.yaw; });
    ASSERT_EQ(orbit.size(), 30u) << "orbit was never seen";
    print("orbit", orbit);
    ASSERT_TRUE(Xvfb::xdotool("mouseup 1"));
    if (!timed()) return;
    EXPECT_LE(share(pause, 0.9), 50) << "ms, pause";
    EXPECT_LE(share(orbit, 0.9), 50) << "ms, orbit";
}

TEST_F(SlowSteps, QuittingClosesTheWindowAtOnceAndGivesUpTheStep) {
    frames(3);
    ASSERT_TRUE(Xvfb::xdotool("search --onlyvisible --name Wobble"));
    ASSERT_TRUE(Xvfb::xdotool("key ctrl+q"));
    const auto began = Clock::now();
    int count = 1;
    while (count < 100 && app_->frame()) ++count;
    const double gone = milliseconds(Clock::now() - began);
    EXPECT_LE(count, 2);
    EXPECT_FALSE(Xvfb::xdotool("search --onlyvisible --name Wobble"));
    const auto ending = Clock::now();
    app_.reset();
    const double ended = milliseconds(Clock::now() - ending);
    std::printf("the window is gone after %.0f ms, the program has ended %.0f ms later\n", gone, ended);
    if (!timed()) return;
    EXPECT_LE(gone, 50) << "ms, quit";
    EXPECT_LT(ended, 2 * step_ms_);
}

}  // namespace
}  // namespace wobble
