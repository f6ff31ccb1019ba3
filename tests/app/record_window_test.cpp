// Recording in a real window whose display is slow: by keys, by the panel's wishes, with and without the UI.
#include "app/record/image.h"
#include "app/window/window.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/run_log.h"
#include "tests/app/record_support.h"
#include "tests/app/xvfb.h"

#include <set>

namespace wobble {
namespace {

using namespace support;

class RecordWindow : public RecordTest {
protected:
    void SetUp() override {
        RecordTest::SetUp();
        before_ = fs::current_path();
        fs::current_path(folder_);  // where screenshots and logs go
        ASSERT_TRUE(server_.ready()) << "Xvfb did not start";
        ViewerOptions options;
        options.width = 900, options.height = 640, options.threads = 1, options.play = false;
        options.should_stop = [this] { return signalled_; };
        auto scene = load_scene("beam");
        ASSERT_TRUE(scene) << scene.message();
        scene.value().settings.parameters().resolution = 80;
        auto loaded = build_scene(std::move(scene).value());
        ASSERT_TRUE(loaded) << loaded.message();
        auto app = ViewerApp::make(loaded.value(), options);
        ASSERT_TRUE(app) << app.message();
        app_ = std::move(app).value();
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(app_->frame());
    }
    void TearDown() override {
        app_.reset();
        if (!path_.empty()) setenv("PATH", path_.c_str(), 1);
        fs::current_path(before_);
        fs::remove_all(folder_);
    }
    // What the panel would have written there.
    RecordState& wishes() { return const_cast<UiState&>(app_->ui()).record; }
    // From now on ffmpeg is this script; `"$real" "$@"` in it is the real one.
    void replace_ffmpeg(const std::string& text) {
        if (path_.empty()) path_ = getenv("PATH");
        fs::create_directories(folder_ / "bin");
        fs::rename(script("real=$(PATH='" + path_ + "' command -v ffmpeg)\n" + text), folder_ / "bin/ffmpeg");
        setenv("PATH", ((folder_ / "bin").string() + ":" + path_).c_str(), 1);
    }
    void begin_film() {
        wishes().out = "film";
        wishes().width = 160, wishes().height = 120;
        wishes().start_from_beginning = true;
        ASSERT_TRUE(until([&] { return app_->ui().record.frames > 1; }));
    }
    // At ten frames per second, until it holds.
    bool until(const std::function<bool()>& condition) {
        return wait_until([&] {
            app_->frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            return condition();
        });
    }
    bool until_done() {
        return until([&] { return !app_->ui().record.recording && !app_->ui().record.message.empty(); });
    }

    fs::path before_;
    std::string path_;  // the real one, while ffmpeg is replaced
    bool signalled_ = false;
    Xvfb server_;  // outlives the window
    std::unique_ptr<ViewerApp> app_;
};

TEST_F(RecordWindow, AFilmAtTenFramesPerSecondOfDisplayHasAllItsFrames) {
    wishes().out = "film";
    wishes().width = 160, wishes().height = 120, wishes().fps = 24, wishes().seconds = 1.5;
    wishes().start_from_beginning = true;
    ASSERT_TRUE(until_done());
    EXPECT_FALSE(app_->ui().record.failed) << app_->ui().record.message;
    EXPECT_EQ(app_->ui().record.frames, 36);
    EXPECT_EQ(frames_in(folder_ / "film.mp4"), 36);

    wishes().format = RecordFormat::vtu;
    wishes().out = "run";
    wishes().start_from_beginning = true;
    ASSERT_TRUE(until([&] { return app_->ui().record.recording; }));
    ASSERT_TRUE(until_done());
    const Pvd pvd = read_pvd(folder_ / "run.pvd");
    ASSERT_EQ(pvd.times.size(), 36u);
    for (int k = 0; k < 36; ++k) EXPECT_NEAR(pvd.times[k], k / 24.0, 1e-12) << k;
    EXPECT_NE(content(pvd.files.front()).find("NumberOfCells=\"" + std::to_string(app_->latest()->tets) + "\""), std::string::npos)
        << "the tetrahedra, not the surface";
    EXPECT_TRUE(app_->latest()->running) << "the motion goes on";
}

TEST_F(RecordWindow, AFilmWithThePanelsShowsTheWholeWindow) {
    wishes().out = "panels";
    wishes().format = RecordFormat::png;
    wishes().with_ui = true;
    wishes().fps = 20, wishes().seconds = 0.5;
    wishes().start_from_beginning = true;
    ASSERT_TRUE(until_done());
    EXPECT_FALSE(app_->ui().record.failed) << app_->ui().record.message;
    ASSERT_EQ(files_in(folder_ / "panels"), 10);
    const auto first = read_png(folder_ / "panels/frame_000000.png"), last = read_png(folder_ / "panels/frame_000009.png");
    ASSERT_TRUE(first && last);
    EXPECT_EQ(first.value().width, 900);
    EXPECT_EQ(first.value().height, 640);
    EXPECT_NE(first.value().rgb, last.value().rgb);
    // The panel on the left is there: many different pixels in its first column of text.
    std::set<int> colours;
    for (int y = 0; y < 400; ++y)
        for (int x = 10; x < 100; ++x) colours.insert(first.value().pixel(x, y)[0]);
    EXPECT_GT(colours.size(), 20u);
}

TEST_F(RecordWindow, KeysRecordStopAndSaveAPicture) {
    ASSERT_TRUE(Xvfb::xdotool("mousemove 600 250 key space"));
    ASSERT_TRUE(until([&] { return app_->latest()->running; }));
    wishes().out = "keys";
    wishes().format = RecordFormat::pc2;
    ASSERT_TRUE(Xvfb::xdotool("key v"));
    ASSERT_TRUE(until([&] { return app_->ui().record.recording && app_->ui().record.frames > 2; }));
    EXPECT_EQ(fs::path(app_->ui().record.path).filename(), "keys.pc2");
    ASSERT_TRUE(Xvfb::xdotool("key v"));
    ASSERT_TRUE(until_done());
    EXPECT_EQ(read_pc2(folder_ / "keys.pc2").samples, app_->ui().record.frames);
    ASSERT_TRUE(Xvfb::xdotool("key ctrl+p"));
    ASSERT_TRUE(until([&] {
        return fs::exists(folder_ / "wobble-screenshot.png") && app_->ui().record.message.find("screenshot") != std::string::npos;
    }));
    const auto picture = read_png(folder_ / "wobble-screenshot.png");
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture.value().width, app_->viewport().width);
    wishes().save_log = true;
    ASSERT_TRUE(until([&] { return app_->ui().record.message.find("wobble replay") != std::string::npos; }));
    const auto log = read_run_log(folder_ / "wobble-run.log");
    ASSERT_TRUE(log) << log.message();
    const auto again = replay(log.value(), 2);
    ASSERT_TRUE(again) << again.message();
    EXPECT_TRUE(again.value().same);
    EXPECT_GT(again.value().steps, 0u);
}

TEST_F(RecordWindow, ClosingTheWindowFinishesTheFilm) {
    begin_film();
    const int written = app_->ui().record.frames;
    app_.reset();
    EXPECT_GE(frames_in(folder_ / "film.mp4"), written);
}

// As many runs as before, but no longer the same ones: what was filmed is complete, and nothing waits for more.
TEST_F(RecordWindow, ExchangingAnIntegratorEndsTheFilm) {
    app_->ui().compare.methods = {"verlet", "implicit-euler"};
    app_->ui().compare.start = true;
    ASSERT_TRUE(until([&] { return app_->shown().size() == 2; }));
    wishes().format = RecordFormat::png;
    begin_film();
    app_->ui().compare.methods = {"verlet", "rk4"};
    app_->ui().compare.start = true;
    ASSERT_TRUE(until_done());
    EXPECT_FALSE(app_->ui().record.failed) << app_->ui().record.message;
    EXPECT_EQ(files_in(folder_ / "film"), app_->ui().record.frames);
    EXPECT_TRUE(until([&] { return app_->shown()[1]->settings.method == "rk4" && app_->shown()[1]->t > 0; }));
}

TEST_F(RecordWindow, BeginningOrEndingAComparisonEndsAFilmWithPanels) {
    wishes().format = RecordFormat::png;
    wishes().with_ui = true;
    app_->ui().compare.methods = {"verlet", "implicit-euler"};
    for (const bool begins : {true, false}) {
        begin_film();
        (begins ? app_->ui().compare.start : app_->ui().compare.stop) = true;
        ASSERT_TRUE(until_done()) << "waits for frames that cannot be shown any more";
        EXPECT_FALSE(app_->ui().record.failed) << app_->ui().record.message;
        ASSERT_TRUE(until([&] { return app_->shown().size() == (begins ? 2u : 1u); }));
    }
}

TEST_F(RecordWindow, QuittingShowsTheFilmBeingFinishedAndThenCloses) {
    replace_ffmpeg("while [ ! -e '" + (folder_ / "go").string() + "' ]; do sleep 0.02; done; exec \"$real\" \"$@\"");
    begin_film();
    Image before, after;
    app_->frame(&before);
    ASSERT_TRUE(Xvfb::xdotool("mousemove 600 250 key ctrl+q"));
    ASSERT_TRUE(until([&] { return app_->ui().leaving; }));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(app_->frame(&after)) << "the window closed before its film was complete";
    EXPECT_TRUE(app_->ui().record.finishing);
    int differ = 0;
    const ViewRect view = app_->viewport();
    for (int y = 10; y < 60; ++y) {
        const int x = view.x + view.width / 2;
        differ += std::abs(int(before.pixel(x, y)[1]) - int(after.pixel(x, y)[1])) > 30;
    }
    EXPECT_GT(differ, 20) << "nothing tells what is being waited for";
    std::ofstream(folder_ / "go");
    ASSERT_TRUE(wait_until([&] { return !app_->frame(); }));
    EXPECT_FALSE(app_->ui().record.failed) << app_->ui().record.message;
    EXPECT_GT(app_->ui().record.frames, 1);
    EXPECT_EQ(frames_in(folder_ / "film.mp4"), app_->ui().record.frames);
}

TEST_F(RecordWindow, ASecondQuitOrCtrlCAbandonsTheFilm) {
    replace_ffmpeg("exec sleep 100000");
    begin_film();
    app_->ui().quit = true;
    ASSERT_TRUE(app_->frame());
    ASSERT_TRUE(app_->frame()) << "one wish to quit is one";
    signalled_ = true;
    EXPECT_FALSE(app_->frame());
    app_.reset();
    EXPECT_FALSE(fs::exists(folder_ / "film.mp4")) << "a film that cannot be played";
}

TEST_F(RecordWindow, CtrlCLetsTheFilmFinish) {
    begin_film();
    signalled_ = true;
    ASSERT_TRUE(wait_until([&] { return !app_->frame(); }));
    EXPECT_GT(app_->ui().record.frames, 1);
    EXPECT_EQ(frames_in(folder_ / "film.mp4"), app_->ui().record.frames);
}

TEST_F(RecordWindow, AFilmThatFailsAtTheEndKeepsTheWindowOpenAndStayingIsPossible) {
    replace_ffmpeg("cat > /dev/null; echo out of luck >&2; exit 3");
    begin_film();
    app_->ui().quit = true;
    ASSERT_TRUE(until([&] { return !app_->ui().record.recording; }));
    EXPECT_TRUE(app_->frame());
    EXPECT_TRUE(app_->ui().record.failed);
    EXPECT_NE(app_->ui().record.message.find("out of luck"), std::string::npos) << app_->ui().record.message;

    replace_ffmpeg("exec \"$real\" \"$@\"");
    begin_film();
    app_->ui().quit = true;
    ASSERT_TRUE(app_->frame());
    app_->ui().leaving = false;  // the banner's button
    ASSERT_TRUE(until_done());
    EXPECT_TRUE(app_->frame());
    EXPECT_FALSE(app_->ui().record.failed) << app_->ui().record.message;
}

TEST_F(RecordWindow, TroubleIsOneSentenceAndTheMotionGoesOn) {
    std::ofstream(folder_ / "taken") << "precious";
    struct Case {
        RecordFormat format;
        std::string out, ffmpeg, said;
        int width = 160;
    };
    for (const Case& c : {Case{RecordFormat::mp4, "film", "head -c 300000 > /dev/null; kill -9 $$", "killed by signal 9"},
                          {RecordFormat::mp4, "film", "exit 0", "ended early"},
                          {RecordFormat::mp4, "/proc/film", "", "Cannot create /proc/film.mp4"},
                          {RecordFormat::png, "taken", "", "is not a folder"},
                          {RecordFormat::pc2, "taken/film", "", "taken"},
                          {RecordFormat::mp4, "film", "", "16 to 8192", 20000},
                          {RecordFormat::mp4, "film", "gone", "ffmpeg was not found"}}) {
        if (c.ffmpeg == "gone") path_ = path_.empty() ? getenv("PATH") : path_, setenv("PATH", "/nonexistent", 1);
        else if (!c.ffmpeg.empty()) replace_ffmpeg(c.ffmpeg);
        wishes().message.clear();
        wishes().format = c.format, wishes().out = c.out, wishes().width = c.width, wishes().height = 120;
        wishes().start_from_beginning = true;
        if (c.width > 8192) app_->post(Play{});  // refused before it starts anything
        ASSERT_TRUE(until_done()) << c.said;
        const std::string message = app_->ui().record.message;
        EXPECT_TRUE(app_->ui().record.failed) << message;
        EXPECT_NE(message.find(c.said), std::string::npos) << message;
        EXPECT_EQ(message.find("--"), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        const double t = app_->latest()->t;
        EXPECT_TRUE(until([&] { return app_->latest()->t > t; })) << c.said;
        EXPECT_FALSE(fs::exists(folder_ / "film.mp4"));
    }
    setenv("PATH", path_.c_str(), 1);
    EXPECT_EQ(content(folder_ / "taken"), "precious");
}

TEST_F(RecordWindow, AFullDiskIsOneSentenceForFilmsAndPictures) {
    const SmallFiles limit(1000);
    wishes().out = "pictures";
    wishes().format = RecordFormat::png;
    wishes().width = 161, wishes().height = 121;
    wishes().start_from_beginning = true;
    ASSERT_TRUE(until_done());
    EXPECT_TRUE(app_->ui().record.failed);
    EXPECT_NE(app_->ui().record.message.find("frame_000000.png"), std::string::npos) << app_->ui().record.message;
    EXPECT_FALSE(fs::exists(folder_ / "pictures")) << "nothing is left of a film without a picture";
    wishes().message.clear();
    wishes().screenshot = true;
    ASSERT_TRUE(until([&] { return !app_->ui().record.message.empty(); }));
    EXPECT_TRUE(app_->ui().record.failed);
    EXPECT_NE(app_->ui().record.message.find("wobble-screenshot.png"), std::string::npos) << app_->ui().record.message;
    EXPECT_FALSE(fs::exists(folder_ / "wobble-screenshot.png"));
}

TEST_F(RecordWindow, OddPicturesStayOddAndPlacesThatCannotBeWrittenAreSaid) {
    wishes().out = "odd";
    wishes().format = RecordFormat::png;
    wishes().width = 161, wishes().height = 121, wishes().fps = 10, wishes().seconds = 0.2;
    wishes().start_from_beginning = true;
    ASSERT_TRUE(until_done());
    const auto picture = read_png(folder_ / "odd/frame_000001.png");
    ASSERT_TRUE(picture) << picture.message();
    EXPECT_EQ(picture.value().width, 161);
    EXPECT_EQ(picture.value().height, 121);
    fs::current_path("/proc");
    for (bool RecordState::*wish : {&RecordState::screenshot, &RecordState::save_log}) {
        wishes().message.clear();
        wishes().*wish = true;
        ASSERT_TRUE(until([&] { return !app_->ui().record.message.empty(); }));
        EXPECT_TRUE(app_->ui().record.failed);
        EXPECT_NE(app_->ui().record.message.find("Cannot create wobble-"), std::string::npos) << app_->ui().record.message;
    }
    fs::current_path(folder_);
}

}  // namespace
}  // namespace wobble
