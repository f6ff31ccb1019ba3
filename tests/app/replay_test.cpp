// `wobble replay` and `wobble record` of moving meshes, as a user starts them.
#include "engine/scene/scene_file.h"
#include "engine/sim/run_log.h"
#include "engine/sim/simulation.h"
#include "tests/app/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class Replay : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("wobble-replay-" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    static Finished wobble(std::vector<std::string> words) {
        words.insert(words.begin(), WOBBLE_PROGRAM);
        return run_process(words);
    }
    // A short session with a beam.
    std::string logged() const {
        auto scene = load_scene("beam");
        scene.value().settings.parameters().resolution = 80;
        auto loaded = build_scene(std::move(scene).value());
        Simulation simulation(loaded.value(), 1, Simulation::Log::on);
        simulation.post(SetSpeed{50});
        simulation.post(Grab{5, Vec3(0.3, 0.3, 0.4), Vec3(0.5, 1, 0)});
        simulation.post(Play{});
        while (simulation.latest()->step < 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        simulation.post(SetMethod{"exprb42"});
        simulation.post(Release{});
        while (simulation.latest()->settings.method != "exprb42" || simulation.latest()->step < 40)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_TRUE(write_run_log(simulation.run_log(), folder_ / "run.log"));
        return (folder_ / "run.log").string();
    }
    fs::path folder_;
};

TEST_F(Replay, TellsTheSameStateFromAnother) {
    const std::string log = logged();
    for (const char* threads : {"1", "2"}) {
        const Finished same = wobble({"replay", log, "--quiet", "--threads", threads});
        EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
        EXPECT_NE(same.out.find("same state"), std::string::npos) << same.out;
    }
    const Finished json = wobble({"replay", log, "--json", "--quiet"});
    EXPECT_EQ(json.exit_code, 0);
    EXPECT_NE(json.out.find("\"same\": true"), std::string::npos) << json.out;

    std::stringstream text;
    text << std::ifstream(log).rdbuf();
    std::string other = text.str();
    const auto grab = other.find(" grab 5 0.3");
    ASSERT_NE(grab, std::string::npos);
    other.replace(grab, 11, " grab 5 0.2");  // a grab elsewhere
    std::ofstream(folder_ / "other.log") << other;
    const Finished different = wobble({"replay", (folder_ / "other.log").string(), "--quiet"});
    EXPECT_EQ(different.exit_code, 1) << different.out << different.err;
    EXPECT_NE(different.out.find("different state"), std::string::npos) << different.out;
}

TEST_F(Replay, RefusesWhatIsNoLog) {
    std::ofstream(folder_ / "x.log") << "wobble run log 1\nscene beam 0\n";
    for (const std::string& file :
         {(folder_ / "x.log").string(), (folder_ / "none.log").string(), folder_.string(), std::string("/dev/null")}) {
        const Finished refused = wobble({"replay", file});
        EXPECT_EQ(refused.exit_code, 2) << file;
        EXPECT_TRUE(refused.err.starts_with("wobble: ")) << refused.err;
        EXPECT_EQ(refused.out, "");
    }
    EXPECT_NE(wobble({"replay", (folder_ / "x.log").string()}).err.find("x.log:2: "), std::string::npos);
    EXPECT_EQ(wobble({"replay"}).exit_code, 2);
}

TEST_F(Replay, DamagedLogsAreOneSentence) {
    std::stringstream text;
    text << std::ifstream(logged()).rdbuf();
    const std::string good = text.str();
    const auto put = [&](std::string from, const std::string& to) {
        std::string bad = good;
        const auto at = bad.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        if (at != std::string::npos) bad.replace(at, to.empty() ? std::string::npos : from.size(), to);
        std::ofstream(folder_ / "bad.log") << bad;
        return (folder_ / "bad.log").string();
    };
    struct Case {
        std::string from, to, said;  // nothing to put there: cut
    };
    for (const Case& c : {Case{" grab 5", "", "bad.log:"},
                          {"run log 1", "run log 2", "bad.log:1: This is not a run log"},
                          {"shape = \"beam\"", "file = \"/nowhere/cow.obj\"", "/nowhere/cow.obj"},
                          {"resolution = 80.0", "resolution = nan", "resolution"},
                          {" method exprb42", " pins 2000000000 held", "\"pins\""},
                          {"\nend ", "\nend 99999999999999", "end STEPS HASH"}}) {
        const Finished f = wobble({"replay", put(c.from, c.to), "--quiet"});
        EXPECT_EQ(f.exit_code, 2) << c.from << ": " << f.out << f.err;
        EXPECT_TRUE(f.err.starts_with("wobble: ")) << f.err;
        EXPECT_NE(f.err.find(c.said), std::string::npos) << f.err;
        EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
        EXPECT_EQ(f.out, "");
    }
    // What is not a number for a slider is refused there, as when typed; the run then ends elsewhere.
    const Finished nan = wobble({"replay", put(" method exprb42", " parameter stiffness nan"), "--quiet"});
    EXPECT_EQ(nan.exit_code, 1) << nan.err;
    EXPECT_NE(nan.out.find("different state"), std::string::npos) << nan.out;
    // A count that is large but possible is believed, and Ctrl-C ends it.
    const std::string endless = put("\nend ", "\nend 9999999");
    int asked = 0;
    const Finished stopped = run_process({WOBBLE_PROGRAM, "replay", endless, "--quiet"}, 60, {}, [&] { return ++asked > 10; });
    EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
    EXPECT_NE(stopped.err.find("Stopped on request"), std::string::npos) << stopped.err;
}

TEST_F(Replay, RecordWritesTheMovingMesh) {
    const auto record = [&](const std::string& out, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"record", "beam",    "--set", "resolution=80",         "--seconds", "0.2", "--fps",
                                       "10",     "--quiet", "--out", (folder_ / out).string()};
        words.insert(words.end(), more.begin(), more.end());
        return wobble(words);
    };
    for (const auto& [out, format, made] : {std::tuple{"a.pc2", "", "a.obj"},
                                            {"b.pvd", "", "b/frame_000001.vtu"},
                                            {"c", "ply", "c/frame_000001.ply"},
                                            {"d", "obj", "d/frame_000001.obj"},
                                            {"e", "pc2", "e.pc2"},
                                            {"f", "vtu", "f.pvd"}}) {
        const Finished done = record(out, *format ? std::vector<std::string>{"--format", format} : std::vector<std::string>{});
        EXPECT_EQ(done.exit_code, 0) << out << ": " << done.err;
        EXPECT_NE(done.out.find("2 frames at 10 per second"), std::string::npos) << done.out;
        EXPECT_TRUE(fs::exists(folder_ / made)) << made;
    }
    EXPECT_EQ(record("x.mp4", {"--format", "pc2"}).exit_code, 2);
    EXPECT_EQ(record("x", {"--format", "abc"}).exit_code, 2);
    EXPECT_EQ(wobble({"record", "beam", "--out", "/proc/x.pc2"}).exit_code, 2);
    EXPECT_FALSE(fs::exists(folder_ / "x.mp4"));
}

TEST_F(Replay, RecordHonoursWhatTheSceneSaysAndTheCommandLineWins) {
    std::ofstream(folder_ / "x.toml") << "[source]\nshape = \"beam\"\n[parameters]\nresolution = 60\n[view]\nfield = \"speed\"\n"
                                         "[recording]\nfps = 10\nseconds = 0.2\nformat = \"vtu\"\n";
    const auto record = [&](const std::string& out, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"record", (folder_ / "x.toml").string(), "--quiet", "--out", (folder_ / out).string()};
        words.insert(words.end(), more.begin(), more.end());
        return wobble(words);
    };
    const auto text = [&](const std::string& file) {
        std::stringstream all;
        all << std::ifstream(folder_ / file).rdbuf();
        return all.str();
    };
    const Finished scenes = record("a");
    ASSERT_EQ(scenes.exit_code, 0) << scenes.err;
    EXPECT_NE(text("a/frame_000001.vtu").find("Name=\"speed\""), std::string::npos) << "format and field of the scene";
    EXPECT_NE(scenes.out.find("2 frames at 10"), std::string::npos) << scenes.out;
    ASSERT_EQ(record("b", {"--field", "strain"}).exit_code, 0);
    EXPECT_EQ(text("b/frame_000001.vtu").find("Name=\"speed\""), std::string::npos);
    EXPECT_NE(text("b/frame_000001.vtu").find("Name=\"strain\""), std::string::npos);
    ASSERT_EQ(record("c.pc2").exit_code, 0) << "the name wins over the scene";
    EXPECT_TRUE(fs::exists(folder_ / "c.pc2"));
    ASSERT_EQ(record("d", {"--format", "png", "--size", "320x240"}).exit_code, 0);
    ASSERT_EQ(record("e", {"--format", "png", "--size", "320x240", "--no-legends"}).exit_code, 0);
    EXPECT_NE(text("d/frame_000001.png"), text("e/frame_000001.png")) << "the colours' scale is in one of them";
}

}  // namespace
}  // namespace wobble
