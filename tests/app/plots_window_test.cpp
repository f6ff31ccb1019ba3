// The plot strip in a real window, driven by a synthetic mouse; what does not need one is in plots_panel_test.cpp.
#include "app/window/window.h"
#include "engine/scene/scene_file.h"
#include "tests/app/xvfb.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

namespace wobble {
namespace {

class PlotStrip : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(server_.ready()) << "Xvfb did not start";
        auto scene = load_scene("torus");
        ASSERT_TRUE(scene) << scene.message();
        scene.value().settings.parameters().resolution = 300;
        auto loaded = build_scene(std::move(scene).value());
        ASSERT_TRUE(loaded) << loaded.message();
        ViewerOptions options;
        options.width = 900;
        options.height = 640;
        options.threads = 1;
        options.play = true;
        auto app = ViewerApp::make(loaded.value(), options);
        ASSERT_TRUE(app) << app.message();
        app_ = std::move(app).value();
        ASSERT_TRUE(until([&] { return app_->ui().plots.history.runs()[0].steps.end() > 0.5; }));
    }
    bool until(const std::function<bool()>& condition) {  // within a minute, which only ever ends a broken test
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > give_up) return false;
            app_->frame();
        }
        return true;
    }
    const PlotsState& plots() const { return app_->ui().plots; }
    void mouse(const std::string& words) {
        ASSERT_TRUE(Xvfb::xdotool(words));
        for (int i = 0; i < 3; ++i) app_->frame();
    }
    // A place in the strip, as shares of its width and height.
    std::string at(double x, double y) const {
        const PlotRect& r = plots().rect;
        return "mousemove " + std::to_string(int(r.x + x * r.width)) + " " + std::to_string(int(r.y + y * r.height)) + " ";
    }

    Xvfb server_;
    std::unique_ptr<ViewerApp> app_;
};

TEST_F(PlotStrip, ADragZoomsTheWheelZoomsARightDragMoves) {
    EXPECT_TRUE(plots().time.follows);
    mouse(at(0.2, 0.5));
    mouse("mousedown 1");
    mouse(at(0.3, 0.5));
    mouse(at(0.4, 0.5));
    mouse("mouseup 1");
    ASSERT_TRUE(until([&] { return !plots().time.follows; }));
    const TimeRange dragged = plots().shown;
    EXPECT_GT(dragged.length(), 0);
    mouse("click 4");
    ASSERT_TRUE(until([&] { return plots().shown.length() < 0.9 * dragged.length(); }));
    const TimeRange closer = plots().shown;
    EXPECT_GE(closer.low, dragged.low);
    EXPECT_LE(closer.high, dragged.high);
    mouse("mousedown 3");
    mouse(at(0.45, 0.5));
    mouse(at(0.5, 0.5));
    mouse("mouseup 3");
    EXPECT_LT(plots().shown.low, closer.low);
    EXPECT_NEAR(plots().shown.length(), closer.length(), 1e-9);
    EXPECT_TRUE(app_->latest()->running) << "none of this touches the motion";
}

TEST_F(PlotStrip, AClickOnTheTimeAxisGoesThereAndLosesNothing) {
    ASSERT_TRUE(until([&] { return app_->latest()->history_end > 0.6; }));
    mouse(at(0.3, 0.95));
    mouse("click 1");
    ASSERT_TRUE(until([&] { return !app_->latest()->running; }));
    const double t = app_->latest()->t;
    EXPECT_LT(t, app_->latest()->history_end);
    EXPECT_GT(plots().history.runs()[0].steps.end(), t);
    EXPECT_TRUE(plots().history.earlier().empty());
    ASSERT_TRUE(Xvfb::xdotool("key space"));
    EXPECT_TRUE(until([&] { return app_->latest()->running && app_->latest()->t > t; }));
}

}  // namespace
}  // namespace wobble
