// Recording a running simulation: exact counts and times whatever the consumer does, and failures that leave the simulation alone.
#include "app/record/recorder.h"
#include "app/record/image.h"
#include "app/record/motion.h"
#include "engine/sim/world.h"
#include "tests/app/record_support.h"

#include <atomic>
#include <mutex>
#include <set>

namespace wobble {
namespace {

using namespace support;

class RecorderTest : public RecordTest {
protected:
    void SetUp() override {
        RecordTest::SetUp();
        runs_ = std::make_unique<SimulationGroup>(small_scene(), 1);
        runs_->post(SetSpeed{100});
    }
    void TearDown() override {
        runs_.reset();
        RecordTest::TearDown();
    }
    Recorder::Options options(const std::string& name, RecordFormat format, double seconds) {
        Recorder::Options o;
        o.target = record_target(folder_ / name, format).value();
        o.width = 96, o.height = 64, o.fps = 20, o.seconds = seconds;
        o.look.camera = make_camera({}, runs_->latest(0)->surface->rest_box);
        o.watch = [this](const FrameBarrier::Set& set) {
            const std::lock_guard lock(mutex_);
            times_.push_back(set.front()->t);
        };
        return o;
    }
    void begin(Recorder& recorder, Recorder::Options o) {
        const int fps = o.fps;
        const auto started = recorder.start(std::move(o));
        ASSERT_TRUE(started) << started.message();
        runs_->begin_film(fps, recorder.sink());
        runs_->post(Play{});
    }
    Recorder::Outcome end(Recorder& recorder) {
        std::optional<Recorder::Outcome> outcome;
        EXPECT_TRUE(wait_until([&] { return (outcome = recorder.poll()).has_value(); }));
        runs_->end_film();
        return outcome.value_or(Recorder::Outcome{});
    }
    // Playing, and a new state comes.
    bool goes_on() {
        const double t = runs_->latest(0)->t;
        return wait_until([&] { return runs_->latest(0)->t > t; });
    }

    std::mutex mutex_;
    std::vector<double> times_;  // of the frames written
    std::unique_ptr<SimulationGroup> runs_;
};

TEST_F(RecorderTest, ASlowConsumerGetsEveryFrameAtItsTime) {
    runs_->post(Play{});
    ASSERT_TRUE(wait_until([&] { return runs_->latest(0)->t > 0.05; }));
    runs_->post(Pause{});
    ASSERT_TRUE(wait_until([&] { return !runs_->latest(0)->running; }));
    const double t0 = runs_->latest(0)->t;
    Recorder recorder;
    Recorder::Options slow = options("run", RecordFormat::vtu, 0.8);
    slow.watch = [this](const FrameBarrier::Set& set) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        const std::lock_guard lock(mutex_);
        times_.push_back(set.front()->t);
    };
    begin(recorder, std::move(slow));
    const Recorder::Outcome outcome = end(recorder);
    EXPECT_TRUE(outcome.good) << outcome.message;
    EXPECT_EQ(outcome.frames, 16);
    ASSERT_EQ(times_.size(), 16u);
    const Pvd pvd = read_pvd(folder_ / "run.pvd");
    ASSERT_EQ(pvd.times.size(), 16u);
    for (int k = 0; k < 16; ++k) {
        EXPECT_NEAR(times_[k], t0 + k / 20.0, 1e-12) << k;
        EXPECT_NEAR(pvd.times[k], t0 + k / 20.0, 1e-12) << k;
    }
    EXPECT_NE(outcome.message.find((folder_ / "run.pvd").string()), std::string::npos) << outcome.message;
}

TEST_F(RecorderTest, AFilmHasExactlyItsFramesAndTheyMove) {
    Recorder recorder;
    begin(recorder, options("film", RecordFormat::mp4, 0.6));
    const Recorder::Outcome film = end(recorder);
    EXPECT_TRUE(film.good) << film.message;
    EXPECT_EQ(frames_in(folder_ / "film.mp4"), 12);
    EXPECT_EQ(film.bytes, fs::file_size(folder_ / "film.mp4"));

    runs_->post(Reset{});
    begin(recorder, options("frames", RecordFormat::png, 0.25));
    const Recorder::Outcome pictures = end(recorder);
    EXPECT_TRUE(pictures.good) << pictures.message;
    EXPECT_EQ(files_in(folder_ / "frames"), 5);
    const auto first = read_png(folder_ / "frames/frame_000000.png"), last = read_png(folder_ / "frames/frame_000004.png");
    ASSERT_TRUE(first && last);
    EXPECT_EQ(first.value().width, 96);
    EXPECT_EQ(first.value().height, 64);
    EXPECT_NE(first.value().rgb, last.value().rgb);
}

TEST_F(RecorderTest, FilmsFollowTheCamera) {
    Recorder recorder;
    Recorder::Options o = options("frames", RecordFormat::png, 0);
    const FilmLook first = o.look;
    FilmLook turned = first;
    turned.camera.yaw += 1.5f;
    begin(recorder, std::move(o));
    ASSERT_TRUE(wait_until([&] { return recorder.state().frames > 2; }));
    recorder.look(turned);
    const int at = recorder.state().frames + static_cast<int>(Recorder::queue) + 1;
    ASSERT_TRUE(wait_until([&] { return recorder.state().frames > at; }));
    recorder.stop();
    const Recorder::Outcome outcome = end(recorder);
    EXPECT_TRUE(outcome.good) << outcome.message;
    auto painter = OffscreenRenderer::make(TextRaster(96, 64));
    ASSERT_TRUE(painter);
    const FrameBarrier::Set start{std::make_shared<const Snapshot>(World(small_scene(), 1).snapshot())};
    const auto seen = painter.value()->paint(start, first, 96, 64), else_seen = painter.value()->paint(start, turned, 96, 64);
    ASSERT_TRUE(seen && else_seen);
    const auto distance = [](const Image& a, const Image& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int(a.rgb[i]) - int(b.rgb[i]));
        return sum;
    };
    const auto written = read_png(folder_ / "frames/frame_000000.png");
    const auto later =
        read_png(folder_ / ("frames/" + fs::path("frame_0000" + std::string(at < 10 ? "0" : "") + std::to_string(at) + ".png").string()));
    ASSERT_TRUE(written && later) << at;
    EXPECT_LT(distance(written.value(), seen.value()), distance(written.value(), else_seen.value()));
    EXPECT_LT(distance(later.value(), else_seen.value()), distance(later.value(), seen.value()));
}

TEST_F(RecorderTest, StoppingWritesWhatWasTakenAndTheMotionGoesOn) {
    Recorder recorder;
    begin(recorder, options("run.pc2", RecordFormat::pc2, 0));
    ASSERT_TRUE(wait_until([&] { return recorder.state().frames >= 3; }));
    EXPECT_FALSE(recorder.start(options("other.pc2", RecordFormat::pc2, 1))) << "one at a time";
    recorder.stop();
    const Recorder::Outcome outcome = end(recorder);
    EXPECT_TRUE(outcome.good) << outcome.message;
    EXPECT_GE(outcome.frames, 3);
    EXPECT_EQ(read_pc2(folder_ / "run.pc2").samples, outcome.frames);
    for (std::size_t k = 0; k < times_.size(); ++k) EXPECT_NEAR(times_[k], times_[0] + double(k) / 20, 1e-12);
    EXPECT_TRUE(goes_on());
    EXPECT_FALSE(recorder.busy());
}

TEST_F(RecorderTest, FailuresAreSaidAndTheMotionGoesOn) {
    struct Case {
        std::string ffmpeg, place, word;
    };
    for (const Case& c : {Case{"no-such-ffmpeg", "", "no-such-ffmpeg was not found"},
                          Case{script("head -c 40000 > /dev/null; echo out of luck >&2; exit 3"), "", "out of luck"},
                          Case{"ffmpeg", "/proc/film.mp4", "/proc/film.mp4"}}) {
        Recorder recorder;
        Recorder::Options o = options("film.mp4", RecordFormat::mp4, 0);
        o.ffmpeg = c.ffmpeg;
        if (!c.place.empty()) o.target.out = c.place;
        begin(recorder, std::move(o));
        const Recorder::Outcome outcome = end(recorder);
        EXPECT_FALSE(outcome.good);
        EXPECT_NE(outcome.message.find(c.word), std::string::npos) << outcome.message;
        EXPECT_EQ(outcome.message.find("--"), std::string::npos) << "options of the command line mean nothing here: " << outcome.message;
        EXPECT_FALSE(fs::exists(folder_ / "film.mp4")) << "a film that cannot be played";
        EXPECT_TRUE(goes_on());
    }
    Recorder recorder;
    Recorder::Options odd = options("film.mp4", RecordFormat::mp4, 1);
    odd.fps = 0;
    EXPECT_FALSE(recorder.start(odd));
    odd.fps = 30, odd.width = 3;
    EXPECT_FALSE(recorder.start(odd));
    EXPECT_FALSE(recorder.busy());
}

TEST_F(RecorderTest, ClosingTheWindowFinishesTheFilm) {
    {
        Recorder recorder;
        begin(recorder, options("film.mp4", RecordFormat::mp4, 0));
        ASSERT_TRUE(wait_until([&] { return recorder.state().frames >= 2; }));
    }
    EXPECT_GE(frames_in(folder_ / "film.mp4"), 2);
    EXPECT_TRUE(goes_on()) << "the frames of a recorder that is gone are dropped";
    runs_->end_film();
}

TEST_F(RecorderTest, AHangingFfmpegDoesNotKeepTheWindowOpen) {
    Recorder::Options o = options("film.mp4", RecordFormat::mp4, 0);
    o.ffmpeg = script("exec sleep 100000");
    o.width = 640, o.height = 480;  // more than a pipe holds
    o.patience_seconds = 1;
    {
        Recorder recorder;
        begin(recorder, std::move(o));
        ASSERT_TRUE(wait_until([&] { return !recorder.offer({runs_->latest(0)}); })) << "the queue is never full";
    }
    EXPECT_TRUE(goes_on());
    EXPECT_FALSE(fs::exists(folder_ / "film.mp4"));
    runs_->end_film();
}

TEST_F(RecorderTest, WithTheUiTheWindowShowsEveryFrame) {
    Recorder recorder;
    Recorder::Options o = options("frames", RecordFormat::png, 0.5);
    o.with_ui = true;
    begin(recorder, std::move(o));
    std::vector<double> shown;
    std::optional<Recorder::Outcome> outcome;
    ASSERT_TRUE(wait_until([&] {
        if (const FrameBarrier::Set wanted = recorder.ui_frame_wanted(); !wanted.empty()) {
            shown.push_back(wanted.front()->t);
            // A window that is resized in between: its picture is fitted into the film's.
            Image window(shown.size() % 2 ? 96 : 192, shown.size() % 2 ? 64 : 64);
            std::fill(window.rgb.begin(), window.rgb.end(), std::uint8_t(10 * shown.size()));
            recorder.add_ui_frame(std::move(window));
        }
        return (outcome = recorder.poll()).has_value();
    }));
    runs_->end_film();
    EXPECT_TRUE(outcome->good) << outcome->message;
    ASSERT_EQ(shown.size(), 10u);
    for (int k = 0; k < 10; ++k) EXPECT_NEAR(shown[k], k / 20.0, 1e-12);
    EXPECT_EQ(files_in(folder_ / "frames"), 10);
    const auto third = read_png(folder_ / "frames/frame_000002.png"), fourth = read_png(folder_ / "frames/frame_000003.png");
    ASSERT_TRUE(third && fourth);
    EXPECT_EQ(third.value().pixel(0, 0)[0], 30);
    EXPECT_EQ(fourth.value().width, 96);
    EXPECT_EQ(fourth.value().pixel(48, 32)[0], 40);
    EXPECT_EQ(fourth.value().pixel(48, 2)[0], 0) << "bars above and below what is wider";
}

TEST_F(RecorderTest, AComparisonIsOneFilmAndOneMotionPerMethod) {
    ASSERT_TRUE(wait_until([&] { return runs_->compare({"verlet", "exprb42"}); }));
    Recorder recorder;
    begin(recorder, options("both", RecordFormat::png, 0.3));
    const Recorder::Outcome film = end(recorder);
    EXPECT_TRUE(film.good) << film.message;
    EXPECT_EQ(files_in(folder_ / "both"), 6);
    begin(recorder, options("both.pc2", RecordFormat::pc2, 0.3));
    const Recorder::Outcome motion = end(recorder);
    EXPECT_TRUE(motion.good) << motion.message;
    const Pc2 first = read_pc2(folder_ / "both-verlet.pc2"), second = read_pc2(folder_ / "both-exprb42.pc2");
    EXPECT_EQ(first.samples, 6);
    EXPECT_EQ(second.samples, 6);
    EXPECT_EQ(first.points, second.points);
}

TEST_F(RecorderTest, AMotionWhoseIndexFailsKeepsItsFramesAndSaysWhereTheyAre) {
    Recorder recorder;
    Recorder::Options o = options("x.pvd", RecordFormat::vtu, 0.3);
    o.watch = [this](const FrameBarrier::Set&) { fs::remove_all(folder_ / "x.pvd"), fs::create_directories(folder_ / "x.pvd/inside"); };
    begin(recorder, std::move(o));
    const Recorder::Outcome outcome = end(recorder);
    EXPECT_FALSE(outcome.good);
    EXPECT_EQ(outcome.frames, 6);
    EXPECT_EQ(files_in(folder_ / "x"), 6);
    EXPECT_EQ(outcome.path, (folder_ / "x").string());
    EXPECT_NE(outcome.message.find("(6 frames) is in " + (folder_ / "x").string()), std::string::npos) << outcome.message;
}

// The names of the fields at every point.
std::set<std::string> fields_in(const fs::path& vtu) {
    const std::string text = content(vtu);
    const auto from = text.find("<PointData"), to = text.find("</PointData>");
    static const std::regex name("Name=\"([^\"]*)\"");
    std::set<std::string> names;
    const std::string part = from < to ? text.substr(from, to - from) : "";
    for (std::sregex_iterator it(part.begin(), part.end(), name), end; it != end; ++it) names.insert((*it)[1]);
    return names;
}

TEST_F(RecorderTest, AMotionHasTheSameFieldsFromTheViewerAndFromTheCommandLine) {
    for (const Field field : {Field::none, Field::speed}) {
        ViewOptions view;
        view.field = field;
        const std::string name = field == Field::none ? "plain" : "speed";
        runs_->post(Reset{});
        runs_->post(wanted_data(view, true));
        Recorder recorder;
        begin(recorder, options(name, RecordFormat::vtu, 0.3));
        const Recorder::Outcome outcome = end(recorder);
        ASSERT_TRUE(outcome.good) << outcome.message;
        runs_->post(Pause{});

        World world(small_scene(), 1);
        const MotionOptions same{20, 0.3, {RecordFormat::vtu, folder_ / (name + "-line.pvd")}, view};
        auto writer = open_motion(same);
        ASSERT_TRUE(writer) << writer.message();
        ASSERT_TRUE(record_motion(*writer.value(), world, same));
        const Pvd viewer = read_pvd(folder_ / (name + ".pvd")), line = read_pvd(folder_ / (name + "-line.pvd"));
        ASSERT_EQ(viewer.files.size(), 6u);
        ASSERT_EQ(line.files.size(), 6u);
        const std::set<std::string> wanted{"displacement", "velocity", field == Field::none ? "strain" : "speed"};
        EXPECT_EQ(fields_in(viewer.files.back()), wanted);
        EXPECT_EQ(fields_in(line.files.back()), wanted);
        EXPECT_EQ(content(viewer.files.back()), content(line.files.back())) << "the same state, written by both";
    }
}

TEST_F(RecorderTest, AFilmWithColoursShowsTheirScaleAndAComparisonItsNames) {
    const auto painter = OffscreenRenderer::make(TextRaster(640, 360));
    ASSERT_TRUE(painter) << painter.message();
    const auto differ = [&](const FrameBarrier::Set& bodies, FilmLook look, int x0, int y0, int x1, int y1) {
        const auto with = painter.value()->paint(bodies, look, 640, 360);
        look.legends = false;
        const auto without = painter.value()->paint(bodies, look, 640, 360);
        EXPECT_TRUE(with && without);
        int inside = 0, outside = 0;
        for (int y = 0; y < 360; ++y)
            for (int x = 0; x < 640; ++x)
                if (std::memcmp(with.value().pixel(x, y), without.value().pixel(x, y), 3) != 0)
                    ++(x >= x0 && x < x1 && y >= y0 && y < y1 ? inside : outside);
        return std::pair(inside, outside);
    };
    World world(small_scene(), 1);
    world.apply(Show{Field::speed, false});
    ASSERT_TRUE(world.advance_to(0.1));
    const auto body = std::make_shared<const Snapshot>(world.snapshot());
    FilmLook look = options("x", RecordFormat::png, 1).look;
    EXPECT_EQ(differ({body}, look, 0, 0, 640, 360).first, 0) << "no colours, no scale";
    look.view.field = Field::speed;
    const auto bar = differ({body}, look, 480, 0, 640, 220);
    EXPECT_GT(bar.first, 4000);
    EXPECT_EQ(bar.second, 0) << "the scale stays in its corner";
    look.view.field = Field::none;
    const auto names = differ({body, body}, look, 0, 0, 640, 60);
    EXPECT_GT(names.first, 4000);
    EXPECT_EQ(names.second, 0);
    const auto right = differ({body, body}, look, 320, 0, 640, 60);
    EXPECT_NEAR(right.first, 0.5 * names.first, 0.1 * names.first) << "one in each cell";
}

TEST_F(RecorderTest, AnotherBodyEndsAMotionButNotAFilm) {
    for (const RecordFormat format : {RecordFormat::ply, RecordFormat::png}) {
        Recorder recorder;
        begin(recorder, options("frames", format, 0));
        ASSERT_TRUE(wait_until([&] { return recorder.state().frames >= 2; }));
        runs_->post(Load{small_scene({}, format == RecordFormat::ply ? 4 : 6)});
        if (format == RecordFormat::png) {
            const int before = recorder.state().frames + static_cast<int>(Recorder::queue) + 1;
            EXPECT_TRUE(wait_until([&] { return recorder.state().frames > before; }));
            recorder.stop();
        }
        const Recorder::Outcome outcome = end(recorder);
        EXPECT_EQ(outcome.good, format == RecordFormat::png) << outcome.message;
        if (!outcome.good) {
            EXPECT_NE(outcome.message.find("Another body"), std::string::npos) << outcome.message;
        }
    }
}

}  // namespace
}  // namespace wobble
