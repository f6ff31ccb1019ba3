// For every method a sweep of fixed steps, halved from run to run, called directly on the system that the World would use: no rescue,
// no guard, no step control. Errors are those of robust-stepping: RMS over free particles and sample times in the second half of the
// run, relative to the RMS displacement (velocities: to the RMS velocity) of the reference.
#include "engine/study/work_precision.h"

#include "engine/integrate/methods.h"
#include "engine/sim/scene_file.h"
#include "engine/study/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

constexpr double lost = 10;            // times the reference's largest energy: a run beyond it is called diverged
constexpr double trusted = 10;         // times the reference's self-error: errors below are not known
constexpr double short_run = 0.25;     // s; shorter runs are timed three times, and the best counts
constexpr double default_seconds = 1;  // simulated
constexpr int explicit_sizes = 6, sizes = 8;

struct Outcome {
    double h = 0;
    long steps = 0;
    March march;
    TrajectoryError error{NAN, NAN};
    std::string status;
};

struct Sweep {
    const BodyProblem& problem;
    const Reference& reference;
    double too_slow;  // s
    Progress progress;

    Result<Outcome> run(const Method& method, long parts) const {
        Outcome o;
        o.h = problem.H / static_cast<double>(parts);
        o.steps = problem.coarse_steps * parts;
        for (int repeat = 0; repeat < 3; ++repeat) {
            SampledRun run = sample(problem, *method.make(problem.options), parts, too_slow, progress);
            if (run.march.status == "stopped") return stopped_on_request();
            if (repeat == 0) {
                o.march = std::move(run.march);
                o.status = o.march.status;
                if (o.march.ok()) o.error = difference(problem, run.samples, reference.samples);
            } else {
                o.march.seconds = std::min(o.march.seconds, run.march.seconds);
            }
            if (!o.march.ok() || o.march.seconds > short_run) break;
        }
        if (o.march.ok() && o.error.position < trusted * reference.self_error.position) o.status = "below_reference_accuracy";
        return o;
    }
};

// How the step is cut: parts of H, longest steps first.
std::vector<long> parts_of(const MethodInfo& method, const BodyProblem& problem, const StudyOptions& options) {
    std::vector<long> parts;
    for (const double h : options.steps) parts.push_back(std::max(1L, std::lround(problem.H / h)));
    if (!parts.empty()) {
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        return parts;
    }
    const bool bounded = std::isfinite(problem.stability_limit(method));
    long first = 1;
    if (bounded)  // one step beyond the limit, to see it break, then into the stable range
        while (problem.H / static_cast<double>(first) > 2 * problem.stability_limit(method)) first *= 2;
    const int count = std::max(2, static_cast<int>(std::lround((bounded ? explicit_sizes : sizes) * options.detail)));
    for (int k = 0; k < count; ++k) parts.push_back(first << k);
    return parts;
}

Result<std::shared_ptr<const LoadedScene>> scene_of(const StudyOptions& options, const Progress& progress) {
    auto scene = load_scene(options.scene);
    if (!scene) return scene.error();
    for (const auto& [name, value] : options.set)
        if (auto set = set_parameter(scene.value().parameters, name, value); !set) return set.error();
    if (options.solver_tolerance) scene.value().solver.tolerance = *options.solver_tolerance;
    return build_scene(std::move(scene).value(), progress);
}

enum class Against { seconds, step, work };

Plot plot_of(const Table& table, const Reference& reference, const std::string& scene, Against against) {
    static const char* names[] = {"seconds", "step", "work"};
    static const char* labels[] = {"seconds inside the integrator", "step h, s", "operator products + force evaluations + factorisations"};
    const int which = static_cast<int>(against);
    Plot plot{std::string("work-precision-") + names[which],
              "Position error on " + scene + " against " + names[which],
              {labels[which], Scale::logarithmic, {}, {}},
              {"relative RMS position error", Scale::logarithmic, {}, 2.0},
              {},
              {}};
    double low = INFINITY, high = 0;
    for (const auto& row : table.rows) {
        const std::string id = std::get<std::string>(row[0]);
        if (plot.series.empty() || plot.series.back().label != id)
            plot.series.push_back({id, {}, static_cast<int>(plot.series.size()), true});
        if (std::get<std::string>(row[7]) != "ok") continue;
        const double work = static_cast<double>(std::get<long>(row[5]) + std::get<long>(row[6]) + std::get<long>(row[8]));
        const double x = against == Against::seconds ? std::get<double>(row[4])
                         : against == Against::step  ? std::get<double>(row[1])
                                                     : work;
        plot.series.back().points.emplace_back(x, std::get<double>(row[2]));
        low = std::min(low, x), high = std::max(high, x);
    }
    if (low <= high)
        plot.series.push_back({"reference, self-error",
                               {{low, reference.self_error.position}, {high, reference.self_error.position}},
                               static_cast<int>(plot.series.size()),
                               false});
    return plot;
}

}  // namespace

Result<StudyResult> work_precision(const StudyOptions& options, const Progress& progress) {
    if (auto known = check_integrators(options.integrators); !known) return known.error();
    auto loaded = scene_of(options, progress);
    if (!loaded) return loaded.error();
    const Scene& scene = loaded.value()->scene;
    const double T = options.seconds.value_or(default_seconds);
    const double longest = options.steps.empty() ? 4 * scene.frame_step : *std::max_element(options.steps.begin(), options.steps.end());
    BodyProblem problem = body_problem(loaded.value(), T, std::min(longest, T / 2), options.threads);
    auto reference =
        compute_reference(problem, {}, [&](std::string_view stage, double part) { return keep_going(progress, stage, 0.1 * part); });
    if (!reference) return reference.error();
    const Reference& r = reference.value();
    problem.energy_limit = lost * r.largest_energy;

    StudyResult result;
    Table table{"work-precision",
                {"integrator", "h", "position_error", "velocity_error", "seconds", "operator_products", "force_evaluations", "status",
                 "factorizations", "newton_iterations", "steps"},
                {},
                true};
    const double too_slow = std::max(10.0, 4 * r.seconds);
    double done = 0;
    const double total = static_cast<double>(options.integrators.empty() ? methods().size() : options.integrators.size());
    for (const Method& method : methods()) {
        const auto& wanted = options.integrators;
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), method.info.id) == wanted.end()) continue;
        const std::vector<long> parts = parts_of(method.info, problem, options);
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const double begin = 0.1 + 0.9 * (done + static_cast<double>(k) / static_cast<double>(parts.size())) / total;
            const auto told = [&](std::string_view, double part) {
                return keep_going(progress, method.info.id, begin + 0.9 * part / total / static_cast<double>(parts.size()));
            };
            auto outcome = Sweep{problem, r, too_slow, told}.run(method, parts[k]);
            if (!outcome) return outcome.error();
            const Outcome& o = outcome.value();
            table.rows.push_back({method.info.id, o.h, o.error.position, o.error.velocity, o.march.seconds, o.march.operator_products,
                                  o.march.force_evaluations, o.status, o.march.factorizations, o.march.newton_iterations, o.steps});
            if (o.status == "too_slow" || o.status == "below_reference_accuracy") break;  // smaller steps would only be slower, or unknown
        }
        ++done;
    }
    char facts[300];
    std::snprintf(facts, sizeof facts, "Scene %.80s: %d particles, %.4g s simulated, highest frequency %.4g rad/s, solver tolerance %.1g.",
                  scene.name.c_str(), problem.system->particles(), problem.end(), problem.omega_max, problem.options.solver.tolerance);
    result.notes = {
        facts, r.explanation(),
        "Seconds are those inside the integrator (the best of three runs when short). Rows marked below_reference_accuracy are within ten "
        "times the reference's self-error, where errors are not known."};
    for (const Against against : {Against::seconds, Against::step, Against::work})
        result.plots.push_back(plot_of(table, r, scene.name, against));
    result.tables = {std::move(table)};
    return result;
}

}  // namespace wobble
