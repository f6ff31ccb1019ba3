// What one step costs on the same body in finer and finer meshes (Michels, Luan, Tokman 2017, figure 3c: close to linear in N). Three
// series:
//     h_omega_80   each body with its own step, h omega_max = 80: an evaluator by products with K does the same number of them everywhere
//     fixed_h      one step for all bodies: omega_max grows with N, and so does the work of such an evaluator
//     own_step     explicit methods at h omega_max = 1, half of Verlet's limit: for cost per simulated second
// Springs keep their stiffness while their masses shrink, so omega_max grows like N^(1/2). Seconds are the best single step after
// the first, which allocates. Errors are those after the few steps taken, against Verlet with h omega_max = 0.5. Above 10 000 vertices
// there are two steps of each, no errors and no implicit methods, whose factors take the memory; up to there everything but explicit
// methods, whose steps damping shrinks, is run once more with stiffness-proportional damping, without errors.
#include "engine/study/scaling.h"

#include "engine/core/memory_use.h"
#include "engine/integrate/methods.h"
#include "engine/sim/system_factory.h"
#include "engine/study/body_problem.h"
#include "engine/study/equal_error.h"
#include "engine/study/output/format_text.h"
#include "engine/study/study_scene.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

namespace wobble {

namespace {

constexpr const char* default_scene = "spring_bunny";
constexpr double stiffer = 100;  // times the scene's: steps with h omega_max = 80 are then short for the visible motion
constexpr double h_omega = 80, fixed_h = 1.0 / 120, own_h_omega = 1, reference_h_omega = 0.5;
constexpr int steps_each = 3, explicit_steps = 60, steps_large = 2, explicit_large = 10;
constexpr double sizes[] = {500, 1000, 3000, 9000, 30000, 100000};
constexpr double smallest = 60;          // vertices
constexpr double large = 30000;          // degrees of freedom: above, only what must be shown
constexpr double usual_damping = 0.005;  // s, beta of the damped variant

std::vector<double> resolutions(const StudyOptions& options) {
    std::vector<double> wanted(std::begin(sizes), std::end(sizes));
    for (const auto& [name, value] : options.set)
        if (name == "resolution" && value > 0) {  // the largest; each of the others half of the next
            wanted = {value};
            while (wanted.front() / 2 >= smallest && wanted.size() < std::size(sizes)) wanted.insert(wanted.begin(), wanted.front() / 2);
        }
    const auto count = std::max(2.0, std::round(static_cast<double>(wanted.size()) * std::min(1.0, options.detail)));
    if (wanted.size() > static_cast<std::size_t>(count)) wanted.resize(static_cast<std::size_t>(count));
    return wanted;
}

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

struct Body {
    BodyProblem problem;
    double loading = 0, omega_max = 0;  // s, rad/s
    double dofs() const { return problem.system->degrees_of_freedom(); }
    bool is_large() const { return dofs() > large; }
};

struct Cost {
    FixedRun result;
    double h = 0, seconds = INFINITY;  // of the best step
    double resident = NAN, peak = NAN;
    TrajectoryError error{NAN, NAN};
};

// So that a peak is a row's own, where the system allows it.
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

Trajectory end_of(const FixedRun& result) { return {{result.end.q}, {result.end.v}}; }

Cost measure(const Body& body, const Method& method, double h, int steps, const Progress& progress) {
    Cost cost;
    cost.h = h;
    forget_peak();
    double before = 0;
    const auto watch = [&](long n, const State&, const FixedRun& so_far) -> const char* {
        if (n > 1) cost.seconds = std::min(cost.seconds, so_far.seconds - before);
        before = so_far.seconds;
        if (n == steps) cost.resident = resident_megabytes(), cost.peak = peak_resident_megabytes();
        return keep_going(progress, method.info.id, static_cast<double>(n) / steps) ? nullptr : "stopped";
    };
    cost.result = integrate_fixed(*body.problem.system, *method.make(body.problem.options), body.problem.start, h, steps, watch);
    if (!cost.result.ok() || cost.result.status == "stopped") cost.seconds = NAN;
    return cost;
}

// After `steps` steps of h, by Verlet. Empty: stopped.
std::optional<Trajectory> reference(const Body& body, double h, int steps, const Progress& progress) {
    if (body.is_large() || body.problem.system->damped()) return Trajectory{};
    const long parts = std::max(1L, static_cast<long>(std::ceil(h * body.omega_max / reference_h_omega)));
    const long total = parts * steps;
    const auto watch = [&](long n, const State&, const FixedRun&) -> const char* {
        return keep_going(progress, "reference", static_cast<double>(n) / static_cast<double>(total)) ? nullptr : "stopped";
    };
    const FixedRun run = integrate_fixed(*body.problem.system, *find_method("verlet")->make({}), body.problem.start,
                                         h / static_cast<double>(parts), total, watch);
    if (run.status == "stopped") return std::nullopt;
    return run.ok() ? end_of(run) : Trajectory{};
}

struct Line {
    std::string integrator, mode;
    bool damped;
    std::vector<double> dofs, seconds, per_second;
    std::string label() const {
        return integrator + (mode == "own_step" ? "" : mode == "fixed_h" ? ", fixed h" : ", h omega_max = 80") + (damped ? ", damped" : "");
    }
};

Plot plot_of(const char* name, const char* title, const char* label, const std::vector<Line>& lines, bool per_second) {
    Plot plot{name, title, {"degrees of freedom", Scale::logarithmic, {}, {}}, {label, Scale::logarithmic, {}, {}}, {}, {}};
    for (const Line& line : lines) {
        Series series{line.label(), {}, static_cast<int>(plot.series.size()), true};
        for (std::size_t i = 0; i < line.dofs.size(); ++i)
            series.points.emplace_back(line.dofs[i], per_second ? line.per_second[i] : line.seconds[i]);
        plot.series.push_back(std::move(series));
    }
    if (!lines.empty() && !per_second && !lines.front().dofs.empty()) {
        const Line& first = lines.front();
        const double low = first.dofs.front(), high = first.dofs.back(), at = first.seconds.front();
        plot.series.push_back({"slope 1", {{low, at}, {high, at * high / low}}, static_cast<int>(plot.series.size()), false});
    }
    return plot;
}

}  // namespace

Result<StudyResult> scaling(const StudyOptions& asked, const Progress& told_by) {
    const Progress progress = never_back(told_by);
    if (auto known = check_integrators(asked.integrators); !known) return known.error();
    StudyOptions options = asked;
    if (options.integrators.empty()) options.integrators = {"verlet", "implicit-midpoint", "exprb42"};
    const double common_h = options.steps.empty() ? fixed_h : options.steps.front();
    const std::vector<double> wanted = resolutions(options);

    StudyResult result;
    Table table{"scaling",
                {"integrator", "h", "position_error", "velocity_error", "seconds", "operator_products", "force_evaluations", "status",
                 "dofs", "resident_megabytes", "peak_megabytes", "seconds_per_simulated_second", "omega_max", "h_omega_max", "series",
                 "loading_seconds", "damping", "path"},
                {},
                true};
    std::vector<Line> lines;
    std::string scene_name;
    double mass = 0;
    for (std::size_t size = 0; size < wanted.size(); ++size) {
        // Larger bodies take longer: their share of the progress grows.
        const double all = static_cast<double>(wanted.size() * wanted.size()), begin = static_cast<double>(size * size) / all;
        const double share = static_cast<double>((size + 1) * (size + 1)) / all - begin;
        double done = 0;
        const auto told = [&](std::string_view stage, double part) {
            return keep_going(progress, stage, begin + share * (done + part * 0.1));
        };

        auto scene = study_scene(options, default_scene, [](Parameters& p) { p.stiffness *= stiffer, p.edge_stiffness *= stiffer; });
        if (!scene) return scene.error();
        scene.value().settings.parameters().resolution = wanted[size];
        const auto start = Clock::now();
        auto loaded = build_scene(std::move(scene).value(), told);
        if (!loaded) {
            if (size == 0 || !told("", 0)) return loaded.error();
            result.notes.push_back(format("The body with %.0f vertices could not be made: %.300s", wanted[size], loaded.message().c_str()));
            break;
        }
        scene_name = loaded.value()->scene.name;
        Body body{body_problem(loaded.value(), 1, 0.5, options.threads)};
        body.loading = since(start);
        body.omega_max = body.problem.omega_max;
        mass = body.problem.system->total_mass();

        struct Steps {
            const char* name;
            double h, beta;
        };
        const double own = own_h_omega / body.omega_max, same = h_omega / body.omega_max;
        std::vector<Steps> all_series{{"own_step", own, 0}, {"h_omega_80", same, 0}, {"fixed_h", common_h, 0}};
        const bool damped = body.problem.system->damped();  // by the options
        if (!damped && !body.is_large())
            all_series.insert(all_series.end(), {{"h_omega_80", same, usual_damping}, {"fixed_h", common_h, usual_damping}});
        for (const Steps& series : all_series) {
            Material material = body.problem.system->material();
            if (!damped) material.damping = series.beta;
            body.problem.system->set_material(material);
            const bool explicit_series = std::string_view(series.name) == "own_step";
            const int steps = explicit_series   ? (body.is_large() ? explicit_large : explicit_steps)
                              : body.is_large() ? steps_large
                                                : steps_each;
            std::optional<Trajectory> exact;
            for (const Method& method : methods()) {
                const Family family = method.info.family;
                if (!chosen(options, method.info.id) || (family == Family::explicit_classical) != explicit_series) continue;
                if (body.is_large() && family != Family::explicit_classical && family != Family::exponential) continue;
                if (!exact && !(exact = reference(body, series.h, steps, told))) return stopped_on_request();
                Cost cost = measure(body, method, series.h, steps, told);
                done = std::min(0.9, done + 0.9 / 8);
                if (cost.result.status == "stopped") return stopped_on_request();
                if (cost.result.ok()) cost.error = difference(body.problem, end_of(cost.result), *exact);
                const long n = std::max(1L, cost.result.steps);
                table.rows.push_back({method.info.id, cost.h, cost.error.position, cost.error.velocity, cost.seconds,
                                      cost.result.operator_products / n, cost.result.force_evaluations / n, cost.result.status,
                                      static_cast<long>(body.dofs()), cost.resident, cost.peak, cost.seconds / cost.h, body.omega_max,
                                      cost.h * body.omega_max, series.name, body.loading, material.damping,
                                      cost.result.phi_path ? cost.result.phi_path : ""});
                if (!cost.result.ok()) continue;
                const bool is_damped = material.damping > 0;
                auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) {
                    return l.integrator == method.info.id && l.mode == series.name && l.damped == is_damped;
                });
                if (line == lines.end()) line = lines.insert(lines.end(), {method.info.id, series.name, is_damped, {}, {}, {}});
                line->dofs.push_back(body.dofs()), line->seconds.push_back(cost.seconds), line->per_second.push_back(cost.seconds / cost.h);
            }
        }
    }

    Table fits{"scaling-fits",
               {"integrator", "series", "exponent_per_step", "exponent_per_simulated_second", "from_dofs", "to_dofs", "damped"},
               {},
               true};
    std::string exponents;
    for (const Line& line : lines) {
        const double per_step = fitted_slope(line.dofs, line.seconds);
        fits.rows.push_back({line.integrator, line.mode, per_step, fitted_slope(line.dofs, line.per_second), line.dofs.front(),
                             line.dofs.back(), line.damped ? "yes" : "no"});
        exponents += format("%s%s %.2f", exponents.empty() ? "" : ", ", line.label().c_str(), per_step);
    }
    result.notes.insert(
        result.notes.begin(),
        format("Scene %.80s, total mass %.4g kg, springs %g times as stiff as the scene says unless --set says otherwise, so that "
               "steps with h omega_max = 80 are short for the visible motion. Products, force evaluations and seconds are per step; "
               "memory is the whole process's, while the method still has its workspace, and the peak is that of the row where the system "
               "lets it "
               "be reset.",
               scene_name.c_str(), mass, stiffer));
    result.notes.push_back(
        "Seconds per step grow with the number of degrees of freedom to the power: " + exponents +
        ". The paper says close to linear; that holds where the number of products per step is kept (h omega_max = 80).");
    result.plots = {plot_of("scaling-step", "Cost of one step against size", "seconds per step", lines, false),
                    plot_of("scaling-second", "Cost of a simulated second against size", "seconds per simulated second", lines, true)};
    result.tables = {std::move(table), std::move(fits)};
    return result;
}

}  // namespace wobble
