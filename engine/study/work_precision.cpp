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

// A run is called diverged when its kinetic + elastic energy exceeds `lost` times the reference's largest (it ends there), or when it
// exceeds `suspect` times that and an error is above 1, the size of the motion itself.
constexpr double lost = 10, suspect = 2;
constexpr double trusted = 10;         // times the reference's own error, as estimated: errors below are not known
constexpr double timed = 0.05;         // s: shorter runs are repeated until they took that together, and the best counts
constexpr int repetitions = 20;        // at most
constexpr const char* default_scene = "bunny";
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
        double together = 0;
        for (int repeat = 0; repeat < repetitions; ++repeat) {
            SampledRun run = sample(problem, *method.make(problem.options), parts, too_slow, progress);
            if (run.march.status == "stopped") return stopped_on_request();
            together += run.march.seconds;
            if (repeat == 0) {
                o.march = std::move(run.march);
                o.status = o.march.status;
                if (o.march.ok()) o.error = difference(problem, run.samples, reference.samples);
                const bool wrong = o.error.position > 1 || o.error.velocity > 1;
                if (wrong && run.largest_energy > suspect * reference.largest_energy) o.status = "diverged", o.error = {NAN, NAN};
            } else {
                o.march.seconds = std::min(o.march.seconds, run.march.seconds);
            }
            if (o.status != "ok" || together > timed) break;
        }
        const TrajectoryError known{trusted * reference.estimated_error.position, trusted * reference.estimated_error.velocity};
        if (o.status == "ok" && (o.error.position < known.position || o.error.velocity < known.velocity))
            o.status = "below_reference_accuracy";
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

// Steps asked for that are no whole part of H, or the same part as another.
std::string moved_steps(const BodyProblem& problem, const StudyOptions& options) {
    std::string moved, dropped;
    std::vector<long> seen;
    for (const double h : options.steps) {
        const long parts = std::max(1L, std::lround(problem.H / h));
        const double taken = problem.H / static_cast<double>(parts);
        char text[100];
        if (std::find(seen.begin(), seen.end(), parts) != seen.end()) {
            std::snprintf(text, sizeof text, "%s%.6g", dropped.empty() ? "" : ", ", h);
            dropped += text;
        } else if (std::abs(taken - h) > 1e-9 * h) {
            std::snprintf(text, sizeof text, "%s%.6g became %.6g", moved.empty() ? "" : ", ", h, taken);
            moved += text;
        }
        seen.push_back(parts);
    }
    if (moved.empty() && dropped.empty()) return "";
    std::string note = "Steps must divide the coarse step of " + std::to_string(problem.H) + " s, whole parts of the run:";
    if (!moved.empty()) note += " " + moved;
    if (!dropped.empty()) note += std::string(moved.empty() ? "" : ";") + " left out because they then equal another: " + dropped;
    return note + ".";
}

Result<std::shared_ptr<const LoadedScene>> scene_of(const StudyOptions& options, const Progress& progress) {
    auto scene = load_scene(options.scene.empty() ? default_scene : options.scene);
    if (!scene) return scene.error();
    for (const auto& [name, value] : options.set)
        if (auto set = set_parameter(scene.value().parameters, name, value); !set) return set.error();
    scene.value().solver = solver_for(options, scene.value().solver);
    return build_scene(std::move(scene).value(), progress);
}

// Counts of work stand in the table, but not on an axis: a product, a force evaluation and a factorisation cost different amounts.
enum class Against { seconds, step };

Plot plot_of(const Table& table, const Reference& reference, const std::string& scene, Against against) {
    static const char* names[] = {"seconds", "step"};
    static const char* labels[] = {"seconds inside the integrator", "step h, s"};
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
        const std::string& status = std::get<std::string>(row[7]);
        if (status == "below_reference_accuracy") continue;
        const double x = std::get<double>(row[against == Against::seconds ? 4 : 1]);
        plot.series.back().points.emplace_back(x, status == "ok" ? std::get<double>(row[2]) : INFINITY);
        low = std::min(low, x), high = std::max(high, x);
    }
    if (low <= high)
        plot.series.push_back({"reference's own error",
                               {{low, reference.estimated_error.position}, {high, reference.estimated_error.position}},
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
    const double total = count_chosen(options);
    for (const Method& method : methods()) {
        if (!chosen(options, method.info.id)) continue;
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
        "Seconds are those inside the integrator (the best of several runs when short). Rows marked below_reference_accuracy have a "
        "position or velocity error within ten times the reference's own, where errors are not known. Rows marked diverged had ten times "
        "the reference's largest kinetic + elastic energy, or twice that with an error above 1; in the plots runs without a result are "
        "crosses at the upper edge."};
    if (problem.driven()) {
        char note[300];
        std::snprintf(note, sizeof note,
                      "Wind and moving pins change every %.4g s only, for all runs and the reference alike, so that all solve the same "
                      "equations; methods with a history start anew there.",
                      problem.H);
        result.notes.emplace_back(note);
    }
    if (const std::string moved = moved_steps(problem, options); !moved.empty()) result.notes.push_back(moved);
    for (const Against against : {Against::seconds, Against::step})
        result.plots.push_back(plot_of(table, r, scene.name, against));
    result.tables = {std::move(table)};
    return result;
}

}  // namespace wobble
