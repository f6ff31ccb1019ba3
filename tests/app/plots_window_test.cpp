// The plot strip in a real window, driven by a synthetic mouse; what does not need one is in plots_panel_test.cpp.
#include "tests/app/viewer_test.h"

namespace wobble {
namespace {

class PlotStrip : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        ASSERT_TRUE(until([&] { return app_->ui().plots.history.runs()[0].steps.end() > 0.5; }));
    }
    void change(ViewerOptions& options) override { options.play = true; }
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
