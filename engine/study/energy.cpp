// Total energy E = 1/2 v^T M v + U(q) + sum m g y of a body over a long time, each method at the step it would take by itself, called
// directly: no rescue, no guard. Exponential methods with an error estimate of their own run once more with steps chosen by it. With
//     drift(t) = (E(t) - E*(t)) / (largest kinetic energy of the run),       E* the exact motion's energy,
// what is left is the method's doing: bounded for symplectic methods, falling for dissipative ones, growing for those that blow motion up.
// Without damping E* = E(0). With damping, over a shorter time, E* is that of rk4 at a quarter of its limit, if half the limit agrees.
#include "engine/study/energy.h"

#include "engine/sim/default_step.h"
#include "engine/study/body_problem.h"
#include "engine/study/output/format_text.h"
#include "engine/study/study_scene.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

// The beam swings without going far from its shape. On softer bodies that fold, parts stiffen and turn so much that neither Verlet at its
// own step nor implicit midpoint keeps the energy for a minute.
constexpr const char* default_scene = "beam";
constexpr const char* second_scene = "spring_bunny";  // softer: it folds
constexpr double second_seconds = 10;
constexpr double default_seconds = 60, default_resolution = 300;
constexpr double damped_share = 0.1;     // of the time: damped motion is over soon
constexpr double usual_damping = 0.005;  // s, beta of the damped runs
constexpr double samples = 300;          // per method
constexpr double lost = 10;              // times the energy that drives the motion: beyond it a run is called diverged
constexpr double error_tolerance = 0.01;
constexpr double agreed = 0.01;  // share of the largest kinetic energy by which the two runs of the damped reference may differ

struct Sample {
    double t, kinetic, elastic, potential;
    double total() const { return kinetic + elastic + potential; }
};

struct Run {
    const Method* method = nullptr;
    double h = 0;  // s; with error control the mean
    bool controlled = false;
    double beta = 0;  // s
    bool damped = false;
    FixedRun result = {};
    std::vector<Sample> samples = {};
    double largest_kinetic = 0;
    std::vector<double> exact = {};  // E* at the samples
    double drift(std::size_t i) const { return (samples[i].total() - exact[i]) / largest_kinetic; }
    double largest_drift(double from, double to) const {  // over times in [from, to]
        double largest = 0;
        for (std::size_t i = 0; i < samples.size(); ++i)
            if (samples[i].t >= from && samples[i].t <= to) largest = std::max(largest, std::abs(drift(i)));
        return largest;
    }
};

// Small enough for a minute of motion, and without damping and wind, unless the options say otherwise.
Result<std::shared_ptr<const LoadedScene>> scene_of(const StudyOptions& options, const Progress& progress) {
    auto scene = study_scene(options, default_scene, [](Parameters& p) {
        p.damping = p.mass_damping = p.spring_damping = p.wind = 0;
        if (p.resolution == 0 || p.resolution > default_resolution) p.resolution = default_resolution;
    });
    if (!scene) return scene.error();
    return build_scene(std::move(scene).value(), progress);
}

// h is the longest step with error control, and else the step.
Run measure(const BodyProblem& problem, const Method& method, double h, bool controlled, double T, double rows, const Progress& progress) {
    Run run{.method = &method, .h = h, .controlled = controlled, .beta = problem.system->beta(), .damped = problem.system->damped()};
    MechanicalSystem& system = *problem.system;
    system.prepare(problem.start);  // another run may have left it elsewhere
    const long steps = std::max(1L, std::lround(T / h));
    const double ground = system.gravity_energy(problem.start.q);
    const auto sample = [&](const State& s) {
        run.samples.push_back({s.t, system.kinetic_energy(s.v), system.elastic_energy(s.q), system.gravity_energy(s.q) - ground});
        return run.samples.back();
    };
    double reached = std::abs(sample(problem.start).total());
    Drivers drivers = problem.drivers;
    long taken = 0;
    const auto watch = [&](long, const State& s, const FixedRun&) -> const char* {
        const double part = (s.t - problem.start.t) / T;
        if (!keep_going(progress, method.info.id, std::min(1.0, part))) return "stopped";
        run.largest_kinetic = std::max(run.largest_kinetic, system.kinetic_energy(s.v));
        const long row = static_cast<long>(rows * part + 1e-9);
        if (row == taken && part < 1 - 1e-9) return nullptr;
        taken = row;
        const Sample now = sample(s);
        // What falling has freed, or the push at the start gave: motion cannot have more.
        reached = std::max(reached, std::abs(now.potential));
        return now.kinetic + now.elastic > lost * reached ? "diverged" : nullptr;
    };
    run.largest_kinetic = run.samples.front().kinetic;
    IntegratorOptions made = problem.options;
    made.error_estimate = controlled;  // exprb2 has one only if asked
    const auto integrator = method.make(made);
    if (controlled) {
        const StepController control(StepControl::error, error_tolerance, method.info.error_order);
        run.result = integrate_controlled(system, *integrator, problem.start, problem.start.t + T, h, control, watch);
        run.h = (run.result.end.t - problem.start.t) / static_cast<double>(std::max(1L, run.result.steps));
    } else {
        run.h = T / static_cast<double>(steps);  // a whole part of the run
        const auto drive = [&](State& state, double step) { drivers.begin(*problem.system, state, step); };
        run.result = integrate_fixed(system, *integrator, problem.start, run.h, steps, watch, drive);
    }
    return run;
}

// E* at time t: linear between the samples of the reference, which are many.
double energy_at(const std::vector<Sample>& reference, double t) {
    auto after = std::lower_bound(reference.begin(), reference.end(), t, [](const Sample& s, double time) { return s.t < time; });
    if (after == reference.begin()) return reference.front().total();
    if (after == reference.end()) return reference.back().total();
    const Sample& a = *(after - 1);
    return a.total() + (t - a.t) / (after->t - a.t) * (after->total() - a.total());
}

Plot plot_of(const char* name, const std::vector<Run>& runs, const std::string& scene, bool damped, bool several_steps) {
    Plot plot{name,
              "Energy of " + scene + (damped ? ", damped," : "") + " over time",
              {"time, s", Scale::linear, {}, {}},
              {damped ? "energy too much, share of the largest kinetic energy" : "energy gained, share of the largest kinetic energy",
               Scale::linear, damped ? -0.5 : -1.5, damped ? 0.5 : 1.0},
              {},
              {}};
    for (const Run& run : runs) {
        if (run.damped != damped) continue;
        std::string label = run.method->info.id;
        if (several_steps) label += format(", h %.3g", run.h);
        if (run.controlled) label += ", error control";
        Series series{label, {}, static_cast<int>(plot.series.size()), false};
        for (std::size_t i = 0; i < run.samples.size(); ++i) series.points.emplace_back(run.samples[i].t, run.drift(i));
        if (!run.result.ok()) series.points.emplace_back(run.result.end.t, INFINITY);
        plot.series.push_back(std::move(series));
    }
    return plot;
}

Result<StudyResult> energy_of_one(const StudyOptions& asked, const Progress& progress) {
    StudyOptions options = asked;
    if (auto known = check_integrators(options.integrators); !known) return known.error();
    if (options.integrators.empty())
        options.integrators = {"verlet",        "implicit-midpoint", "implicit-euler", "exprb2",   "epi3",
                               "epi3-leapfrog", "exprb42",           "pexprb43",       "epirk4s3", "gautschi"};
    auto loaded = scene_of(options, progress);
    if (!loaded) return loaded.error();
    const Scene& scene = loaded.value()->scene;
    const double T = options.seconds.value_or(default_seconds), rows = std::max(20.0, samples * options.detail);
    BodyProblem problem = body_problem(loaded.value(), T, T / 2, options.threads);
    const bool damped_by_options = problem.system->damped();

    std::vector<Run> runs;
    bool trusted = true;  // the damped reference
    double disagreement = 0;
    double done = 0;
    const double total = 4.5 * count_chosen(options) * static_cast<double>(std::max<std::size_t>(1, options.steps.size())) + 1;
    const auto told = [&](std::string_view stage, double part) {
        return keep_going(progress, stage, std::min(1.0, (done + part) / total));
    };
    for (const double beta : {0.0, usual_damping}) {
        if (beta > 0 && damped_by_options) break;
        const double time = beta > 0 ? damped_share * T : T;
        std::vector<Sample> exact;
        if (beta > 0) {
            Material material = problem.system->material();
            material.damping = beta;
            problem.system->set_material(material);
            const Method& rk4 = *find_method("rk4");
            const double limit = problem.stability_limit(rk4.info);
            const Run coarser = measure(problem, rk4, 0.5 * limit, false, time, 10 * rows, told);
            if (coarser.result.status == "stopped") return stopped_on_request();
            Run reference = measure(problem, rk4, 0.25 * limit, false, time, 10 * rows, told);
            if (reference.result.status == "stopped") return stopped_on_request();
            exact = std::move(reference.samples);
            for (const Sample& s : coarser.samples)
                disagreement = std::max(disagreement, std::abs(s.total() - energy_at(exact, s.t)) / reference.largest_kinetic);
            trusted = reference.result.ok() && coarser.result.ok() && disagreement < agreed;
            if (!trusted) break;
        }
        ++done;
        for (const Method& method : methods()) {
            if (!chosen(options, method.info.id)) continue;
            std::vector<std::pair<double, bool>> steps;  // and whether under error control
            for (const double h : options.steps) steps.emplace_back(h, false);
            if (steps.empty()) {
                steps = {{default_step(method.info, scene.frame_step, problem.omega_max, problem.system->material()), false}};
                if (method.info.family == Family::exponential && method.info.error_order > 0 && !problem.driven())
                    steps.emplace_back(4 * scene.frame_step, true);
            }
            for (const auto& [h, controlled] : steps) {
                runs.push_back(measure(problem, method, std::min(h, time), controlled, time, rows, told));
                Run& run = runs.back();
                if (run.result.status == "stopped") return stopped_on_request();
                for (const Sample& s : run.samples)
                    run.exact.push_back(exact.empty() ? run.samples.front().total() : energy_at(exact, s.t));
                ++done;
            }
        }
    }
    const bool moves = std::any_of(runs.begin(), runs.end(), [](const Run& r) { return r.largest_kinetic > 1e-20; });
    if (!moves)
        return Error{
            "The body does not move, so it has no energy to keep: set gravity (--set gravity=9.81) or give the scene an initial velocity."};

    Table table{"energy", {"method", "t", "kinetic", "elastic", "potential", "total", "drift", "h", "control", "damping"}, {}, false};
    Table summary{"energy-summary",
                  {"method", "h", "steps", "largest_kinetic", "drift_first_half", "drift_second_half", "drift_end", "seconds", "status",
                   "control", "rejected", "damping"},
                  {},
                  true};
    for (const Run& run : runs) {
        const double end = run.beta > 0 && !damped_by_options ? damped_share * T : T;
        const char* control = run.controlled ? "error" : "fixed";
        for (std::size_t i = 0; i < run.samples.size(); ++i) {
            const Sample& s = run.samples[i];
            table.rows.push_back(
                {run.method->info.id, s.t, s.kinetic, s.elastic, s.potential, s.total(), run.drift(i), run.h, control, run.beta});
        }
        summary.rows.push_back({run.method->info.id, run.h, run.result.steps, run.largest_kinetic, run.largest_drift(0, end / 2),
                                run.largest_drift(end / 2, 2 * end), run.drift(run.samples.size() - 1), run.result.seconds,
                                run.result.status, control, run.result.rejected, run.beta});
    }
    StudyResult result;
    result.notes = {
        format("Scene %.80s: %d particles, %.4g s simulated, highest frequency %.4g rad/s, solver tolerance %.1g.", scene.name.c_str(),
               problem.system->particles(), T, problem.omega_max, problem.options.solver.tolerance),
        "drift is the energy gained since the start divided by the run's largest kinetic energy; its columns are the largest sizes "
        "in each half of the run and the value at the end. Gravity's energy (potential) is counted from the start.",
        format("With control = error, steps of at most %.3g s are chosen by the method's own estimate (tolerance %g of a step's "
               "displacement), and h is their mean.",
               4 * scene.frame_step, error_tolerance)};
    if (damped_by_options)
        result.notes.emplace_back(
            "The body is damped, so energy is lost by physics too; set damping, mass_damping and spring_damping to 0.");
    else if (trusted)
        result.notes.push_back(
            format("With damping %g s the first %.3g s are run, and drift is against the energy of rk4 at a quarter of its limit; at half "
                   "of it that differs by %.2g of the largest kinetic energy.",
                   usual_damping, damped_share * T, disagreement));
    else
        result.notes.push_back(
            format("The damped runs are left out: rk4 at a quarter and at half of its limit do not agree to %g of the "
                   "largest kinetic energy, so there is nothing to compare with.",
                   agreed));
    if (problem.driven())
        result.notes.emplace_back("Wind or moving pins bring energy in and take it out, so drift is not the method's alone.");
    result.plots = {plot_of("energy", runs, scene.name, damped_by_options, options.steps.size() > 1)};
    if (!damped_by_options && trusted) result.plots.push_back(plot_of("energy-damped", runs, scene.name, true, options.steps.size() > 1));
    result.tables = {std::move(table), std::move(summary)};
    for (Table& t : result.tables) {
        t.columns.emplace_back("scene");
        for (auto& row : t.rows) row.emplace_back(scene.name);
    }
    return result;
}

}  // namespace

// Without --scene two bodies, the second for a shorter time.
Result<StudyResult> energy(const StudyOptions& asked, const Progress& told_by) {
    const Progress progress = never_back(told_by);
    if (!asked.scene.empty() || asked.detail < 1) return energy_of_one(asked, progress);
    auto first = energy_of_one(asked, [&](std::string_view s, double f) { return keep_going(progress, s, 0.5 * f); });
    if (!first) return first.error();
    StudyOptions options = asked;
    options.scene = second_scene;
    options.seconds = std::min(asked.seconds.value_or(second_seconds), second_seconds);
    auto second = energy_of_one(options, [&](std::string_view s, double f) { return keep_going(progress, s, 0.5 + 0.5 * f); });
    if (!second) return second.error();
    StudyResult result = std::move(first).value();
    for (std::size_t t = 0; t < result.tables.size(); ++t)
        for (auto& row : second.value().tables[t].rows) result.tables[t].rows.push_back(std::move(row));
    for (Plot& plot : second.value().plots) plot.name += std::string("-") + second_scene, result.plots.push_back(std::move(plot));
    for (std::string& note : second.value().notes)
        if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end()) result.notes.push_back(std::move(note));
    return result;
}

}  // namespace wobble
