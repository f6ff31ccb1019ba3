// Sessions logged and had again: to the same bits, through the file, whatever was done; and files that were tampered with.
#include "engine/sim/run_log.h"

#include "engine/integrate/methods.h"
#include "engine/scene/scene_file.h"
#include "engine/sim/simulation.h"
#include "tests/support/wait_for.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <thread>

namespace wobble {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const LoadedScene> small(const std::string& name, double resolution = 120) {
    auto scene = load_scene(name);
    if (!scene) return ADD_FAILURE() << scene.message(), nullptr;
    scene.value().settings.parameters().resolution = resolution;
    auto built = build_scene(std::move(scene).value());
    if (!built) return ADD_FAILURE() << built.message(), nullptr;
    return built.value();
}

class RunLogFile : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("wobble-log-" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string text(const char* name = "run.log") const {
        std::ifstream in(folder_ / name, std::ios::binary);
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }
    fs::path put(const std::string& content) const {
        std::ofstream(folder_ / "bad.log", std::ios::binary) << content;
        return folder_ / "bad.log";
    }
    fs::path folder_;
};

std::vector<Command> one_of_each(const std::shared_ptr<const LoadedScene>& scene) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    SolverOptions solver{1e-7, NonlinearSolver::simplified, LinearSolver::cg_rest, PhiMethod::kiops, GautschiFilter::deuflhard};
    PinRule pin;
    pin.low = Vec3(0.1, 0.2, 1.0 / 3), pin.high = Vec3(0.4, 0.5, 0.6), pin.kind = PinRule::Kind::plane;
    pin.direction = Vec3(0, 1, 1), pin.amplitude = Vec3(0, 0.1, 0), pin.frequency = 1.5;
    Obstacle obstacle = make_obstacle(Obstacle::Kind::cylinder);
    obstacle.name = "a drum", obstacle.radius = 1.0 / 3, obstacle.position = Vec3(0, 7, 0), obstacle.spin = 30, obstacle.friction = 0.1;
    obstacle.keys = {{0.5, Vec3(1, 2, 3), Vec3::UnitX(), 90}, {1, Vec3::Zero(), Vec3::UnitZ(), -20}};
    return {Play{},
            Pause{},
            StepOnce{},
            PlayTo{0.7},
            StepBack{},
            GoTo{1.0 / 3},
            Reset{},
            SetSpeed{0.1},
            SetMethod{"exprb42"},
            SetMethod{"no such\nmethod%"},
            SetMethod{""},
            SetStep{4.9406564584124654e-324},
            SetSolver{solver},
            SetStepControl{StepControl::error, 1e-3},
            SetParameter{"stiffness", 6e3},
            SetParameter{"a b", nan},
            SetDivergencePolicy{DivergencePolicy::halve_step},
            SetDivergencePolicy{DivergencePolicy::pause},
            Grab{7, Vec3(0.2, 0.3, 0.5), Vec3(-0.0, 1e308, inf)},
            MoveGrab{Vec3(0.1, 0.2, 0.3)},
            Release{},
            TogglePin{2, Vec3(0.25, 0.5, 0.25)},
            SetPins{{pin, PinRule::below(1, 0.05)}},
            SetPins{{}},
            AddObstacle{obstacle},
            SetObstacle{0, obstacle},
            RemoveObstacle{3},
            DragObstacle{1, Vec3(0.1, 1.0 / 3, -2)},
            ReleaseObstacle{},
            SetContact{{true, false, true}},
            Drop{0.3},
            SetFrameTimes{1.0 / 30},
            Show{Field::stress, true},
            Show{Field::none, false},
            Load{scene}};
}

TEST_F(RunLogFile, EveryCommandComesBackAsItWas) {
    const auto scene = small("cloth", 60);
    ASSERT_TRUE(scene);
    RunLog log;
    log.begin(*scene);
    std::vector<bool> seen(std::variant_size_v<Command>);
    std::uint64_t step = 0;
    for (const Command& command : one_of_each(scene)) log.note(step += 3, 0, command), seen[command.index()] = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), std::ssize(seen)) << "add the new command to this test";
    log.steps = step + 5, log.hash = 0xfedcba9876543210u;
    ASSERT_TRUE(write_run_log(log, folder_ / "run.log"));
    const auto back = read_run_log(folder_ / "run.log");
    ASSERT_TRUE(back) << back.message();
    ASSERT_EQ(back.value().entries.size(), log.entries.size());
    for (std::size_t i = 0; i < log.entries.size(); ++i) {
        EXPECT_EQ(back.value().entries[i].step, log.entries[i].step);
        EXPECT_EQ(back.value().entries[i].command.index(), log.entries[i].command.index());
    }
    const auto command = [&](int i) -> const Command& { return back.value().entries[static_cast<std::size_t>(i)].command; };
    EXPECT_EQ(std::get<GoTo>(command(5)).t, 1.0 / 3);
    EXPECT_EQ(std::get<SetMethod>(command(9)).id, "no such\nmethod%");
    EXPECT_EQ(std::get<SetMethod>(command(10)).id, "");
    EXPECT_EQ(std::get<SetStep>(command(11)).h, 4.9406564584124654e-324);
    EXPECT_EQ(std::get<SetSolver>(command(12)).solver, std::get<SetSolver>(log.entries[12].command).solver);
    EXPECT_TRUE(std::isnan(std::get<SetParameter>(command(15)).value));
    EXPECT_TRUE(std::signbit(std::get<Grab>(command(18)).target.x()));
    EXPECT_EQ(std::get<SetPins>(command(22)).pins, std::get<SetPins>(log.entries[22].command).pins);
    EXPECT_EQ(std::get<AddObstacle>(command(24)).obstacle, std::get<AddObstacle>(log.entries[24].command).obstacle);
    EXPECT_EQ(std::get<DragObstacle>(command(27)).position, Vec3(0.1, 1.0 / 3, -2));
    EXPECT_EQ(back.value().bodies, log.bodies);
    EXPECT_EQ(back.value().steps, log.steps);
    EXPECT_EQ(back.value().hash, log.hash);
    // And all the rest: what was read writes the same text.
    ASSERT_TRUE(write_run_log(back.value(), folder_ / "again.log"));
    EXPECT_EQ(text("again.log"), text());
}

TEST_F(RunLogFile, EveryMistakeIsToldWithItsLine) {
    const auto scene = small("cloth", 60);
    ASSERT_TRUE(scene);
    RunLog log;
    log.begin(*scene);
    log.note(1, 0, Play{});
    log.note(4, 0, SetStep{0.01});
    log.steps = 9;
    ASSERT_TRUE(write_run_log(log, folder_ / "run.log"));
    const std::string good = text();
    const auto line_of = [&](const std::string& part) {
        return 1 + std::count(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(good.find(part)), '\n');
    };
    const auto told = [&](const std::string& from, const std::string& to) {
        std::string bad = good;
        const auto at = bad.find(from);
        if (at == std::string::npos) return ADD_FAILURE() << from, std::string();
        bad.replace(at, from.size(), to);
        const auto read = read_run_log(put(bad));
        return read ? "accepted" : read.message();
    };
    const auto says = [&](const std::string& from, const std::string& to, long line, const std::string& word) {
        const std::string message = told(from, to);
        EXPECT_NE(message.find(":" + std::to_string(line) + ": "), std::string::npos) << to << ": " << message;
        EXPECT_NE(message.find(word), std::string::npos) << to << ": " << message;
    };
    const long first = line_of("1 play"), second = line_of("4 step-size"), last = line_of("end 9");
    says("wobble run log 1", "wobble run log 7", 1, "not a run log");
    says("scene cloth", "scenery cloth", line_of("scene cloth"), "scene");
    says("scene cloth ", "scene cloth xyz", line_of("scene cloth"), "hexadecimal");
    says("| kind = \"springs\"", "| kind = \"jam\"", line_of("scene cloth"), "jam");
    says("1 play", "1 plug", first, "\"plug\"");
    says("1 play", "x play", first, "\"play\"");
    says("1 play", "1 play 7", first, "\"play\"");
    says("1 play", "1", first, "STEP COMMAND");
    says("1 play", "-1 play", first, "\"play\"");
    says("1 play", "5 play", second, "less than");
    says("1 play", "99999999999999 play", first, "at most");
    says("step-size 0.01", "step-size 0.0x", second, "\"step-size\"");
    says("step-size 0.01", "step-size", second, "\"step-size\"");
    says("step-size 0.01", "grab 1 2 3 4 5 6", second, "\"grab\"");
    says("step-size 0.01", "pins 1000000000 held", second, "\"pins\"");
    says("step-size 0.01", "solver 1e-6 newton magic lanczos deuflhard", second, "\"solver\"");
    says("step-size 0.01", "method a%zz", second, "\"method\"");
    says("end 9", "end 3", last, "before the last command");
    says("end 9", "end nine", last, "end STEPS HASH");
    says("end 9 0000000000000000\n", "", last - 1, "breaks off");
    says("end 9 0000000000000000\n", "end 9 0000000000000000\nmore\n", last + 1, "Nothing may follow");
    EXPECT_FALSE(read_run_log(folder_ / "missing.log"));
    EXPECT_FALSE(read_run_log(folder_));
    // Every prefix is refused or, without its last line break, good; none is a crash.
    for (std::size_t n = 1; n < good.size() - 1; n += 97) EXPECT_FALSE(read_run_log(put(good.substr(0, n)))) << n;
}

TEST_F(RunLogFile, AChangedMeshIsASentence) {
    std::ofstream(folder_ / "tet.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const auto loaded = small((folder_ / "tet.obj").string(), 0);
    ASSERT_TRUE(loaded);
    Simulation simulation(loaded, 1, Simulation::Log::on);
    simulation.post(StepOnce{});
    while (simulation.latest()->step < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(write_run_log(simulation.run_log(), folder_ / "run.log"));
    const auto log = read_run_log(folder_ / "run.log");
    ASSERT_TRUE(log) << log.message();
    EXPECT_TRUE(std::get<FileSource>(log.value().start->scene.body().source).file.is_absolute());
    const auto same = replay(log.value(), 1);
    ASSERT_TRUE(same) << same.message();
    EXPECT_TRUE(same.value().same);
    std::ofstream(folder_ / "tet.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const auto changed = replay(log.value(), 1);
    ASSERT_FALSE(changed);
    EXPECT_NE(changed.message().find("tet.obj"), std::string::npos) << changed.message();
    fs::remove(folder_ / "tet.obj");
    const auto missing = replay(log.value(), 1);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.message().find("tet.obj"), std::string::npos) << missing.message();
}

TEST_F(RunLogFile, ALogThatIsTooLongSaysSo) {
    const auto scene = small("cloth", 60);
    ASSERT_TRUE(scene);
    RunLog log;
    log.begin(*scene);
    for (std::size_t i = 0; i < RunLog::most + 10; ++i) log.note(i, 0, Play{});
    EXPECT_EQ(log.entries.size(), RunLog::most);
    const auto written = write_run_log(log, folder_ / "run.log");
    ASSERT_FALSE(written);
    EXPECT_NE(written.message().find("2000000"), std::string::npos) << written.message();
    EXPECT_FALSE(fs::exists(folder_ / "run.log"));
}

TEST_F(RunLogFile, AnotherHashIsADifferentState) {
    const auto scene = small("cloth", 60);
    ASSERT_TRUE(scene);
    RunLog log;
    log.begin(*scene);
    log.steps = 3, log.hash = 1;
    const auto again = replay(log, 1);
    ASSERT_TRUE(again) << again.message();
    EXPECT_FALSE(again.value().same);
    EXPECT_EQ(again.value().steps, 3u);
    EXPECT_FALSE(replay(log, 1, [](std::string_view, double) { return false; }));
}

// A session of random play with a real simulation, on its own thread and at its own pace.
class RandomSession {
public:
    RandomSession(std::uint64_t seed, std::vector<std::shared_ptr<const LoadedScene>> scenes) : random_(seed), scenes_(std::move(scenes)) {}

    Command command() {
        const int triangle = static_cast<int>(random_() % 200);
        const Vec3 corner(0.2, 0.3, 0.5), place(between(-1, 1), between(0, 1), between(-1, 1));
        switch (random_() % 24) {
            case 0:
                return Pause{};
            case 1:
                return StepOnce{};
            case 2:
                return StepBack{};
            case 3:
                return GoTo{between(0, 0.5)};
            case 4:
                return Reset{};
            case 5:
                return SetSpeed{between(5, 50)};
            case 6:
            case 7:
                return SetMethod{methods()[random_() % methods().size()].info.id};
            case 8:
                return SetStep{random_() % 2 ? 0 : between(1e-3, 2e-2)};
            case 9:
                return SetSolver{{.tolerance = between(1e-8, 1e-4), .linear = LinearSolver::cg_block}};
            case 10:
                return SetStepControl{random_() % 3 ? StepControl::fixed : StepControl::error, between(1e-3, 1e-1)};
            case 11:
                return SetParameter{"stiffness", between(1e2, 1e5)};
            case 12:
                return SetParameter{"damping", between(0, 1e-3)};
            case 13:
                return SetParameter{"nonsense", 1};
            case 14:
                return SetDivergencePolicy{random_() % 2 ? DivergencePolicy::pause : DivergencePolicy::halve_step};
            case 15:
                return Grab{triangle, corner, place};
            case 16:
                return MoveGrab{place};
            case 17:
                return Release{};
            case 18:
                return TogglePin{triangle, corner};
            case 19:
                return SetFrameTimes{random_() % 2 ? 0 : between(0.01, 0.05)};
            case 20:
                return Show{fields()[random_() % fields().size()].kind, random_() % 2 == 0};
            case 21:
                return Load{scenes_[random_() % scenes_.size()]};
            case 22:
                return SetPins{{PinRule::below(static_cast<int>(random_() % 3), between(0.02, 0.2))}};
            default:
                return PlayTo{between(0, 1)};
        }
    }
    int wait() { return static_cast<int>(random_() % 12); }

private:
    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    std::mt19937_64 random_;
    std::vector<std::shared_ptr<const LoadedScene>> scenes_;
};

TEST_F(RunLogFile, RandomSessionsReplayToTheSameBits) {
    const std::vector<std::shared_ptr<const LoadedScene>> scenes{small("beam", 60), small("torus", 60), small("cloth", 80)};
    for (const auto& scene : scenes) ASSERT_TRUE(scene);
    for (const std::uint64_t seed : {1, 2, 3}) {
        RandomSession session(seed, scenes);
        RunLog paused, running;
        {
            Simulation simulation(scenes.front(), 2, Simulation::Log::on);
            simulation.post(SetSpeed{20});
            simulation.post(Play{});
            std::uint64_t posted = 0;
            const auto log_now = [&] {  // of a simulation that has heard everything, however busy the machine is
                EXPECT_TRUE(support::wait_for([&] { return simulation.latest()->commands >= posted; }));
                return simulation.run_log();
            };
            for (int i = 0; i < 120; ++i) {
                posted = simulation.post(session.command());
                if (i % 3 == 0) posted = simulation.post(Play{});
                std::this_thread::sleep_for(std::chrono::milliseconds(session.wait()));
                if (i == 90) running = log_now();  // while it moves
            }
            paused = log_now();
        }
        EXPECT_GT(paused.steps, 3u);  // more on machines that have nothing else to do
        EXPECT_GT(paused.entries.size(), running.entries.size());
        for (const RunLog* log : {&running, &paused}) {
            ASSERT_TRUE(write_run_log(*log, folder_ / "run.log"));
            const auto read = read_run_log(folder_ / "run.log");
            ASSERT_TRUE(read) << read.message();
            const auto again = replay(read.value(), 1);
            ASSERT_TRUE(again) << again.message();
            EXPECT_TRUE(again.value().same) << "seed " << seed << ", " << log->steps << " steps";
            EXPECT_EQ(again.value().world.time(), log->t);
        }
    }
}

// A run that fails pauses by itself; the failed step counts, and what comes after it is the same again.
TEST_F(RunLogFile, ADivergenceIsReplayed) {
    const auto scene = small("beam", 60);
    ASSERT_TRUE(scene);
    Simulation simulation(scene, 1, Simulation::Log::on);
    const auto wait_for = [&](const auto& condition) {
        for (int i = 0; i < 6000 && !condition(*simulation.latest()); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return condition(*simulation.latest());
    };
    simulation.post(SetMethod{"verlet"});
    simulation.post(SetStep{0.05});
    simulation.post(SetSpeed{100});
    simulation.post(Play{});
    ASSERT_TRUE(wait_for([](const Snapshot& s) { return !s.running && s.message.find("diverged") != std::string::npos; }));
    simulation.post(SetMethod{"implicit-euler"});
    simulation.post(Play{});
    const std::uint64_t from = simulation.latest()->step;
    ASSERT_TRUE(wait_for([&](const Snapshot& s) { return s.step > from + 3; }));
    const RunLog log = simulation.run_log();
    const auto again = replay(log, 1);
    ASSERT_TRUE(again) << again.message();
    EXPECT_TRUE(again.value().same);
}

}  // namespace
}  // namespace wobble
