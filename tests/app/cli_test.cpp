// The real program, as a user or a script meets it.
#include "tests/app/process.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Cli : public testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("wobble_cli_" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }

    Finished wobble(std::vector<std::string> arguments, double seconds = 120) const {
        arguments.insert(arguments.begin(), WOBBLE_PROGRAM);
        return run_process(arguments, seconds, {"DISPLAY", "WAYLAND_DISPLAY"});
    }
    std::string text(const fs::path& file) const {
        std::ifstream stream(file);
        std::stringstream content;
        content << stream.rdbuf();
        return content.str();
    }
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Refused input: exit code 2, nothing on standard output, one line on standard error that says `part`.
void expect_refused(const Finished& f, const std::string& part) {
    EXPECT_FALSE(f.timed_out);
    EXPECT_EQ(f.exit_code, 2) << f.err;
    EXPECT_EQ(f.out, "");
    EXPECT_TRUE(f.err.starts_with("wobble: ")) << f.err;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
    EXPECT_TRUE(contains(f.err, part)) << f.err << " does not say " << part;
}

// A small, quick scene.
const std::vector<std::string> quick{"run", "beam", "--set", "resolution=200", "--seconds", "0.05", "--quiet"};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

TEST_F(Cli, HelpAndVersion) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--help"}, {"run", "--help"}, {"record", "--help"}}) {
        const auto help = wobble(arguments);
        EXPECT_EQ(help.exit_code, 0);
        EXPECT_TRUE(contains(help.out, "--integrator")) << help.out;
        EXPECT_EQ(help.err, "");
    }
    EXPECT_TRUE(contains(wobble({"--version"}).out, "wobble "));
}

TEST_F(Cli, ListNamesScenesIntegratorsAndForces) {
    const auto plain = wobble({"list", "integrators"});
    EXPECT_EQ(plain.exit_code, 0);
    for (const char* id : {"verlet", "implicit-euler", "exprb2"}) EXPECT_TRUE(contains(plain.out, id)) << plain.out;
    const auto all = wobble({"list", "--json"});
    const Json json = Json::parse(all.out);
    for (const char* scene : {"bunny", "beam", "coil", "torus"})
        EXPECT_TRUE(std::any_of(json["scenes"].begin(), json["scenes"].end(), [&](const Json& row) { return row["name"] == scene; }))
            << scene;
    EXPECT_EQ(json["scenes"][0]["name"], "bunny");
    EXPECT_GE(json["integrators"].size(), 3u);
    for (const Json& row : json["integrators"]) EXPECT_GE(row["order"], 1);
    EXPECT_GE(json["forces"].size(), 3u);
    // One line each.
    EXPECT_EQ(static_cast<std::size_t>(std::count(plain.out.begin(), plain.out.end(), '\n')), json["integrators"].size());
    expect_refused(wobble({"list", "integrtors"}), "integrtors");
}

TEST_F(Cli, RunPrintsOnePureCompleteJsonObject) {
    const auto f = wobble(quick + std::vector<std::string>{"--json"});
    ASSERT_EQ(f.exit_code, 0) << f.err;
    EXPECT_EQ(f.err, "");
    const Json json = Json::parse(f.out);
    for (const char* key : {"scene",
                            "integrator",
                            "dofs",
                            "steps",
                            "rejected_steps",
                            "sim_seconds",
                            "wall_seconds",
                            "realtime_factor",
                            "energy",
                            "status",
                            "state_hash",
                            "omega_max",
                            "operator_products",
                            "force_evaluations",
                            "factorizations",
                            "step",
                            "particles",
                            "tets",
                            "mass",
                            "message"})
        EXPECT_TRUE(json.contains(key)) << key;
    for (const char* key : {"kinetic", "elastic", "potential", "dissipated", "total", "initial_total", "max_drift"})
        EXPECT_TRUE(json["energy"].contains(key) && json["energy"][key].is_number()) << key;
    EXPECT_EQ(json["scene"], "beam");
    EXPECT_EQ(json["status"], "ok");
    EXPECT_DOUBLE_EQ(json["sim_seconds"], 0.05);
    EXPECT_GT(json["steps"], 0);
    EXPECT_GT(json["dofs"], 100);
    EXPECT_GT(json["mass"], 1);
    EXPECT_GT(json["omega_max"], 1);
    const Json& e = json["energy"];
    EXPECT_NEAR(e["kinetic"].get<double>() + e["elastic"].get<double>() + e["potential"].get<double>(), e["total"].get<double>(),
                1e-9 * std::abs(e["kinetic"].get<double>()) + 1e-12);
    EXPECT_GT(e["kinetic"], 0) << "nothing moves";
}

TEST_F(Cli, EveryIntegratorRunsAndOptionsReachTheRun) {
    const Json list = Json::parse(wobble({"list", "integrators", "--json"}).out);
    for (const Json& method : list["integrators"]) {
        const std::string id = method["name"];
        const auto f = wobble(quick + std::vector<std::string>{"--json", "--integrator", id, "--step",
                                                               id == "euler" ? "5e-6" : "1e-4",  // it explodes at 1e-4
                                                               "--set", "density=500", "--set", "gravity=3"});
        ASSERT_EQ(f.exit_code, 0) << id << ": " << f.err;
        const Json json = Json::parse(f.out);
        EXPECT_EQ(json["integrator"], id);
        EXPECT_EQ(json["parameters"]["density"], 500);
        EXPECT_EQ(json["parameters"]["gravity"], 3);
        const int expected = id == "euler" ? 10000 : 500;
        EXPECT_NEAR(json["steps"].get<int>(), expected, 1);
    }
}

TEST_F(Cli, TheSameRunGivesTheSameBitsWithAnyNumberOfThreads) {
    std::string hash;
    for (const char* threads : {"1", "2", "3", "1"}) {
        const auto f = wobble(quick + std::vector<std::string>{"--json", "--threads", threads});
        ASSERT_EQ(f.exit_code, 0) << f.err;
        const std::string now = Json::parse(f.out)["state_hash"];
        if (hash.empty()) hash = now;
        EXPECT_EQ(now, hash) << threads << " threads";
    }
    EXPECT_EQ(hash.size(), 16u);
}

TEST_F(Cli, CsvHasOneLinePerStepAndFinalOnePerParticle) {
    const fs::path csv = folder / "energies.csv", state = folder / "with space.csv";
    const auto f = wobble(quick + std::vector<std::string>{"--json", "--csv", csv.string(), "--final", state.string()});
    ASSERT_EQ(f.exit_code, 0) << f.err;
    const Json json = Json::parse(f.out);
    const std::string energies = text(csv), particles = text(state);
    EXPECT_TRUE(energies.starts_with("step,t,kinetic,elastic,potential,dissipated,supplied,total,error\n"));
    EXPECT_TRUE(particles.starts_with("x,y,z,vx,vy,vz\n"));
    EXPECT_EQ(std::count(energies.begin(), energies.end(), '\n'), json["steps"].get<long>() + 2);  // header and initial state
    EXPECT_EQ(std::count(particles.begin(), particles.end(), '\n'), json["particles"].get<long>() + 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2) << "temporary files are left";
}

TEST_F(Cli, AFullDiskFailsWithASentence) {
    for (const char* option : {"--csv", "--final"}) {
        const auto f = wobble(quick + std::vector<std::string>{option, "/dev/full"});
        EXPECT_EQ(f.exit_code, 1) << option;
        EXPECT_TRUE(contains(f.err, "/dev/full") && contains(f.err, "No space left")) << f.err;
    }
    expect_refused(wobble(quick + std::vector<std::string>{"--csv", (folder / "none/x.csv").string()}), "none/x.csv");
    expect_refused(wobble(quick + std::vector<std::string>{"--final", folder.string()}), "folder");
}

TEST_F(Cli, BadOptionsAreRefusedWithTheRemedy) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"run"}, "scene"},
        {{"run", "buny"}, "did you mean \"bunny\""},
        {{"run", "nothing-like-it"}, "bunny, beam, beams, bounce, cloth, coil, drape, drop, jelly, pile, spring_bunny, squeeze, torus"},
        {{"run", "bunny", "--integrator", "exprb3"}, "exprb2"},
        {{"run", "bunny", "--integrator", "leapfrog"}, "verlet"},
        {{"run", "bunny", "--seconds", "0"}, "--seconds"},
        {{"run", "bunny", "--seconds", "nan"}, "--seconds"},
        {{"run", "bunny", "--seconds", "1e9"}, "100000"},
        {{"run", "bunny", "--seconds=-1"}, "--seconds"},
        {{"run", "bunny", "--seconds", "-1"}, "--seconds"},
        {{"run", "bunny", "--seconds", "2s"}, "\"2s\""},
        {{"run", "bunny", "--step", "inf"}, "--step"},
        {{"run", "bunny", "--step", ""}, "--step"},
        {{"run", "bunny", "--solver-tolerance", "2"}, "--solver-tolerance"},
        {{"run", "bunny", "--error-tolerance", "0"}, "--error-tolerance"},
        {{"run", "bunny", "--linear-solver", "cg-blok"}, "did you mean \"cg-block\""},
        {{"run", "bunny", "--nonlinear-solver", "broyden"}, "superlinear"},
        {{"run", "bunny", "--step-control", "magic"}, "newton"},
        {{"run", "bunny", "--integrator", "verlet", "--step-control", "newton"}, "--step-control error"},
        {{"run", "bunny", "--threads", "1.5"}, "whole number"},
        {{"run", "bunny", "--threads", "100000"}, "256"},
        {{"run", "bunny", "--seed", "1.5"}, "whole number"},
        {{"run", "bunny", "--seed", "-1"}, "--seed"},
        {{"run", "bunny", "--csv", (folder / "x").string(), "--final", (folder / "../" / folder.filename() / "x").string()}, "two names"},
        {{"run", "bunny", "--set", "stiffness"}, "name=number"},
        {{"run", "bunny", "--set", "stifness=1e5"}, "did you mean \"stiffness\""},
        {{"run", "bunny", "--set", "stiffness=-1"}, "out of range"},
        {{"run", "bunny", "--set", "stiffness=nan"}, "out of range"},
        {{"run", "beams", "--set", "soft.stiffness=-1"}, "out of range"},
        {{"run", "beams", "--set", "sof.stiffness=1e4"}, "its bodies: stiff, soft"},
        {{"run", "bunny", "--set", "soft.stiffness=1e4"}, "soft"},
        {{"run", "bunny", "--frobnicate"}, "--frobnicate"},
        {{"run", "bunny", "beam"}, "beam"},
        {{"record", "bunny"}, "--out"},
        {{"record", "bunny", "--out", ""}, "--out"},
        {{"record", "bunny", "--out", "x.mp4", "--fps", "0"}, "--fps"},
        {{"record", "bunny", "--out", "x.mp4", "--fps", "29.97"}, "whole number"},
        {{"record", "bunny", "--out", "x.mp4", "--size", "1280"}, "WIDTHxHEIGHT"},
        {{"record", "bunny", "--out", "x.mp4", "--size", "99999x10"}, "8192"},
        {{"run", "bunny", "--size", "0.5"}, "are for mesh files"},
        {{"run", "bunny", "--size", "-1"}, "metres from 0.001 to 1000"},
        {{"run", "bunny", "--unit", "mile"}, "m, cm, mm, inch, ft"},
        {{"run", "bunny", "--up", "w"}, "guess"},
        {{"run", "bunny", "--hold", "left"}, "bottom"},
        {{"run", "bunny", "--resolution", "-5"}, "--resolution"},
        {{"record", "bunny", "--out", "x.mp4", "--size", "641x480"}, "even"},
        {{"record", "bunny", "--out", "x.mp4", "--camera", "roll=3"}, "yaw"},
        {{"record", "bunny", "--out", "x.mp4", "--camera", "yaw=nan"}, "yaw"},
        {{"record", "bunny", "--out", "x.mp4", "--seconds", "1e-5"}, "no picture"},
        {{"record", "bunny", "--out", "x.mp4", "--seconds", "1e5"}, "--seconds"},
        {{"record", "bunny", "--out", "/proc/x.mp4"}, "--out"},
        {{"record", "bunny", "--out", "/proc/frames/"}, "--out"},
        {{"--integrator", "verlet", "run", "bunny"}, "\"--integrator\" stands before the command \"run\""},
        {{"torus", "run", "bunny"}, "\"torus\" stands before the command \"run\""},
        {{"--quiet", "list"}, "--quiet"},
        {{"recrod", "bunny"}, "did you mean \"record\""},
        {{"list", "--jsn"}, "--jsn"},
        {{"check"}, "file"},
    };
    for (const auto& [arguments, part] : cases) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        expect_refused(wobble(arguments, 30), part);
    }
}

// A pyramid of 4 x 4 x 3 that stands on z = 0.
TEST_F(Cli, AMeshFileIsTakenAsTheOptionsSayAndThatIsSaidInOneLine) {
    const fs::path mesh = folder / "tent.obj";
    std::ofstream(mesh) << "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 2 2 3\nf 1 4 3 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
    const std::vector<std::string> run{"run", mesh.string(), "--resolution", "60", "--seconds", "0.01", "--json"};
    const auto guessed = wobble(run);
    ASSERT_EQ(guessed.exit_code, 0) << guessed.err;
    EXPECT_TRUE(contains(guessed.err, "tent.obj: 4 x 4 x 3 as in the file, scaled x 0.25 to 1 m; z up (guessed); ")) << guessed.err;
    const auto asked = wobble(run + std::vector<std::string>{"--unit", "cm", "--up", "y", "--hold", "top"});
    ASSERT_EQ(asked.exit_code, 0) << asked.err;
    EXPECT_TRUE(contains(asked.err, "tent.obj: 4 x 4 x 3 cm as in the file, 0.04 m large; y up; held at the top; ")) << asked.err;
    const double large = Json::parse(guessed.out)["mass"], small = Json::parse(asked.out)["mass"];
    EXPECT_NEAR(large / small, std::pow(25, 3), 1e-6 * large / small) << "1 m or 4 cm, of the same density";
    EXPECT_EQ(wobble(run + std::vector<std::string>{"--quiet"}).err, "");
}

TEST_F(Cli, ABrokenSceneFileIsRefusedWithItsLine) {
    std::ofstream(folder / "bad.toml") << "title = \"x\"\n[parameters]\nstifness = 1\n";
    const std::string bad = (folder / "bad.toml").string();
    expect_refused(wobble({"run", bad}), "bad.toml:3: Unknown key");
    expect_refused(wobble({"record", bad, "--out", (folder / "x.mp4").string()}), "bad.toml:3: Unknown key");
    std::ofstream(folder / "method.toml") << "[integrator]\nid = \"verlt\"\n";
    expect_refused(wobble({"run", (folder / "method.toml").string()}), "method.toml:2: ");
    std::ofstream(folder / "shape.toml") << "[source]\nshape = \"bany\"\n";
    expect_refused(wobble({"run", (folder / "shape.toml").string()}), "shape.toml:2: ");
}

TEST_F(Cli, WithoutADisplayTheViewerSaysHowToRecordInstead) {
    const auto f = wobble({"bunny"}, 60);
    EXPECT_FALSE(f.timed_out);
    EXPECT_EQ(f.exit_code, 2);
    EXPECT_TRUE(contains(f.err, "record")) << f.err;
}

}  // namespace
}  // namespace wobble
