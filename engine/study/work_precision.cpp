// For every method a sweep of fixed steps, halved from run to run (sweep.h), on the body as it is and once more with damping (without, if
// the scene has some): explicit methods pay for stiffness damping, implicit and exponential ones do not.
#include "engine/study/work_precision.h"

#include "engine/integrate/methods.h"
#include "engine/study/output/format_text.h"
#include "engine/study/study_scene.h"
#include "engine/study/sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

constexpr const char* default_scene = "spring_bunny";
constexpr double default_seconds = 1;  // simulated
constexpr int extra_sizes = 3;         // of methods of first order
// s, of the damped table: a wobble of 2 Hz keeps going (damping ratio 0.3 %), what is faster than 640 Hz is overdamped. Ten times that is
// strong damping, which implicit Euler does well: --set damping=0.005 shows it.
constexpr double usual_damping = 5e-4;
constexpr double slowest = 120;               // s: no run takes longer
constexpr double qualities[] = {0.02, 0.01};  // position errors of the summary
constexpr int most_rounds = 4;                // in which the runs behind the summary take turns once more
constexpr double patience = 60;               // s for that, but one round at least

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

// Counts of work stand in the table, but not on an axis: a product, a force evaluation and a factorisation cost different amounts.
enum class Against { seconds, step };

Plot plot_of(const Table& table, const Reference& reference, const std::string& scene, Against against, const char* suffix) {
    static const char* names[] = {"seconds", "step"};
    static const char* labels[] = {"seconds inside the integrator", "step h, s"};
    const int which = static_cast<int>(against);
    Plot plot{std::string("work-precision-") + names[which] + suffix,
              "Position error on " + scene + (*suffix ? std::string(", ") + (suffix + 1) : "") + ", against " + names[which],
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

struct Variant {
    const char* suffix;   // of its files: "" for the scene as it is, "-damped", "-undamped"
    const char* damping;  // "none", "as the scene", ... for the summary
    BodyProblem problem;
};

// The body with other damping: the same mesh.
std::shared_ptr<const LoadedScene> with_damping(const LoadedScene& scene, double beta) {
    auto copy = std::make_shared<LoadedScene>(scene);
    copy->scene.settings.parameters().damping = beta;
    copy->scene.settings.parameters().mass_damping = copy->scene.settings.parameters().spring_damping = 0;
    return copy;
}

struct Measured {
    const Method* method;
    const char* damping;
    std::vector<ErrorAndCost> sweep;
    std::vector<long> parts;       // of H, one per run
    std::vector<std::size_t> row;  // of the variant's table, one per run
};

// Time to reach an error, interpolated, for every method and damping, with the ratio to the best.
Table summary_of(const std::vector<Measured>& all) {
    Table table{"work-precision-summary", {"damping", "error", "integrator", "h", "seconds", "ratio_to_best", "how"}, {}, true};
    std::vector<const char*> dampings;
    for (const Measured& m : all)
        if (std::find(dampings.begin(), dampings.end(), m.damping) == dampings.end()) dampings.push_back(m.damping);
    for (const char* damping : dampings)
        for (const double error : qualities) {
            std::vector<std::pair<EqualError, const char*>> found;
            for (const Measured& m : all)
                if (m.damping == damping) found.emplace_back(at_error(m.sweep, error), m.method->info.id);
            std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
                return a.first.reached() && (!b.first.reached() || a.first.cost < b.first.cost);
            });
            for (const auto& [e, id] : found)
                table.rows.push_back({damping, error, id, e.h, e.cost, e.cost / found.front().first.cost, e.how()});
        }
    return table;
}

std::string best_of(const Table& summary) {
    std::string text;
    for (const auto& row : summary.rows)
        if (std::get<double>(row[5]) == 1)
            text +=
                format("%s%s for %g %% with damping %s (%.3g s)", text.empty() ? "Fastest: " : "; ", std::get<std::string>(row[2]).c_str(),
                       100 * std::get<double>(row[1]), std::get<std::string>(row[0]).c_str(), std::get<double>(row[4]));
    return text.empty() ? text : text + ".";
}

// What rk4 and implicit-euler pay against the best exponential method. One that did not get there would pay more than for its dearest run.
std::vector<std::string> ratios_of(const std::vector<Measured>& all, const Table& summary) {
    std::vector<std::string> notes;
    std::vector<std::pair<std::string, double>> groups;
    for (const auto& row : summary.rows) {
        const std::pair<std::string, double> group{std::get<std::string>(row[0]), std::get<double>(row[1])};
        if (groups.empty() || groups.back() != group) groups.push_back(group);
    }
    for (const auto& [damping, error] : groups) {
        const Measured* best = nullptr;
        double least = INFINITY;
        for (const Measured& m : all)
            if (m.damping == damping && m.method->info.family == Family::exponential)
                if (const EqualError e = at_error(m.sweep, error); e.cost < least) least = e.cost, best = &m;
        if (!best) continue;
        std::string text =
            format("Damping %s, %g %% error: the best exponential method is %s", damping.c_str(), 100 * error, best->method->info.id);
        for (const Measured& m : all) {
            const std::string_view id = m.method->info.id;
            if (m.damping != damping || (id != "rk4" && id != "implicit-euler")) continue;
            const EqualError e = at_error(m.sweep, error);
            double dearest = 0;
            for (const ErrorAndCost& run : m.sweep) dearest = std::max(dearest, run.cost);
            text += format("; %s takes %s%.3g times its %.3g s", m.method->info.id, e.reached() ? "" : "more than ",
                           (e.reached() ? e.cost : dearest) / least, least);
        }
        notes.push_back(text + ".");
    }
    return notes;
}

// All methods on one variant: its table, its curves. False: stopped.
bool sweep_methods(const Variant& variant, const Reference& r, const StudyOptions& options, const Progress& progress, Table& table,
                   std::vector<Measured>& measured) {
    const double too_slow = std::min(slowest, std::max(10.0, 4 * r.seconds));
    const double finest = *std::min_element(std::begin(qualities), std::end(qualities));
    double done = 0;
    const double total = count_chosen(options);
    for (const Method& method : methods()) {
        if (!chosen(options, method.info.id)) continue;
        measured.push_back({&method, variant.damping, {}, {}, {}});
        std::vector<long> parts = parts_of(method.info, variant.problem, options);
        // A method of first order gets smaller steps until it is as good as the summary asks.
        const bool patient = method.info.order == 1 && options.steps.empty() && options.detail >= 1;
        if (patient && !std::isfinite(variant.problem.stability_limit(method.info)))
            for (int k = 0; k < extra_sizes; ++k) parts.push_back(2 * parts.back());
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const double begin = 0.1 + 0.9 * (done + static_cast<double>(k) / static_cast<double>(parts.size())) / total;
            const auto told = [&](std::string_view, double part) {
                return keep_going(progress, method.info.id, begin + 0.9 * part / total / static_cast<double>(parts.size()));
            };
            const Outcome o = Sweep{variant.problem, r, too_slow, told}.run(method, variant.problem.options, parts[k]);
            if (o.status == "stopped") return false;
            table.rows.push_back(work_precision_row(method.info.id, o));
            measured.back().sweep.push_back(priced(o, r));
            measured.back().parts.push_back(parts[k]);
            measured.back().row.push_back(table.rows.size() - 1);
            if (patient && o.status == "ok" && o.error.position <= finest) break;
            if (o.status == "too_slow" || o.status == "below_reference_accuracy") break;  // smaller steps would only be slower, or unknown
        }
        ++done;
    }
    return true;
}

// The runs that the summary is read off, once more and in turns, all of them equally often: a machine that is shared is slower for a while,
// and then it is for all. The best time of each counts. False: stopped.
bool time_in_turns(const Variant& variant, const Reference& r, double budget, const Progress& progress, Table& table,
                   std::span<Measured> measured) {
    struct Run {
        Measured* of;
        std::size_t number;
    };
    std::vector<Run> runs;
    double together = 0;
    for (Measured& m : measured) {
        std::vector<bool> used(m.sweep.size());
        for (const double error : qualities)
            if (const EqualError e = at_error(m.sweep, error); e.reached()) used[e.from] = used[e.to] = true;
        for (std::size_t k = 0; k < used.size(); ++k)
            if (used[k]) runs.push_back({&m, k}), together += m.sweep[k].cost;
    }
    const int rounds = std::clamp(static_cast<int>(budget / std::max(together, 1e-3)), 1, most_rounds);
    for (int round = 0; round < rounds; ++round) {
        const auto told = [&](std::string_view, double) { return keep_going(progress, "measuring times in turns", 1); };
        for (const auto& [m, k] : runs) {
            double& seconds = m->sweep[k].cost;
            const Sweep sweep{variant.problem, r, 2 * slowest, told};
            if (!sweep.time_again(*m->method, variant.problem.options, m->parts[k], seconds)) return false;
            table.rows[m->row[k]][4] = seconds;
        }
    }
    return true;
}

}  // namespace

Result<StudyResult> work_precision(const StudyOptions& options, const Progress& told_by) {
    const Progress progress = never_back(told_by);
    if (auto known = check_integrators(options.integrators); !known) return known.error();
    auto wanted = study_scene(options, default_scene);
    if (!wanted) return wanted.error();
    auto loaded = build_scene(std::move(wanted).value(), progress);
    if (!loaded) return loaded.error();
    const Scene& scene = loaded.value()->scene;
    const double T = options.seconds.value_or(default_seconds);
    const double longest = options.steps.empty() ? 4 * scene.frame_step : *std::max_element(options.steps.begin(), options.steps.end());
    const auto problem_of = [&](const std::shared_ptr<const LoadedScene>& body) {
        return body_problem(body, T, std::min(longest, T / 2), options.threads);
    };
    const bool damped = is_damped(scene.settings.parameters());
    std::vector<Variant> variants{{"", damped ? "as the scene" : "none", problem_of(loaded.value())}};
    if (!is_set(options, "damping") && !is_set(options, "mass_damping") && !is_set(options, "spring_damping"))
        variants.push_back({damped ? "-undamped" : "-damped", damped ? "none" : "5e-4 s",
                            problem_of(with_damping(*loaded.value(), damped ? 0 : usual_damping))});

    StudyResult result;
    std::vector<Measured> measured;
    for (Variant& variant : variants) {
        const double share = 1.0 / static_cast<double>(variants.size()), begin = share * static_cast<double>(&variant - variants.data());
        const auto told = [&](std::string_view stage, double part) { return keep_going(progress, stage, begin + share * part); };
        auto reference =
            compute_reference(variant.problem, {}, [&](std::string_view stage, double part) { return told(stage, 0.1 * part); });
        if (!reference) {
            if (result.tables.empty() || reference.message() == stopped_on_request().message) return reference.error();
            result.notes.push_back("The body with damping " + std::string(variant.damping) + " is left out: " + reference.message());
            continue;
        }
        const Reference& r = reference.value();
        variant.problem.energy_limit = Sweep::lost * r.largest_energy;
        Table table{"work-precision" + std::string(variant.suffix), work_precision_columns(), {}, true};
        const std::size_t first = measured.size();
        if (!sweep_methods(variant, r, options, told, table, measured)) return stopped_on_request();
        const double budget = options.detail < 1 ? 0 : patience;
        if (!time_in_turns(variant, r, budget, told, table, std::span(measured).subspan(first))) return stopped_on_request();
        const BodyProblem& problem = variant.problem;
        result.notes.push_back(
            format("Scene %.80s: %d particles, %.4g s simulated, highest frequency %.4g rad/s, damping %s, solver tolerance %.1g.",
                   scene.name.c_str(), problem.system->particles(), problem.end(), problem.omega_max, variant.damping,
                   problem.options.solver.tolerance));
        result.notes.push_back(r.explanation());
        for (const Against against : {Against::seconds, Against::step})
            result.plots.push_back(plot_of(table, r, scene.name, against, variant.suffix));
        result.tables.push_back(std::move(table));
    }
    result.tables.push_back(summary_of(measured));
    const BodyProblem& problem = variants.front().problem;
    result.notes.push_back(
        "Seconds are those inside the integrator: the best of several runs when short, and for those behind the summary of further ones in "
        "which all methods take turns. Rows marked below_reference_accuracy have a "
        "position or velocity error within ten times the reference's own, where errors are not known. Rows marked diverged had ten times "
        "the reference's largest kinetic + elastic energy, or twice that with an error above 1; in the plots runs without a result are "
        "crosses at the upper edge.");
    result.notes.push_back(
        "The summary says what each method pays for a position error of 2 % and of 1 %, interpolated between its runs. " +
        best_of(result.tables.back()));
    for (std::string& note : ratios_of(measured, result.tables.back())) result.notes.push_back(std::move(note));
    if (problem.driven())
        result.notes.push_back(
            format("Wind and moving pins change every %.4g s only, for all runs and the reference alike, so that all solve the "
                   "same equations; methods with a history start anew there.",
                   problem.H));
    if (const std::string moved = moved_steps(problem, options); !moved.empty()) result.notes.push_back(moved);
    return result;
}

}  // namespace wobble
