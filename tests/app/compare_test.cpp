// Comparison mode in a real window: the same scene with several integrators, locked to simulated time.
#include "app/runs.h"
#include "app/window.h"
#include "engine/sim/scene_file.h"
#include "tests/app/viewer_test.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

class Compare : public ViewerTest {
protected:
    void compare(std::vector<std::string> methods) {
        ui().compare.methods = std::move(methods);
        ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "key c"));
        ASSERT_TRUE(until([&] { return app_->ui().compare.on; }));
    }
};

TEST_F(Compare, RunsOfTheSameTimeStandSideBySideAndTheirDistanceGrows) {
    const Image single = shown();
    compare({"verlet", "implicit-euler"});
    ASSERT_TRUE(until([&] { return app_->shown().size() == 2 && app_->shown()[0]->t > 0.5; }));
    for (int i = 0; i < 20; ++i) {
        app_->frame();
        const auto now = app_->shown();
        ASSERT_EQ(now.size(), 2u);
        EXPECT_EQ(now[0]->t, now[1]->t);
        EXPECT_EQ(now[0]->method, "verlet");
        EXPECT_EQ(now[1]->method, "implicit-euler");
    }
    EXPECT_GT(app_->ui().compare.runs[1].difference, 0);
    EXPECT_EQ(app_->ui().plots.history.runs().size(), 2u);
    EXPECT_GT(different_pixels(single, shown(), app_->viewport()), 5000);
    // Overlaid, then back to one run, which goes on.
    const Image beside = shown();
    ui().compare.layout = Layout::overlaid;
    EXPECT_GT(different_pixels(beside, shown(), app_->viewport()), 5000);
    const double t = app_->shown()[0]->t;
    ASSERT_TRUE(Xvfb::xdotool("key c"));
    ASSERT_TRUE(until([&] { return !app_->ui().compare.on; }));
    EXPECT_TRUE(until([&] { return app_->shown().size() == 1 && app_->shown()[0]->t > t; }));
}

TEST_F(Compare, PauseStepAndGoingBackMoveAllTogether) {
    compare({"verlet", "exprb42", "implicit-euler", "rk4"});
    ASSERT_TRUE(until([&] { return app_->shown().size() == 4 && app_->shown()[0]->t > 0.2; }));
    ASSERT_TRUE(Xvfb::xdotool("key space"));
    const auto all = [&](auto&& test) {
        const auto now = app_->shown();
        return now.size() == 4 && std::all_of(now.begin(), now.end(), test);
    };
    const auto paused = [](const auto& s) { return !s->running; };
    ASSERT_TRUE(until([&] { return all(paused); }));
    double t = -1;
    ASSERT_TRUE(until([&] { return std::exchange(t, app_->shown()[0]->t) == t && (frames(8), app_->shown()[0]->t == t); })) << "they stop at a frame";
    ASSERT_TRUE(all([&](const auto& s) { return s->t == t; }));
    ASSERT_TRUE(Xvfb::xdotool("key Right"));
    EXPECT_TRUE(until([&] { return all([&](const auto& s) { return std::abs(s->t - t - 1 / Runs::lock_rate) < 1e-9; }); }));
    ASSERT_TRUE(Xvfb::xdotool("key Left"));
    EXPECT_TRUE(until([&] { return all([&](const auto& s) { return std::abs(s->t - t) < 1e-9; }); }));
    ASSERT_TRUE(Xvfb::xdotool("key r"));
    EXPECT_TRUE(until([&] { return all([&](const auto& s) { return s->t == 0; }); }));
    // A click on a cell makes its run the active one.
    const auto cell = cells(Layout::side_by_side, 4, app_->viewport())[3];
    ASSERT_TRUE(Xvfb::xdotool(at({float(cell.x + cell.width / 2), float(cell.y + cell.height - 8)}) + "click 1"));
    EXPECT_TRUE(until([&] { return app_->ui().compare.active == 3; }));
}

TEST_F(Compare, ARunThatFailsIsLeftBehind) {
    compare({"implicit-euler", "euler"});
    ui().compare.active = 1;
    app_->post(SetStep{0.05});  // far beyond what explicit Euler can take
    ASSERT_TRUE(until([&] { return app_->ui().compare.runs.size() == 2 && app_->ui().compare.runs[1].out; }));
    const double t = app_->shown()[0]->t;
    EXPECT_TRUE(until([&] { return app_->shown()[0]->t > t + 0.3; }));
    EXPECT_FALSE(app_->ui().compare.runs[0].out);
    app_->post(SetStep{0});
    ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "key r"));
    EXPECT_TRUE(until([&] { return !app_->ui().compare.runs[1].out && app_->shown()[1]->t > 0; })) << "a reset tries again";
}

}  // namespace
}  // namespace wobble
