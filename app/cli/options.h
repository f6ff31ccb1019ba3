#pragma once
// The command line as values. Parsing judges every number and name it can judge without loading anything.
#include "app/record/record_format.h"
#include "engine/core/result.h"
#include "engine/scene/import.h"
#include "engine/scene/scene.h"
#include "engine/study/study.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wobble::cli {

// 0 fine, 1 the run failed (diverged, disk full), 2 bad usage or bad input, 130 stopped by Ctrl-C.
enum ExitCode { fine = 0, failed = 1, bad_input = 2, stopped = 130 };

struct MeshOptions {             // how a mesh file becomes a body
    std::optional<double> size;  // m; 0: as in the file
    std::optional<LengthUnit> unit;
    std::optional<UpAxis> up;
    std::optional<Hold> hold;
    std::optional<SurfaceUse> as;
    bool any() const { return size || unit || up || hold || as; }
};
struct SceneOptions {  // what viewer, run and record share
    std::string scene = "bunny";
    std::optional<std::string> integrator;
    std::optional<double> step, seconds, solver_tolerance, error_tolerance;
    std::optional<NonlinearSolver> nonlinear_solver;
    std::optional<LinearSolver> linear_solver;
    std::optional<PhiMethod> phi;
    std::optional<GautschiFilter> filter;
    std::optional<StepControl> step_control;
    MeshOptions mesh;
    std::optional<ElasticModel::Kind> model;  // of all solids
    std::vector<std::pair<std::string, double>> set;
    int threads = 0;         // 0: all cores
    std::uint64_t seed = 0;  // for scenes with random parts; none so far
    bool quiet = false;
};

struct ViewOptions {
    SceneOptions scene;
    std::optional<double> scale;  // of text and panels
};
struct RunOptions {
    SceneOptions scene;
    bool json = false;
    std::filesystem::path csv, final_state;  // empty: not wanted
};
struct RecordOptions {
    SceneOptions scene;
    std::filesystem::path out;
    std::optional<RecordFormat> format;  // none: what the name says
    std::optional<int> fps;
    std::optional<std::pair<int, int>> size;
    std::optional<double> yaw, pitch, distance;
    std::optional<Field> field;
    bool no_legends = false;
};
struct ReplayOptions {
    std::filesystem::path file;
    int threads = 0;  // 0: all cores
    bool json = false, quiet = false;
};
struct ListOptions {
    std::string what;  // "scenes", "integrators", "forces", "solvers", "studies", or empty: all
    bool json = false;
};
struct CheckOptions {
    std::filesystem::path file;
    std::filesystem::path repair;  // where the repaired mesh goes; empty: not wanted
    int keep_parts = 0;            // of it, the largest; 0: all
};
struct StudyCommand {
    std::string name;
    std::filesystem::path out;  // empty: study-NAME
    StudyOptions options;
    bool scene_options = false;  // any of --scene, --seconds, --set, --steps was given
    bool quiet = false;
};
struct ExportOptions {
    SceneOptions scene;
    std::filesystem::path out;
};
struct Finished {
    int exit_code;
};  // help was shown, or the arguments were refused; everything has been said

using Invocation =
    std::variant<ViewOptions, RunOptions, RecordOptions, ReplayOptions, ListOptions, CheckOptions, StudyCommand, ExportOptions, Finished>;
Invocation parse_arguments(int argc, const char* const* argv);

// The scene named on the command line, with the other options applied to it.
Result<Scene> scene_from(const SceneOptions&);

// One line on standard error for each body from a mesh file: its size, axis, pins and resolution; none if quiet.
void say_how_opened(const LoadedScene&, bool quiet);

// Says one sentence on standard error, as "wobble: ...".
void complain(const std::string& sentence);
void complain(const Error&);  // begins with the option whose value has to be changed, where that is known

}  // namespace wobble::cli
