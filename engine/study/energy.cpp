// Total energy E = 1/2 v^T M v + U(q) + sum m g y of an undamped body over a long time, each method at the step it would take by itself,
// called directly: no rescue, no guard. The exact motion keeps E, so
//     drift(t) = (E(t) - E(0)) / (largest kinetic energy of the run)
// is the method's doing: bounded for symplectic methods, falling for dissipative ones, growing for those that blow motion up.
#include "engine/study/energy.h"

#include "engine/sim/default_step.h"
#include "engine/sim/scene_file.h"
#include "engine/study/body_problem.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

// The beam swings without going far from its shape. On softer bodies that fold, parts stiffen and turn so much that neither Verlet at its
// own step nor implicit midpoint keeps the energy for a minute.
constexpr const char* default_scene = "beam";
constexpr double default_seconds = 60, default_resolution = 300;
constexpr double samples = 300;  // per method
constexpr double lost = 10;      // times the energy that drives the motion: beyond it a run is called diverged

struct Sample {
    double t, kinetic, elastic, potential;
    double total() const { return kinetic + elastic + potential; }
};

struct Run {
    const Method* method;
    double h;
    March march;
    std::vector<Sample> samples;
    double largest_kinetic = 0;
    double drift(const Sample& s) const { return (s.total() - samples.front().total()) / largest_kinetic; }
    double largest_drift(double from, double to) const {  // over times in [from, to]
        double largest = 0;
        for (const Sample& s : samples)
            if (s.t >= from && s.t <= to) largest = std::max(largest, std::abs(drift(s)));
        return largest;
    }
};

// Small enough for a minute of motion, and without damping and wind, unless the options say otherwise.
Result<std::shared_ptr<const LoadedScene>> scene_of(const StudyOptions& options, const Progress& progress) {
    auto scene = load_scene(options.scene.empty() ? default_scene : options.scene);
    if (!scene) return scene.error();
    Parameters& p = scene.value().parameters;
    p.damping = p.mass_damping = p.spring_damping = p.wind = 0;
    if (p.resolution == 0 || p.resolution > default_resolution) p.resolution = default_resolution;
    for (const auto& [name, value] : options.set)
        if (auto set = set_parameter(p, name, value); !set) return set.error();
    scene.value().solver = solver_for(options, scene.value().solver);
    return build_scene(std::move(scene).value(), progress);
}

Run measure(const BodyProblem& problem, const Method& method, double h, double T, double rows, const Progress& progress) {
    Run run{&method, h, {}, {}};
    const MechanicalSystem& system = *problem.system;
    const long steps = std::max(1L, std::lround(T / h));
    run.h = T / static_cast<double>(steps);  // a whole part of the run
    const double ground = system.gravity_energy(problem.start.q);
    const auto sample = [&](const State& s) {
        run.samples.push_back({s.t, system.kinetic_energy(s.v), system.elastic_energy(s.q), system.gravity_energy(s.q) - ground});
        return run.samples.back();
    };
    double reached = std::abs(sample(problem.start).total());
    Drives drives = problem.drives;
    long taken = 0;
    const auto watch = [&](long n, const State& s, const March&) -> const char* {
        if (!keep_going(progress, method.info.id, static_cast<double>(n) / static_cast<double>(steps))) return "stopped";
        const double kinetic = system.kinetic_energy(s.v);
        run.largest_kinetic = std::max(run.largest_kinetic, kinetic);
        const long row = static_cast<long>(rows * static_cast<double>(n) / static_cast<double>(steps));
        if (row == taken && n < steps) return nullptr;
        taken = row;
        const Sample now = sample(s);
        // What falling has freed, or the push at the start gave: motion cannot have more.
        reached = std::max(reached, std::abs(now.potential));
        return now.kinetic + now.elastic > lost * reached ? "diverged" : nullptr;
    };
    const auto drive = [&](State& state, double step) { drives.begin(*problem.system, state, step); };
    run.largest_kinetic = run.samples.front().kinetic;
    run.march = march(system, *method.make(problem.options), problem.start, run.h, steps, watch, drive);
    return run;
}

Plot plot_of(const std::vector<Run>& runs, const std::string& scene, bool several_steps) {
    Plot plot{"energy",
              "Energy of " + scene + " over time",
              {"time, s", Scale::linear, {}, {}},
              {"energy gained, share of the largest kinetic energy", Scale::linear, -1.5, 1.0},
              {},
              {}};
    for (const Run& run : runs) {
        char label[100];
        std::snprintf(label, sizeof label, several_steps ? "%s, h %.3g" : "%s", run.method->info.id, run.h);
        Series series{label, {}, static_cast<int>(plot.series.size()), false};
        for (const Sample& s : run.samples) series.points.emplace_back(s.t, run.drift(s));
        if (!run.march.ok()) series.points.emplace_back(run.march.end.t, INFINITY);
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

Result<StudyResult> energy(const StudyOptions& asked, const Progress& progress) {
    StudyOptions options = asked;
    if (auto known = check_integrators(options.integrators); !known) return known.error();
    if (options.integrators.empty()) options.integrators = {"verlet", "implicit-midpoint", "implicit-euler"};
    auto loaded = scene_of(options, progress);
    if (!loaded) return loaded.error();
    const Scene& scene = loaded.value()->scene;
    const double T = options.seconds.value_or(default_seconds);
    const BodyProblem problem = body_problem(loaded.value(), T, T / 2, options.threads);
    const Material& material = problem.system->material();

    std::vector<Run> runs;
    const double total = count_chosen(options) * static_cast<double>(std::max<std::size_t>(1, options.steps.size()));
    for (const Method& method : methods()) {
        if (!chosen(options, method.info.id)) continue;
        std::vector<double> steps = options.steps;
        if (steps.empty()) steps = {default_step(method.info, scene.frame_step, problem.omega_max, material)};
        for (const double h : steps) {
            const double begin = static_cast<double>(runs.size()) / total;
            runs.push_back(measure(problem, method, std::min(h, T), T, std::max(20.0, samples * options.detail),
                                   [&](std::string_view stage, double part) { return keep_going(progress, stage, begin + part / total); }));
            if (runs.back().march.status == "stopped") return stopped_on_request();
        }
    }
    const bool moves = std::any_of(runs.begin(), runs.end(), [](const Run& r) { return r.largest_kinetic > 1e-20; });
    if (!moves)
        return Error{
            "The body does not move, so it has no energy to keep: set gravity (--set gravity=9.81) or give the scene an initial velocity."};

    Table table{"energy", {"method", "t", "kinetic", "elastic", "potential", "total", "drift", "h"}, {}, false};
    Table summary{"energy-summary",
                  {"method", "h", "steps", "largest_kinetic", "drift_first_half", "drift_second_half", "drift_end", "seconds", "status"},
                  {},
                  true};
    for (const Run& run : runs) {
        for (const Sample& s : run.samples)
            table.rows.push_back({run.method->info.id, s.t, s.kinetic, s.elastic, s.potential, s.total(), run.drift(s), run.h});
        summary.rows.push_back({run.method->info.id, run.h, run.march.steps, run.largest_kinetic, run.largest_drift(0, T / 2),
                                run.largest_drift(T / 2, 2 * T), run.drift(run.samples.back()), run.march.seconds, run.march.status});
    }
    char facts[300];
    std::snprintf(facts, sizeof facts, "Scene %.80s: %d particles, %.4g s simulated, highest frequency %.4g rad/s, solver tolerance %.1g.",
                  scene.name.c_str(), problem.system->particles(), T, problem.omega_max, problem.options.solver.tolerance);
    StudyResult result;
    result.notes = {facts,
                    "drift is the energy gained since the start divided by the run's largest kinetic energy; its columns are the largest sizes "
                    "in each half of the run and the value at the end. Gravity's energy (potential) is counted from the start."};
    if (problem.system->damped())
        result.notes.emplace_back("The body is damped, so energy is lost by physics too; set damping, mass_damping and spring_damping to 0.");
    if (problem.driven()) result.notes.emplace_back("Wind or moving pins bring energy in and take it out, so drift is not the method's alone.");
    result.plots = {plot_of(runs, scene.name, options.steps.size() > 1)};
    result.tables = {std::move(table), std::move(summary)};
    return result;
}

}  // namespace wobble
