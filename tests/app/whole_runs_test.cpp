// Whole runs of the real program: films, meshes of one's own, and stopping in the middle.
#include "tests/app/process.h"
#include "tests/app/timed.h"
#include "tests/app/xvfb.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace wobble {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

class WholeRuns : public testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("wobble_whole_" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    static Words command(Words arguments) { return arguments.insert(arguments.begin(), WOBBLE_PROGRAM), arguments; }
    static Words without_display() { return {"DISPLAY", "WAYLAND_DISPLAY"}; }
    Words film(const fs::path& out) const {
        return command(
            {"record", "beam", "--set", "resolution=200", "--seconds", "1", "--fps", "10", "--size", "160x120", "--out", out.string()});
    }
    static std::string bytes(const fs::path& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    int entries() const { return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }
    bool something_there() const { return entries() > 0; }
};

// An n x n x n box of squares cut in triangles, 2 m by 1 m by 1 m.
std::string box_obj(int n) {
    std::string vertices, faces;
    int count = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i <= n; ++i)
                for (int j = 0; j <= n; ++j) {
                    double x[3];
                    x[axis] = side, x[(axis + 1) % 3] = double(i) / n, x[(axis + 2) % 3] = double(j) / n;
                    vertices += "v " + std::to_string(2 * x[0]) + " " + std::to_string(x[1]) + " " + std::to_string(x[2]) + "\n";
                }
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    const int a = count + i * (n + 1) + j + 1, b = a + n + 1, c = b + 1, d = a + 1;
                    const auto face = [&](int p, int q, int r) {
                        if (side == 0) std::swap(q, r);  // outward
                        faces += "f " + std::to_string(p) + " " + std::to_string(q) + " " + std::to_string(r) + "\n";
                    };
                    face(a, b, c), face(a, c, d);
                }
            count += (n + 1) * (n + 1);
        }
    return vertices + faces;
}

// A scene as the viewer saves it: film and an odd size, because the window had it.
TEST_F(WholeRuns, ASavedSceneIsRecordedAsTheNameSaysInTheNextSmallerSize) {
    std::string scene = bytes(WOBBLE_SOURCE_DIR "/assets/scenes/beam.toml");
    const auto at = scene.find("[recording]"), end = scene.find("[stated]");
    ASSERT_LT(at, end);
    scene = scene.substr(0, at) + "[recording]\nformat = \"mp4\"\nfps = 10\nwidth = 161\nheight = 121\nseconds = 0.2\n";
    std::ofstream(folder / "saved.toml") << scene;
    const auto record = [&](const fs::path& out) {
        return run_process(command({"record", (folder / "saved.toml").string(), "--set", "resolution=100", "--out", out.string()}), 60,
                           without_display());
    };
    const auto pictures = record(folder / "frames/");
    EXPECT_EQ(pictures.exit_code, 0) << pictures.err;
    EXPECT_TRUE(fs::exists(folder / "frames/frame_000001.png")) << pictures.out;
    EXPECT_NE(pictures.out.find("161 x 121"), std::string::npos) << pictures.out;
    fs::create_directories(folder / "there");
    const auto existing = record(folder / "there");
    EXPECT_EQ(existing.exit_code, 0) << existing.err;
    EXPECT_FALSE(fs::exists(folder / "there.mp4"));
    const auto film = record(folder / "film");
    EXPECT_EQ(film.exit_code, 0) << film.err;
    EXPECT_TRUE(fs::exists(folder / "film.mp4")) << "what the scene says";
    EXPECT_NE(film.out.find("160 x 120"), std::string::npos) << film.out;
}

TEST_F(WholeRuns, AFilmHasExactlyItsFrames) {
    const fs::path out = folder / "new folder" / "film.mp4";
    const Finished f = run_process(film(out), 200, without_display());
    ASSERT_EQ(f.exit_code, 0) << f.err;
    EXPECT_EQ(f.err, "");
    EXPECT_NE(f.out.find("film.mp4: 10 frames"), std::string::npos) << f.out;
    const Finished probe = run_process(
        {"ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", out.string()});
    EXPECT_EQ(probe.out, "160,120,10\n") << probe.err;
}

TEST_F(WholeRuns, AFolderGetsPicturesThatMove) {
    const Finished f = run_process(film(folder / "frames/"), 200, without_display());
    ASSERT_EQ(f.exit_code, 0) << f.err;
    const fs::path frames = folder / "frames";
    EXPECT_EQ(std::distance(fs::directory_iterator(frames), fs::directory_iterator()), 10);
    const std::string first = bytes(frames / "frame_000000.png"), last = bytes(frames / "frame_000009.png");
    ASSERT_TRUE(first.starts_with("\x89PNG") && last.starts_with("\x89PNG"));
    EXPECT_NE(first, last) << "nothing moves";
}

TEST_F(WholeRuns, AMissingFfmpegIsNoticedBeforeTheWork) {
    const Finished f = run_process(film(folder / "film.mp4"), 60, {"DISPLAY", "WAYLAND_DISPLAY", "PATH=/nonexistent"});
    EXPECT_EQ(f.exit_code, 2) << f.err;
    EXPECT_NE(f.err.find("ffmpeg was not found"), std::string::npos) << f.err;
    EXPECT_FALSE(something_there());
}

TEST_F(WholeRuns, TroubleWithARecordingIsOneSentence) {
    const auto pretender = [&](const char* name, const std::string& text) {
        fs::create_directories(folder / name);
        std::ofstream(folder / name / "ffmpeg") << "#!/bin/sh\n" << text << "\n";
        fs::permissions(folder / name / "ffmpeg", fs::perms::owner_all);
        return "PATH=" + (folder / name).string() + ":" + getenv("PATH");
    };
    const std::string killed = pretender("killed", "head -c 300000 > /dev/null; kill -9 $$");
    std::ofstream(folder / "taken") << "precious";
    const auto full = [&](const fs::path& out) {  // no file may grow: as a full disk
        std::string line = "trap '' XFSZ; ulimit -f 1; exec";
        for (const std::string& word : film(out)) line += " '" + word + "'";
        return Words{"sh", "-c", line};
    };
    const auto sized = [&](const char* size, const char* out) {
        Words words = film(folder / out);
        *std::find(words.begin(), words.end(), "160x120") = size;
        return words;
    };
    struct Case {
        Words words;
        std::string path, said;
        int code;
    };
    for (const Case& c : {Case{film(folder / "a.mp4"), killed, "killed by signal 9", 1},
                          {full(folder / "b.mp4"), "", "b.mp4", 1},
                          {full(folder / "b"), "", "frame_000000.png", 1},
                          {full(folder / "b.pc2"), "", "b.obj", 1},
                          {full(folder / "b.pvd"), "", "frame_000000.vtu", 1},
                          {film("/proc/c.mp4"), "", "Cannot create /proc/c.mp4", 2},
                          {film(folder / "taken"), "", "is not a folder", 2},
                          {film(folder / "taken" / "d.mp4"), "", "taken", 2},
                          {sized("161x120", "e.mp4"), "", "162x120", 2},
                          {sized("8194x120", "e.mp4"), "", "16 to 8192", 2}}) {
        const Words environment = c.path.empty() ? Words{} : Words{c.path};
        const Finished f = run_process(c.words, 60, environment);
        EXPECT_EQ(f.exit_code, c.code) << c.said << ": " << f.err;
        EXPECT_TRUE(f.err.starts_with("wobble: ") || f.err.find("\nwobble: ") != std::string::npos) << f.err;
        EXPECT_NE(f.err.find(c.said), std::string::npos) << f.err;
        EXPECT_EQ(f.out, "");
    }
    EXPECT_EQ(entries(), 2) << "what could not be written is gone: only the pretender and what was there remain";
    EXPECT_EQ(bytes(folder / "taken"), "precious");
}

// What was guessed of an opened mesh is one sentence of its own, beside the result.
void expect_good_run(const Finished& f, const std::string& name) {
    ASSERT_EQ(f.exit_code, 0) << f.err;
    EXPECT_TRUE(f.err.starts_with("wobble: " + name + ".obj: ")) << f.err;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
    const Json json = Json::parse(f.out);
    EXPECT_EQ(json["scene"], name);
    EXPECT_EQ(json["status"], "ok");
    EXPECT_DOUBLE_EQ(json["sim_seconds"], 0.05);
    EXPECT_GT(json["steps"], 0);
    EXPECT_GT(json["energy"]["max_kinetic"], 0) << "nothing moves";
}

TEST_F(WholeRuns, AMeshOfOnesOwn) {
    const fs::path mesh = folder / "box.obj";
    std::ofstream(mesh) << box_obj(6);
    expect_good_run(
        run_process(command({"run", mesh.string(), "--set", "resolution=300", "--seconds", "0.05", "--json"}), 120, without_display()),
        "box");
}

TEST_F(WholeRuns, AScan) {
    const fs::path scan = fs::path(WOBBLE_SOURCE_DIR) / "../shared/meshes/stanford-bunny.obj";
    if (!fs::exists(scan)) GTEST_SKIP() << scan << " is not there";
    expect_good_run(
        run_process(command({"run", scan.string(), "--set", "resolution=1000", "--seconds", "0.05", "--json"}), 250, without_display()),
        "stanford-bunny");
}

TEST_F(WholeRuns, StopCleanlyOnCtrlC) {
    const auto started = [this] { return something_there(); };  // the file of --csv is opened before the body is built
    const Finished run =
        run_process(command({"run", "beam", "--set", "resolution=200", "--seconds", "1e5", "--csv", (folder / "x.csv").string()}), 60,
                    without_display(), started);
    EXPECT_FALSE(run.timed_out);
    EXPECT_EQ(run.exit_code, 130);
    EXPECT_EQ(run.err, "wobble: Stopped on request.\n");

    const fs::path frames = folder / "frames";
    Words words = film(frames);
    words.insert(words.end(), {"--seconds", "1e4", "--step", "1e-6"});  // one picture is 100 000 steps from the next
    words.erase(words.begin() + 5, words.begin() + 7);                  // the other --seconds
    const auto filming = [&] { return fs::exists(frames / "frame_000000.png"); };
    const Finished record = run_process(words, 60, without_display(), filming);
    EXPECT_FALSE(record.timed_out);
    EXPECT_EQ(record.exit_code, 130) << record.err;
    EXPECT_NE(record.err.find("the film ends early"), std::string::npos) << record.err;
    EXPECT_TRUE(bytes(frames / "frame_000000.png").starts_with("\x89PNG"));
    EXPECT_FALSE(fs::exists(frames / "frame_000001.png")) << "it stopped at a picture, not at a step";
}

// From exec to the first picture of the default scene; printed, for a loaded machine proves nothing; see timed.h.
TEST_F(WholeRuns, TheViewerSaysHowSoonItsFirstPictureCame) {
    const Xvfb server;
    ASSERT_TRUE(server.ready()) << "Xvfb did not start";
    const fs::path said = folder / "said.txt";
    const auto there = [&] { return bytes(said).ends_with("\n"); };
    const Finished f = run_process({"/bin/sh", "-c", std::string("exec ") + WOBBLE_PROGRAM + " 2>" + said.string()}, 60,
                                   {"WAYLAND_DISPLAY", "XDG_CONFIG_HOME=" + folder.string()}, there);
    EXPECT_EQ(f.exit_code, 130);
    double seconds = 0;
    ASSERT_EQ(std::sscanf(bytes(said).c_str(), "wobble: the first picture came %lf s after the start", &seconds), 1) << bytes(said);
    std::printf("the first picture came %.2f s after the start\n", seconds);
    EXPECT_GT(seconds, 0);
    if (timed()) {
        EXPECT_LE(seconds, 2);
    }
}

TEST_F(WholeRuns, AWindowThatCannotOpenIsOneSentence) {
    const Finished f = run_process(command({"beam", "--quiet"}), 60, {"WAYLAND_DISPLAY", "DISPLAY=:9999"});
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_TRUE(f.err.starts_with("wobble: There is no display to open a window on")) << f.err;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
}

TEST_F(WholeRuns, TheViewerEndsOnSignals) {
    const Xvfb server;
    ASSERT_TRUE(server.ready()) << "Xvfb did not start";
    const auto shown = [] { return Xvfb::xdotool("search --name Wobble"); };
    for (const int number : {SIGINT, SIGTERM}) {
        const Finished f = run_process(command({"beam", "--set", "resolution=200", "--quiet"}), 60, {"WAYLAND_DISPLAY"}, shown, number);
        EXPECT_FALSE(f.timed_out) << "signal " << number << " was swallowed";
        EXPECT_EQ(f.exit_code, 130) << f.err;
        EXPECT_EQ(f.err, "");
    }
}

}  // namespace
}  // namespace wobble
