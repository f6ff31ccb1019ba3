// Comparison mode in a real window: the same scene with several integrators, locked to simulated time.
#include "app/runs/simulation_group.h"
#include "app/window/window.h"
#include "engine/scene/scene_file.h"
#include "tests/app/viewer_test.h"
#include "tests/support/small_scene.h"
#include "tests/support/wait_for.h"

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
        EXPECT_EQ(now[0]->settings.method, "verlet");
        EXPECT_EQ(now[1]->settings.method, "implicit-euler");
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
    ASSERT_TRUE(until([&] {
        t = app_->shown()[0]->t;
        frames(8);
        return app_->shown()[0]->t == t;
    })) << "they stop at a frame";
    ASSERT_TRUE(all([&](const auto& s) { return s->t == t; }));
    ASSERT_TRUE(Xvfb::xdotool("key Right"));
    EXPECT_TRUE(until([&] { return all([&](const auto& s) { return std::abs(s->t - t - 1 / SimulationGroup::lock_rate) < 1e-9; }); }));
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

TEST_F(Compare, AtTheSameStepWhatCannotTakeItFailsAndTheOthersGoOn) {
    ui().compare.same_step = true;
    ui().compare.step = 0.02;
    compare({"implicit-euler", "euler", "exprb42"});
    ASSERT_TRUE(until([&] { return app_->ui().compare.runs[1].out; }));
    EXPECT_NE(app_->ui().compare.runs[1].message.find("euler"), std::string::npos) << "why";
    const double t = app_->shown()[0]->t;
    EXPECT_TRUE(until([&] { return app_->shown()[0]->t > t + 0.1; }));
    for (const int i : {0, 2}) {
        EXPECT_EQ(app_->shown()[std::size_t(i)]->asked_step, 0.02);
        EXPECT_GT(app_->ui().compare.runs[std::size_t(i)].cost(), 0);
    }
    ui().compare.step = 0.01;
    ui().compare.new_step = true;
    EXPECT_TRUE(until([&] { return app_->shown()[0]->asked_step == 0.01 && app_->shown()[2]->asked_step == 0.01; }));
    ui().compare.same_step = false;
    ui().compare.new_step = true;
    EXPECT_TRUE(until([&] { return app_->shown()[0]->automatic_step(); }));
}

// Another integrator chosen while they run: all begin anew, and no other run is lost.
TEST_F(Compare, AnIntegratorIsExchangedWhileTheyRun) {
    compare({"verlet", "implicit-euler"});
    ASSERT_TRUE(until([&] { return app_->shown().size() == 2 && app_->shown()[0]->t > 0.2; }));
    ui().compare.methods = {"verlet", "rk4", "exprb2"};
    ui().compare.start = true;
    ASSERT_TRUE(
        until([&] { return app_->shown().size() == 3 && app_->shown()[2]->settings.method == "exprb2" && app_->shown()[2]->t > 0.05; }));
    EXPECT_EQ(app_->shown()[1]->settings.method, "rk4");
    ui().compare.active = 1;
    app_->post(SetMethod{"tr-bdf2"});  // as the integrator section does
    ASSERT_TRUE(until([&] { return app_->shown()[1]->settings.method == "tr-bdf2"; }));
    EXPECT_EQ(app_->ui().compare.methods, (std::vector<std::string>{"verlet", "tr-bdf2", "exprb2"}));
}

class ComparePanel : public Compare {
protected:
    void change(ViewerOptions& options) override { options.list_controls = true; }
};

TEST_F(ComparePanel, LeavingOutARunAboveTheActiveOneKeepsThePanelsOnTheSameIntegrator) {
    ui().interface.closed = {"Scene", "Playback", "Material", "Integrator", "View", "Record", "Interface"};
    compare({"verlet", "implicit-euler", "rk4"});
    ui().compare.active = 1;
    frames(3);
    const auto& seen = app_->controls();
    const auto first = std::find_if(seen.begin(), seen.end(), [](const SeenControl& c) { return c.tooltip == "Leave this one out."; });
    ASSERT_NE(first, seen.end());
    ASSERT_TRUE(Xvfb::xdotool(at({0.5f * (first->x0 + first->x1), 0.5f * (first->y0 + first->y1)}) + "click 1"));
    ASSERT_TRUE(until([&] { return app_->shown().size() == 2; }));
    EXPECT_EQ(app_->ui().compare.methods, (std::vector<std::string>{"implicit-euler", "rk4"}));
    EXPECT_EQ(app_->ui().compare.active, 0);
}

// A body whose Worlds take much longer to make than a frame to draw: frames are counted, not timed.
TEST_F(Compare, FramesAreDrawnWhileTheRunsAreBeingMadeAndGivenUp) {
    const auto heavy = support::small_scene({}, 60, 20);
    app_->post(Load{heavy});
    ASSERT_TRUE(until([&] { return app_->latest()->scene == heavy; }));
    ui().compare.methods = {"verlet", "rk4", "exprb42"};
    const auto preparing = [&] {
        const auto now = app_->shown();
        return std::any_of(now.begin(), now.end(), [](const auto& s) { return s->preparing; });
    };
    const auto begin = [&] {
        ui().compare.start = true;
        app_->frame();
        return app_->ui().compare.on && app_->shown().size() == 3 && preparing();
    };
    ASSERT_TRUE(begin()) << "the first frame already shows all three, as they will begin";
    for (const auto& s : app_->shown()) {
        EXPECT_EQ(s->positions.size(), heavy->body.surface.vertices.size());
        if (s->preparing) {
            EXPECT_EQ(s->surface, app_->latest()->surface) << "made once, not by every run while a frame waits";
        }
    }
    EXPECT_EQ(app_->ui().compare.runs[2].method, "exprb42") << "what it will be";
    ui().compare.stop = true;
    app_->frame();
    ASSERT_EQ(app_->shown().size(), 1u);
    ASSERT_TRUE(begin()) << "again, while the first ones are still being given up";
    int drawn = 0;
    ASSERT_TRUE(until([&] { return ++drawn, !preparing(); }));
    EXPECT_GE(drawn, 3);
    ASSERT_TRUE(until([&] { return app_->shown()[2]->t > 0; }));
    for (const auto& s : app_->shown()) EXPECT_EQ(s->t, app_->shown()[0]->t);
    ui().compare.stop = true;  // steps under way
    app_->frame();
    EXPECT_EQ(app_->shown().size(), 1u);
    ASSERT_TRUE(begin());
    stop_ = true;
    EXPECT_FALSE(app_->frame()) << "closed while Worlds are being made";
}

TEST(ComparedRuns, TheRunThatIsKeptReplaysToTheSameBits) {
    const auto scene = soft_torus();
    ASSERT_TRUE(scene);
    SimulationGroup runs(scene, 2);
    const auto reached = [&](double t) {
        return support::wait_for([&] {
            const auto now = runs.shown();
            return std::all_of(now.begin(), now.end(), [&](const auto& s) { return s->t > t; });
        });
    };
    ASSERT_TRUE(support::wait_for([&] { return runs.compare({"verlet", "exprb42", "implicit-euler"}); }));
    runs.end_comparison(2);
    EXPECT_FALSE(runs.comparing());
    ASSERT_TRUE(support::wait_for([&] { return runs.compare({"rk4", "exprb42"}); }));
    ASSERT_TRUE(reached(0.2));
    runs.end_comparison(1);
    EXPECT_TRUE(support::wait_for([&] { return runs.leaving() == 0; }));
    const double t = runs.shown().front()->t;
    ASSERT_TRUE(reached(t + 0.1));
    runs.post(Pause{});
    ASSERT_TRUE(support::wait_for([&] { return !runs.latest(0)->running; }));
    const RunLog log = runs.first().run_log();
    const auto again = replay(log, 1);
    ASSERT_TRUE(again) << again.message();
    EXPECT_EQ(again.value().hash, runs.latest(0)->state_hash);
    EXPECT_GT(log.t, 0.2);
}

TEST(ComparedRuns, ShareTheThreadsEquallyAndTheLastOneHasThemAll) {
    const auto scene = support::small_scene({}, 20, 8);  // large enough for three threads
    SimulationGroup runs(scene, 3);
    const auto threads = [&](int run, int wanted) {
        runs.post(SetSpeed{1});  // a snapshot follows every command
        return support::wait_for([&] { return !runs.latest(run)->preparing && runs.latest(run)->threads == wanted; });
    };
    EXPECT_TRUE(threads(0, 3));
    ASSERT_TRUE(support::wait_for([&] { return runs.compare({"verlet", "rk4", "exprb42"}); }));
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(threads(i, 1)) << i;
    runs.end_comparison(2);
    EXPECT_TRUE(threads(0, 3)) << "a run that was made for the comparison";
    EXPECT_TRUE(support::wait_for([&] { return runs.latest(0)->step > 3 && runs.latest(0)->message.empty(); }));
}

TEST(ComparedRuns, AnotherSceneKeepsMethodsAndTheSameStepForAll) {
    SimulationGroup runs(support::small_scene(), 1);
    ASSERT_TRUE(support::wait_for([&] { return runs.compare({"implicit-euler", "exprb42"}, 0.004); }));
    const auto all = [&](const std::shared_ptr<const LoadedScene>& scene, double step) {
        return support::wait_for([&] {
            const auto now = runs.shown();
            return std::all_of(now.begin(), now.end(), [&](const auto& s) {
                return s->scene == scene && !s->preparing && s->t > 0 && s->automatic_step() == (step == 0) &&
                       (step == 0 || s->asked_step == step);
            });
        });
    };
    const auto second = support::small_scene({}, 6), third = support::small_scene({}, 5);
    runs.post(Load{second});
    EXPECT_TRUE(all(second, 0.004));
    EXPECT_EQ(runs.shown()[1]->settings.method, "exprb42");
    runs.set_step_of_all(0);
    runs.post(Load{third});
    EXPECT_TRUE(all(third, 0)) << "each its own";
}

TEST(ComparedRuns, AFilmGoesOnWithoutTheRunThatFailedBefore) {
    std::atomic<int> frames = 0, incomplete = 0;  // outlive the engine's threads
    SimulationGroup runs(support::small_scene(), 1);
    ASSERT_TRUE(support::wait_for([&] { return runs.compare({"implicit-euler", "euler"}, 0.05); }));
    ASSERT_TRUE(support::wait_for([&] { return runs.leave_failed_behind(); }));
    runs.begin_film(30, [&](const FrameBarrier::Set& set) {
        ++frames;
        incomplete += set.size() != 2 || !set[0] || !set[1];
        return true;
    });
    EXPECT_TRUE(runs.left_behind(1));
    EXPECT_TRUE(support::wait_for([&] { return frames > 3; }));
    runs.end_film();
    EXPECT_EQ(incomplete, 0) << "the last state of the one that failed is in the picture";
    const double t = runs.shown().front()->t;
    EXPECT_TRUE(support::wait_for([&] { return runs.shown().front()->t > t; }));
    runs.post(Reset{});
    EXPECT_FALSE(runs.left_behind(1)) << "a reset tries again";
}

TEST(ComparedRuns, WhatIsChangedReachesTheRunThatFailedToo) {
    SimulationGroup runs(support::small_scene(), 1);
    ASSERT_TRUE(support::wait_for([&] { return runs.compare({"implicit-euler", "euler"}, 0.05); }));
    ASSERT_TRUE(support::wait_for([&] { return runs.leave_failed_behind(); }));
    runs.post(SetParameter{"stiffness", 123});
    EXPECT_TRUE(support::wait_for(
        [&] { return runs.latest(0)->settings.parameters().stiffness == 123 && runs.latest(1)->settings.parameters().stiffness == 123; }));
    EXPECT_TRUE(runs.left_behind(1));
}

TEST(ComparedRuns, ARemedyLetsTheRunThatFailedCatchUp) {
    SimulationGroup runs(support::small_scene(), 1);
    ASSERT_TRUE(support::wait_for([&] { return runs.compare({"implicit-euler", "euler"}, 0.05); }));
    ASSERT_TRUE(support::wait_for([&] { return runs.leave_failed_behind(); }));
    runs.post(SetMethod{"tr-bdf2"}, 1);
    runs.post(Play{}, 1);
    EXPECT_FALSE(runs.left_behind(1));
    const double t = runs.latest(0)->t;
    EXPECT_TRUE(support::wait_for([&] {
        (void)runs.leave_failed_behind();
        const auto now = runs.shown();
        return now[1]->settings.method == "tr-bdf2" && now[1]->t > t + 0.1 && now[0]->t == now[1]->t;
    }));
    EXPECT_FALSE(runs.left_behind(1));
}

TEST(ComparedRuns, AnotherStepOfOneIsThatOfAllWhereAllHaveTheSame) {
    SimulationGroup runs(support::small_scene(), 1);
    ASSERT_TRUE(support::wait_for([&] { return runs.compare({"implicit-euler", "tr-bdf2"}, 0.004); }));
    runs.post(SetStep{0.002}, 1);
    EXPECT_EQ(runs.step_of_all(), 0.002);
    EXPECT_TRUE(support::wait_for([&] { return runs.latest(0)->asked_step == 0.002 && runs.latest(1)->asked_step == 0.002; }));
    runs.post(SetStep{0}, 0);
    EXPECT_EQ(runs.step_of_all(), 0);
    EXPECT_TRUE(support::wait_for([&] { return runs.latest(0)->automatic_step() && !runs.latest(1)->automatic_step(); }));
}

}  // namespace
}  // namespace wobble
