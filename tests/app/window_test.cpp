// A real window on an X server without a screen, driven by synthetic mouse and keys.
#include "app/window/settings.h"
#include "tests/app/viewer_test.h"
#include "tests/support/wait_for.h"

#include <fstream>

namespace wobble {
namespace {

using Window = ViewerTest;

TEST_F(Window, SpacePlaysAndPauses) {
    ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "key space"));
    ASSERT_TRUE(until([&] { return app_->latest()->running && app_->latest()->step > 3; }));
    ASSERT_TRUE(Xvfb::xdotool("key space"));
    ASSERT_TRUE(until([&] { return !app_->latest()->running; }));
    const double t = app_->latest()->t;
    frames(5);
    EXPECT_EQ(app_->latest()->t, t);
    ASSERT_TRUE(Xvfb::xdotool("key Right"));
    EXPECT_TRUE(until([&] { return app_->latest()->t > t; }));
    ASSERT_TRUE(Xvfb::xdotool("key r"));
    EXPECT_TRUE(until([&] { return app_->latest()->t == 0; }));
}

TEST_F(Window, CtrlDragGrabsTheBodyAndMovesIt) {
    ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "key space"));
    ASSERT_TRUE(until([&] { return app_->latest()->running; }));
    const Eigen::Vector2f start = on_body();
    ASSERT_TRUE(Xvfb::xdotool(at(start) + "keydown ctrl mousedown 1"));
    std::shared_ptr<const Snapshot> grabbed;
    ASSERT_TRUE(until([&] { return (grabbed = app_->latest())->grab.has_value(); }));
    const GrabView before = *grabbed->grab;
    EXPECT_LT((on_screen(before.target) - start).norm(), 4) << "the hand is under the pointer";
    ASSERT_TRUE(Xvfb::xdotool(at(start + Eigen::Vector2f(140, -30))));
    const Vec3f right = app_->ui().camera.right();
    const float size = app_->ui().camera.size;
    ASSERT_TRUE(until([&] {
        const auto now = app_->latest();
        return now->grab && (now->grab->target - before.target).dot(right) > 0.05f * size;
    }));
    const auto follows = [&] {
        const auto now = app_->latest();  // one snapshot: the next may have no grab
        return now->grab && (now->grab->point - before.point).dot(right) > 0.02f * size;
    };
    EXPECT_TRUE(until(follows)) << "the body follows";
    ASSERT_TRUE(Xvfb::xdotool("mouseup 1 keyup ctrl"));
    EXPECT_TRUE(until([&] { return !app_->latest()->grab.has_value(); }));
    EXPECT_EQ(app_->latest()->message, "");
}

TEST_F(Window, WheelZoomsAndADragTurnsThePicture) {
    const ViewRect view = app_->viewport();
    const Image before = shown();
    const Camera first = app_->ui().camera;
    ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "click 4 click 4"));
    ASSERT_TRUE(until([&] { return app_->ui().camera.distance < 0.8f * first.distance; }));
    const Image closer = shown();
    EXPECT_GT(different_pixels(before, closer, view), view.width * view.height / 50);
    ASSERT_TRUE(Xvfb::xdotool("mousedown 1 mousemove_relative 80 0 mouseup 1"));
    ASSERT_TRUE(until([&] { return app_->ui().camera.yaw != first.yaw; }));
    EXPECT_EQ(app_->ui().camera.target, first.target);
    EXPECT_GT(different_pixels(closer, shown(), view), view.width * view.height / 50);
    ASSERT_TRUE(Xvfb::xdotool("key f"));
    EXPECT_TRUE(until([&] { return app_->ui().camera == first; }));
}

TEST_F(Window, TabHidesThePanelsAndF1ShowsHelp) {
    const ViewRect whole{0, 0, 900, 640}, side{0, 0, app_->viewport().x, 600};
    ASSERT_GT(side.width, 100);
    const Image with = shown();
    ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "key Tab"));
    ASSERT_TRUE(until([&] { return !app_->ui().show_ui; }));
    EXPECT_EQ(app_->viewport().width, whole.width);
    EXPECT_GT(different_pixels(with, shown(), side), side.width * side.height / 2) << "the picture is where the panel was";
    ASSERT_TRUE(Xvfb::xdotool("key F1"));
    const Image bare = shown();
    ASSERT_TRUE(until([&] { return app_->ui().show_help; }));
    frames(2);
    EXPECT_GT(different_pixels(bare, shown(), whole), 20000);
}

// The panels take what is theirs: a drag over a slider turns no camera, and arrives in the simulation.
TEST_F(Window, ADragOnThePanelIsNotADragOnTheBody) {
    ui().interface.closed = {"Scene", "Playback"};  // the sliders of the material come first
    frames(2);
    const Camera first = app_->ui().camera;
    const Parameters before = app_->latest()->settings.parameters();
    const int x = app_->viewport().x - 70;
    for (int y = 60; y < 520 && app_->latest()->settings.parameters() == before; y += 11) {
        ASSERT_TRUE(Xvfb::xdotool("mousemove " + std::to_string(x) + " " + std::to_string(y)));
        frames(2);
        ASSERT_TRUE(Xvfb::xdotool("mousedown 1"));
        frames(2);
        ASSERT_TRUE(Xvfb::xdotool("mousemove_relative 20 0"));
        frames(2);
        ASSERT_TRUE(Xvfb::xdotool("mouseup 1"));
        frames(3);
        if (app_->ui().show_open) {
            ASSERT_TRUE(Xvfb::xdotool("key Escape"));
            frames(3);
        }
    }
    EXPECT_NE(app_->latest()->settings.parameters(), before);
    EXPECT_EQ(app_->ui().camera, first);
}

TEST_F(Window, OpensScenesInTheBackgroundAndSurvivesBadOnes) {
    const auto running = app_->latest()->scene;
    app_->open("no/such/mesh.obj");
    ASSERT_TRUE(until([&] { return !app_->ui().loading.error.empty(); }));
    EXPECT_NE(app_->ui().loading.error.find("no/such/mesh.obj"), std::string::npos) << app_->ui().loading.error;
    EXPECT_EQ(app_->latest()->scene, running);
    app_->open("beam");
    ASSERT_TRUE(until([&] { return app_->latest()->scene != running; }));
    EXPECT_EQ(app_->latest()->scene->scene.name, "beam");
    EXPECT_EQ(app_->ui().loading.error, "");
    frames(2);
}

TEST_F(Window, CtrlQQuits) {
    ASSERT_TRUE(Xvfb::xdotool(at(on_body()) + "key ctrl+q"));
    EXPECT_TRUE(until([&] { return app_->ui().leaving; }));
    EXPECT_FALSE(app_->frame());
}

// GLFW hides no full-screen window, and a hidden window has forgotten its shape: both are seen to before it goes.
class WindowThatRemembers : public ViewerTest {
protected:
    void change(ViewerOptions& options) override { options.settings_file = file_; }
    void TearDown() override {
        app_.reset();
        std::filesystem::remove(file_);
    }
    const std::filesystem::path file_ = std::filesystem::temp_directory_path() / ("wobble-window-" + std::to_string(getpid()) + ".toml");
};

TEST_F(WindowThatRemembers, QuittingFullScreenHidesItAndKeepsTheShapeItHadBefore) {
    ui().interface.full_screen = true;
    ASSERT_TRUE(until([&] { return app_->viewport().x + app_->viewport().width > 900; })) << "not full screen";
    ASSERT_TRUE(Xvfb::xdotool("search --onlyvisible --name Wobble"));
    UiState kept;
    ui().quit = true;
    EXPECT_FALSE(app_->frame());
    EXPECT_FALSE(Xvfb::xdotool("search --onlyvisible --name Wobble"));
    const bool written = support::wait_for([&] {
        std::ifstream in(file_);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        return !text.empty() && apply_settings(text, kept).empty() && kept.interface.window.width == 900;
    });
    EXPECT_TRUE(written) << "while the window is still there";
    EXPECT_EQ(kept.interface.window.height, 640);
}

TEST_F(Window, EndsWhenAskedFromOutside) {
    EXPECT_TRUE(app_->frame());
    stop_ = true;
    EXPECT_FALSE(app_->frame());
}

TEST(WindowWithoutDisplay, SaysHowToRecordInstead) {
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    const auto scene = soft_torus();
    ASSERT_TRUE(scene);
    const auto app = ViewerApp::make(scene, {});
    ASSERT_FALSE(app);
    EXPECT_NE(app.message().find("no display"), std::string::npos) << app.message();
    EXPECT_NE(app.message().find("app/run record"), std::string::npos) << app.message();
    // A body that will not be shown is cancelled while it is built.
    SceneToCome to_come;
    std::atomic<bool> told = false;
    to_come.scene = std::async(std::launch::async, [&, unwanted = to_come.unwanted.get_token()] {
        for (int i = 0; i < 2000 && !told; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(5))) told = unwanted.stop_requested();
        return Result<std::shared_ptr<const LoadedScene>>(scene);
    });
    const auto shown = run_viewer(std::move(to_come));
    ASSERT_FALSE(shown);
    EXPECT_EQ(shown.message(), app.message());
    EXPECT_TRUE(told);
}

}  // namespace
}  // namespace wobble
