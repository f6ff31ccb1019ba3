#pragma once
// A study: a function of options giving tables and plots as plain values; command line, viewer and tests show the same ones.
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/solve/solver_options.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wobble {

using Cell = std::variant<std::string, double, long>;

struct Table {
    std::string name;  // its file is name.csv
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;
    bool printed = true;  // by the command line; maps with thousands of rows are only written
};

enum class Scale { linear, logarithmic };

struct Axis {
    std::string label;
    Scale scale = Scale::linear;
    std::optional<double> low, high;  // none: from the data
};

struct Series {
    std::string label;
    // A point at y = infinity is a run without a result: the line breaks there and a cross stands at the upper edge. Other points that are
    // not finite, or not positive on a logarithmic axis, are left out.
    std::vector<std::pair<double, double>> points;
    int colour = 0;  // of the palette (palette.h)
    bool markers = true;
};

// A function on a grid of cell centres, filled where it is at most `level`: a stability region.
struct RegionMap {
    std::string label;
    int columns = 0, rows = 0;
    double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
    std::vector<double> value;  // row by row from y_low upwards
    double level = 1;
    double x(int column) const { return x_low + (column + 0.5) * (x_high - x_low) / columns; }
    double y(int row) const { return y_low + (row + 0.5) * (y_high - y_low) / rows; }
    double at(int column, int row) const { return value[static_cast<std::size_t>(row) * columns + column]; }
};

struct Plot {
    std::string name;  // its file is name.svg
    std::string title;
    Axis x, y;
    std::vector<Series> series;
    std::optional<RegionMap> region;
};

struct StudyResult {
    std::vector<Table> tables;  // the first has the study's own name
    std::vector<Plot> plots;
    std::vector<std::string> notes;  // sentences that belong to the numbers: accuracy of the reference, disagreements
};

struct StudyOptions {
    std::string scene = {};                                // built-in scene or file, for studies on a body; empty: the study's own
    std::vector<std::string> integrators = {};             // ids; empty: all the study knows how to use
    std::optional<double> seconds = {};                    // simulated
    std::vector<std::pair<std::string, double>> set = {};  // parameters of the scene
    std::vector<double> steps = {};                        // s; empty: the study's own sweep
    std::optional<double> solver_tolerance = {};           // none: the scene's, or tight where the study is about the method alone
    std::optional<NonlinearSolver> nonlinear_solver = {};  // none: the scene's, or the usual one
    std::optional<LinearSolver> linear_solver = {};
    std::optional<PhiMethod> phi = {};
    std::optional<GautschiFilter> filter = {};
    int threads = 0;    // 0: all cores
    double detail = 1;  // fewer pixels, steps and points below 1: for tests and previews
};

struct Study {
    const char* id;     // as on the command line, and the name of its first table
    const char* title;  // for people
    const char* shows;  // what one learns from it, one or two sentences
    bool takes_scene;   // --scene, --seconds, --set and --steps mean something to it
    // Runs on any thread, one caller per call. Stops soon after `progress` says so, with stopped_on_request().
    Result<StudyResult> (*run)(const StudyOptions&, const Progress&);
};

std::span<const Study> studies();  // THE list
const Study* find_study(std::string_view id);
Result<const Study*> study_named(std::string_view id);                // or a sentence that suggests one
Result<void> check_integrators(const std::vector<std::string>& ids);  // or a sentence that suggests one
bool chosen(const StudyOptions&, std::string_view integrator);
double count_chosen(const StudyOptions&);                                // of the methods table, for progress
SolverOptions solver_for(const StudyOptions&, SolverOptions otherwise);  // what the options say, the rest as given

Progress never_back(const Progress&);  // tells the largest fraction so far; the argument must live as long

inline Error stopped_on_request() { return Error{"Stopped on request."}; }

}  // namespace wobble
