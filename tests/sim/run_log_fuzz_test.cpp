// Run logs that were damaged, by hand and at random: a sentence or a replay, never a crash, and never a state that is not finite.
#include "engine/sim/run_log.h"

#include "engine/scene/scene_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <sstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class DamagedLog : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("wobble-damaged-" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    // A short session with a piece of cloth, which is built in a moment, and a bit of everything done to it.
    std::string session() {
        auto scene = load_scene("cloth");
        EXPECT_TRUE(scene) << scene.message();
        scene.value().settings.parameters().resolution = 60;
        auto built = build_scene(std::move(scene).value());
        EXPECT_TRUE(built) << built.message();
        RunLog log;
        log.begin(*built.value());
        World world(built.value(), 1);
        world.keep_history();
        const std::vector<Command> commands{Play{},
                                            Grab{5, Vec3(0.2, 0.3, 0.5), Vec3(0.1, 0.5, 0.3)},
                                            SetMethod{"implicit-euler"},
                                            SetStep{0.01},
                                            MoveGrab{Vec3(0.3, 0.4, 0.1)},
                                            SetParameter{"stiffness", 700},
                                            Release{},
                                            SetFrameTimes{1.0 / 30},
                                            TogglePin{3, Vec3(0.3, 0.3, 0.4)},
                                            SetStepControl{StepControl::error, 0.05},
                                            Show{Field::strain, true},
                                            StepBack{},
                                            SetMethod{"verlet"},
                                            SetPins{{PinRule::above(1, 0.9)}},
                                            PlayTo{2}};
        for (const Command& command : commands) {
            log.note(log.steps, world.time(), command);
            world.apply(command);
            world.step();
            ++log.steps;
        }
        log.hash = world.state_hash();
        EXPECT_TRUE(write_run_log(log, folder_ / "run.log"));
        std::ostringstream out;
        out << std::ifstream(folder_ / "run.log", std::ios::binary).rdbuf();
        return out.str();
    }

    enum class Fate { refused, replayed, stopped };
    // Steps enough for a log that is not damaged; a count that is only wants to be stopped.
    Fate fate(const std::string& text) {
        std::ofstream(folder_ / "bad.log", std::ios::binary) << text;
        const auto log = read_run_log(folder_ / "bad.log");
        if (!log) return expect_sentence(log.message(), "bad.log"), Fate::refused;
        int asked = 0;
        const auto again = replay(log.value(), 1, [&](std::string_view, double fraction) {
            EXPECT_TRUE(fraction >= 0 && fraction <= 1) << fraction;
            return ++asked < 200;
        });
        if (!again) return expect_sentence(again.message(), ""), asked >= 200 ? Fate::stopped : Fate::refused;
        EXPECT_TRUE(again.value().world.positions().allFinite());
        EXPECT_TRUE(again.value().world.velocities().allFinite());
        (void)again.value().world.snapshot();
        return Fate::replayed;
    }
    static void expect_sentence(const std::string& message, const std::string& part) {
        EXPECT_GT(message.size(), 10u);
        EXPECT_LT(message.size(), 2000u);
        EXPECT_NE(message.find(part), std::string::npos) << message;
        EXPECT_TRUE(message.ends_with('.') || message.ends_with('?')) << message;
    }
    fs::path folder_;
};

TEST_F(DamagedLog, HostileCommandsAreSurvived) {
    const std::string good = session();
    ASSERT_EQ(fate(good), Fate::replayed);
    const auto place = good.find("\n3 ");
    ASSERT_NE(place, std::string::npos);
    std::vector<std::string> lines;
    for (const std::string value : {"nan", "-nan", "inf", "-inf", "1e308", "-1e308", "0", "-0", "5e-324", "-1"}) {
        for (const std::string command :
             {"play-to", "go-to", "speed", "step-size", "step-control error", "step-control newton", "parameter stiffness",
              "parameter damping", "parameter density", "parameter wind", "parameter resolution", "parameter nothing"})
            lines.push_back(command + " " + value);
        lines.push_back("grab 5 " + value + " 0.5 0.5 0 0 0");
        lines.push_back("grab 5 0.2 0.3 0.5 " + value + " 0 0");
        lines.push_back("move-grab 0 " + value + " 0");
        lines.push_back("toggle-pin 3 " + value + " 0 0");
        lines.push_back("frame-times " + value + " 0");
        lines.push_back("frame-times 0.01 " + value);
        lines.push_back("solver " + value + " newton cg-block automatic deuflhard");
        for (const char* kind : {"held", "plane", "line", "free"})
            lines.push_back(std::string("pins 1 ") + kind + " 0 0 0 1 " + value + " 1 " + value + " 1 0 0 " + value + " 0 1");
    }
    for (const std::string index : {"-1", "1000000", "2147483647", "-2147483648"}) {
        lines.push_back("grab " + index + " 0.2 0.3 0.5 0 0 0");
        lines.push_back("toggle-pin " + index + " 0.2 0.3 0.5");
    }
    for (const char* line : {"method %", "method nothing", "method %00", "pins 0", "pins 10000", "pins -1", "pins 99999999999",
                             "show stress 1", "step-back", "reset", "grab 99999999999999999999 0 0 0 0 0 0"})
        lines.push_back(line);
    int replayed = 0;
    for (const std::string& line : lines) {
        SCOPED_TRACE(line);
        std::string bad = good;
        bad.insert(place + 1, "3 " + line + "\n3 play\n");
        replayed += fate(bad) == Fate::replayed;
    }
    EXPECT_GT(replayed, 100) << "what a user cannot do is refused by the world, not by the reader";
}

TEST_F(DamagedLog, RandomDamageIsASentenceOrAReplay) {
    const std::string good = session();
    std::mt19937 random(7);
    const auto any = [&](std::size_t size) { return static_cast<std::size_t>(random() % size); };
    // All of a scene's text is one kind of damage; the commands and the end deserve as much.
    const std::size_t commands = good.find("\n0 play");
    ASSERT_NE(commands, std::string::npos);
    int count[3] = {0, 0, 0};
    for (int i = 0; i < 400; ++i) {
        std::string bad = good;
        const std::size_t at = i % 2 ? any(good.size()) : commands + any(good.size() - commands);
        switch (i % 5) {
            case 0:
                bad[at] = static_cast<char>(bad[at] ^ (1 << any(8)));
                break;
            case 1:
                bad[at] = static_cast<char>(random());
                break;
            case 2:
                bad.erase(at, 1 + any(20));
                break;
            case 3:
                bad.insert(at, good.substr(any(good.size()), 1 + any(20)));
                break;
            default:
                bad[at] = static_cast<char>('0' + any(10));
                break;
        }
        SCOPED_TRACE("damage " + std::to_string(i) + " at byte " + std::to_string(at));
        ++count[static_cast<int>(fate(bad))];
    }
    EXPECT_GT(count[0], 50);
    EXPECT_GT(count[1], 50);
    for (std::size_t n = 0; n < good.size() - 1; n += 53) EXPECT_EQ(fate(good.substr(0, n)), Fate::refused) << "cut after " << n;
}

}  // namespace
}  // namespace wobble
