// `wobble study` and `wobble export` as a user or a script meets them.
#include "tests/app/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace wobble {
namespace {

namespace fs = std::filesystem;

class StudyCli : public testing::Test {
protected:
    fs::path folder = fs::temp_directory_path() / ("wobble_study_" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }
    Finished wobble(std::vector<std::string> arguments, const std::function<bool()>& interrupt_when = {}) const {
        arguments.insert(arguments.begin(), WOBBLE_PROGRAM);
        return run_process(arguments, 120, {"DISPLAY", "WAYLAND_DISPLAY"}, interrupt_when);
    }
    void expect_refused(const std::vector<std::string>& arguments, const std::string& part) const {
        const Finished f = wobble(arguments);
        EXPECT_EQ(f.exit_code, 2) << f.err;
        EXPECT_EQ(f.out, "");
        EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
        EXPECT_NE(f.err.find(part), std::string::npos) << f.err << " does not say " << part;
    }
    std::string first_line(const fs::path& file) const {
        std::ifstream stream(file);
        std::string line;
        std::getline(stream, line);
        return line;
    }
};

TEST_F(StudyCli, WritesWhatItPromises) {
    const fs::path out = folder / "a" / "b";
    const Finished f = wobble({"study", "work-precision", "--scene", "beam", "--set", "resolution=60", "--seconds", "0.1", "--integrators",
                               "verlet,,implicit-euler", "--linear-solver", "cg-block", "--out", out.string()});
    ASSERT_EQ(f.exit_code, 0) << f.err;
    EXPECT_EQ(first_line(out / "work-precision.csv")
                  .find("integrator,h,position_error,velocity_error,seconds,operator_products,force_evaluations,status"),
              0u);
    EXPECT_TRUE(fs::exists(out / "work-precision-seconds.svg"));
    EXPECT_TRUE(fs::exists(out / "work-precision-step.svg"));
    EXPECT_NE(f.out.find("Reference: "), std::string::npos) << "the reference's self-error is printed";
    EXPECT_NE(f.out.find("diverged"), std::string::npos);
    for (const auto& entry : fs::directory_iterator(out)) EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
}

TEST_F(StudyCli, ListsStudies) {
    const Finished f = wobble({"list", "studies", "--json"});
    ASSERT_EQ(f.exit_code, 0) << f.err;
    const auto rows = nlohmann::json::parse(f.out).at("studies");
    EXPECT_GE(rows.size(), 4u);
    EXPECT_EQ(rows[0].at("name"), "hauth-examples");
}

TEST_F(StudyCli, RefusesWithASentence) {
    std::ofstream(folder / "file") << "x";
    const std::string file = (folder / "file").string();
    expect_refused({"study", "work-presicion"}, "did you mean \"work-precision\"?");
    expect_refused({"study", "hauth-examples", "--out", file}, file);
    expect_refused({"study", "hauth-examples", "--out", file + "/x"}, file);
    expect_refused({"study", "hauth-examples", "--scene", "bunny"}, "--scene");
    expect_refused({"study", "hauth-examples", "--integrators", "verlet,nonsense", "--out", (folder / "n").string()}, "nonsense");
    expect_refused({"study", "work-precision", "--scene", "bunnny", "--out", (folder / "n").string()}, "bunny");
    expect_refused({"study", "work-precision", "--steps", "0.1,x"}, "--steps");
    expect_refused({"study", "work-precision", "--integrators", ",,"}, "--integrators");
    expect_refused({"study", "work-precision", "--linear-solver", "cholesky2"}, "cholesky");
    expect_refused({"study", "work-precision", "--scene", "beam", "--set", "resolution=60", "--set", "gravity=0", "--seconds", "0.1",
                    "--quiet", "--out", (folder / "n").string()},
                   "does not move");
    expect_refused({"study", "work-precision", "--out", ""}, "--out");
    EXPECT_FALSE(fs::exists(folder / "n")) << "a refused study leaves no folder behind";
    expect_refused({"export", "bunnny", "--out", (folder / "n").string()}, "bunny");
    expect_refused({"export", "beam", "--out", file}, file);
    expect_refused({"export", "beam"}, "--out");
    EXPECT_FALSE(fs::exists(folder / "n"));
}

TEST_F(StudyCli, CtrlCStopsAStudy) {
    const fs::path out = folder / "stopped";
    const Finished f = wobble({"study", "stability-regions", "--out", out.string()}, [&] { return fs::exists(out); });
    EXPECT_EQ(f.exit_code, 130) << f.err;
    EXPECT_FALSE(fs::exists(out)) << "nothing half done is left";
}

TEST_F(StudyCli, ExportWritesEveryFile) {
    const fs::path out = folder / "exported";
    const Finished f = wobble({"export", "beam", "--set", "resolution=60", "--out", out.string()});
    ASSERT_EQ(f.exit_code, 0) << f.err;
    for (const char* name : {"M.mtx", "K.mtx", "nodes.csv", "springs.csv", "force.csv", "deformed.csv", "mesh.vtu", "system.json"})
        EXPECT_GT(fs::file_size(out / name), 50u) << name;
    EXPECT_EQ(first_line(out / "nodes.csv").find("x,y,z,mass,pinned"), 0u);
    std::ifstream facts(out / "system.json");
    const auto json = nlohmann::json::parse(facts);
    EXPECT_GT(json.at("mass").get<double>(), 0);
    EXPECT_EQ(json.at("parameters").at("resolution"), 60);
    for (const char* name : {"stiffness", "edge_stiffness", "spring_damping", "stiffening", "gravity", "wind", "young"})
        EXPECT_TRUE(json.at("parameters").at(name).is_number()) << name;
    EXPECT_EQ(json.at("model").at("body"), "solid of springs");
    EXPECT_TRUE(json.at("wind").at("law").is_string());
    EXPECT_GE(json.at("pins").size(), 1u);
}

}  // namespace
}  // namespace wobble
