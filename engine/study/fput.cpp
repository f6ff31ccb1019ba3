// The Fermi-Pasta-Ulam-Tsingou chain (fput_chain.h) with the program's own integrators: error in the maximum norm of (x, x') at T = 10,
// largest |H - H0| on the way, seconds; the steps of Luan, Michels 2021b (0.02 ... 0.00125), smaller ones too for explicit methods, which
// can only then be compared at equal errors; and |H - H0| over [0, 100].
#include "engine/study/fput.h"

#include "engine/integrate/methods.h"
#include "engine/study/equal_error.h"
#include "engine/study/fput_chain.h"
#include "engine/study/integrate_fixed.h"
#include "engine/study/output/format_text.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr double T = 10, energy_T = 100;
constexpr double longest = 0.02, energy_h = 0.01, small_h = 0.00025;  // the paper's
constexpr int sizes = 5, explicit_sizes = 11;
constexpr double reference_h = 2.5e-5;
constexpr long batch = 10;  // steps
constexpr double tight = 1e-12;
constexpr double lost = 100;  // times H0: a run with that energy is called diverged

const std::vector<std::string> usual{"verlet",   "rk4",      "implicit-euler", "implicit-midpoint", "tr-bdf2",  "bdf2",
                                     "v-imex",   "exprb2",   "epi3",           "exprb42",           "pexprb43", "pexprb43-half",
                                     "epirk4s3", "gautschi", "exp-euler"};

struct Point {
    double h;
    FixedRun result;
    double error = NAN, energy_error = 0;
};

struct Curve {
    const Method* method;
    std::vector<Point> points;  // by falling h
    std::vector<ErrorAndCost> sweep(double floor) const {
        std::vector<ErrorAndCost> s;
        for (const Point& p : points) s.push_back({p.h, p.error, p.result.seconds, p.result.ok() && p.error > floor && p.error < 1});
        return s;
    }
    // Over the three smallest steps whose errors are known.
    double observed_order(double floor) const {
        std::vector<double> h, e;
        for (auto p = points.rbegin(); p != points.rend() && h.size() < 3; ++p)
            if (p->result.ok() && p->error > floor && p->error < 0.1) h.push_back(p->h), e.push_back(p->error);
        return h.size() < 3 ? NAN : fitted_slope(h, e);
    }
};

// Every step costs the same, so the lower quartile of short batches of steps is what a run costs on an idle machine.
double undisturbed(std::vector<double>& batches, long steps, double otherwise) {
    if (batches.size() < 3) return otherwise;
    std::nth_element(batches.begin(), batches.begin() + static_cast<long>(batches.size() / 4), batches.end());
    return batches[batches.size() / 4] * static_cast<double>(steps) / static_cast<double>(batch);
}

Point run(const FputChain& chain, const Method& method, const SolverOptions& solver, double end, double h, const State* reference,
          const Progress& progress, std::vector<std::pair<double, double>>* over_time = nullptr) {
    const long steps = std::lround(end / h), stride = std::max(1L, steps / 500);
    const double H0 = chain.energy(chain.start);
    Point point{h, {}};
    double worst = 0, before = 0;
    std::vector<double> batches;
    const auto watch = [&](long n, const State& s, const FixedRun& so_far) -> const char* {
        if (n % batch == 0) {
            if (!keep_going(progress, method.info.id, static_cast<double>(n) / static_cast<double>(steps))) return "stopped";
            batches.push_back(so_far.seconds - before);
            before = so_far.seconds;
        }
        const double drift = std::abs(chain.energy(s) - H0);
        if (!(drift < lost * H0)) return "diverged";
        point.energy_error = std::max(point.energy_error, drift);
        worst = std::max(worst, drift);  // between samples of the plot
        if (over_time && (n % stride == 0 || n == steps)) over_time->emplace_back(s.t, worst), worst = 0;
        return nullptr;
    };
    point.result = integrate_fixed(*chain.system, *method.make({solver}), chain.start, end / static_cast<double>(steps), steps, watch);
    point.result.seconds = undisturbed(batches, point.result.steps, point.result.seconds);
    if (!point.result.ok()) point.energy_error = NAN;
    else if (reference) point.error = chain.largest_difference(point.result.end, *reference);
    return point;
}

// rk45, which no method of the table is, with three steps: the last difference and the observed order tell its own error.
struct FputReference {
    State end;
    double h = 0, self_error = 0, observed_order = 0, error = 0;
};
Result<FputReference> reference_of(const FputChain& chain, double h, const Progress& progress) {
    const Method& method = *find_method("rk45");
    FputReference r;
    double before = 0;
    State coarser;
    for (const double step : {4 * h, 2 * h, h}) {
        const auto told = [&](std::string_view, double part) { return keep_going(progress, "reference", part * h / step); };
        Point p = run(chain, method, {}, T, step, nullptr, told);
        if (p.result.status == "stopped") return stopped_on_request();
        if (!p.result.ok()) return Error{"The reference motion could not be computed: rk45 ended with " + p.result.status + "."};
        if (coarser.q.size() > 0) before = r.self_error, r.self_error = chain.largest_difference(p.result.end, coarser);
        coarser = std::move(p.result.end);
    }
    r.end = std::move(coarser);
    r.h = h;
    r.observed_order = std::log2(before / r.self_error);
    // Where rounding has taken over no order shows, and the difference itself is all that is known.
    const bool shows = r.observed_order > 3;
    r.error = shows ? r.self_error / (std::exp2(std::min(r.observed_order, 5.0)) - 1) : r.self_error;
    return r;
}

Plot error_plot(const char* name, const char* title, Axis x, const std::vector<Curve>& curves, double floor, bool against_seconds) {
    Plot plot{name, title, std::move(x), {"largest error of x and x' at T = 10", Scale::logarithmic, {}, 2.0}, {}, {}};
    for (const Curve& curve : curves) {
        Series series{curve.method->info.id, {}, static_cast<int>(plot.series.size()), true};
        for (const Point& p : curve.points) {
            if (p.result.ok() && !(p.error > floor)) continue;
            series.points.emplace_back(against_seconds ? p.result.seconds : p.h, p.result.ok() ? p.error : INFINITY);
        }
        plot.series.push_back(std::move(series));
    }
    if (!against_seconds) {  // lines of slopes 2 and 4, as in the paper's figure 1
        const double low = longest / (1 << (sizes - 1));
        for (const auto& [order, at] : {std::pair{2, 1e-2}, std::pair{4, 5e-5}})
            plot.series.push_back({"slope " + std::to_string(order),
                                   {{longest, at}, {low, at * std::pow(low / longest, order)}},
                                   static_cast<int>(plot.series.size()),
                                   false});
    }
    return plot;
}

// Every fourth-order exponential run against rk4 at the same error.
Table equal_errors(const std::vector<Curve>& curves, double floor, std::vector<std::string>& notes) {
    Table table{"fput-equal-error", {"method", "h", "error", "seconds", "rk4_h", "rk4_seconds", "step_ratio", "time_ratio"}, {}, true};
    const auto rk4 = std::find_if(curves.begin(), curves.end(), [](const Curve& c) { return std::string(c.method->info.id) == "rk4"; });
    if (rk4 == curves.end()) return table;
    const std::vector<ErrorAndCost> sweep = rk4->sweep(floor);
    struct Best {
        const char* id = nullptr;
        double ratio = 0, steps = 0, h = 0, error = 0;
    } best;
    double low = INFINITY, high = 0;
    for (const Curve& curve : curves) {
        if (curve.method->info.family != Family::exponential || curve.method->info.order < 4) continue;
        for (const Point& p : curve.points) {
            if (!p.result.ok() || !(p.error > floor)) continue;
            const EqualError same = at_error(sweep, p.error);
            if (!same.reached() || !same.interpolated) continue;
            const double steps = p.h / same.h, ratio = same.cost / p.result.seconds;
            table.rows.push_back({curve.method->info.id, p.h, p.error, p.result.seconds, same.h, same.cost, steps, ratio});
            low = std::min(low, steps), high = std::max(high, steps);
            if (ratio > best.ratio) best = {curve.method->info.id, ratio, steps, p.h, p.error};
        }
    }
    if (best.id) {
        notes.push_back(
            format("At equal error rk4 needs steps %.0f to %.0f times smaller than the fourth-order exponential methods (the paper: 40).",
                   low, high));
        notes.push_back(
            format("The best exponential run against rk4 is %s with h = %.3g (error %.2g): rk4 takes %.2f times its seconds with steps "
                   "%.0f times smaller. "
                   "The paper says exprb42 and pexprb43 are 3 to 4 times faster; %s. Here a step costs what the machinery for bodies "
                   "costs (sparse "
                   "tangents, Lanczos with the coordinates y and z along), so on seven particles the ratio says little about bodies.",
                   best.id, best.h, best.error, best.ratio, best.steps,
                   best.ratio >= 3  ? "that agrees"
                   : best.ratio > 1 ? "measured is less"
                                    : "measured is the opposite: rk4 is faster"));
    }
    return table;
}

}  // namespace

Result<StudyResult> fput(const StudyOptions& asked, const Progress& told_by) {
    const Progress progress = never_back(told_by);
    if (auto known = check_integrators(asked.integrators); !known) return known.error();
    StudyOptions options = asked;
    if (options.integrators.empty()) options.integrators = usual;
    const double detail = std::min(1.0, options.detail);
    const FputChain chain = fput_chain();
    const double H0 = chain.energy(chain.start);
    const SolverOptions solver = solver_for(options, {.tolerance = tight});
    const auto computed = reference_of(chain, detail < 1 ? 2 * reference_h : reference_h,
                                       [&](std::string_view stage, double part) { return keep_going(progress, stage, 0.1 * part); });
    if (!computed) return computed.error();
    const FputReference* reference = &computed.value();
    const double floor = 10 * reference->error;

    StudyResult result;
    std::vector<Curve> curves;
    const double total = count_chosen(options);
    for (const Method& method : methods()) {
        if (!chosen(options, method.info.id)) continue;
        Curve curve{&method, {}};
        const double begin = 0.1 + 0.6 * static_cast<double>(curves.size()) / total;
        const bool small_steps = method.info.family == Family::explicit_classical;
        const int count = std::max(3, static_cast<int>(std::lround(detail * (small_steps ? explicit_sizes : sizes))));
        for (int k = 0; k < count; ++k) {
            const auto told = [&](std::string_view stage, double) { return keep_going(progress, stage, begin + 0.6 / total * k / count); };
            curve.points.push_back(run(chain, method, solver, T, longest / (1 << k), &reference->end, told));
            if (curve.points.back().result.status == "stopped") return stopped_on_request();
        }
        curves.push_back(std::move(curve));
    }

    Table table{"fput", {"method", "h", "error", "max_energy_error", "seconds", "steps", "status"}, {}, true};
    Table summary{
        "fput-summary", {"method", "order", "observed_order", "seconds_for_1e-3", "seconds_for_1e-5", "seconds_for_1e-7"}, {}, true};
    for (const Curve& curve : curves) {
        for (const Point& p : curve.points)
            table.rows.push_back({curve.method->info.id, p.h, p.error, p.energy_error, p.result.seconds, p.result.steps,
                                  p.result.ok() && p.error < floor ? std::string("below_reference_accuracy") : p.result.status});
        const std::vector<ErrorAndCost> sweep = curve.sweep(floor);
        summary.rows.push_back({curve.method->info.id, static_cast<long>(curve.method->info.order), curve.observed_order(floor),
                                at_error(sweep, 1e-3).cost, at_error(sweep, 1e-5).cost, at_error(sweep, 1e-7).cost});
    }

    result.plots.push_back(
        error_plot("fput-order", "FPUT chain: error against step", {"step h", Scale::logarithmic, {}, {}}, curves, floor, false));
    result.plots.push_back(error_plot("fput-work", "FPUT chain: error against time",
                                      {"seconds inside the integrator", Scale::logarithmic, {}, {}}, curves, floor, true));
    Plot energy{"fput-energy",
                "FPUT chain: energy error over time",
                {"time", Scale::linear, {}, {}},
                {"largest |H - H0| since the last point", Scale::logarithmic, 1e-12, 1.0},
                {},
                {}};
    Table over_time{"fput-energy", {"method", "h", "t", "energy_error"}, {}, false};
    for (const Curve& curve : curves) {
        std::vector<double> steps{energy_h};
        if (std::string(curve.method->info.id) == "rk4" && detail >= 1) steps.push_back(small_h);
        for (const double h : steps) {
            const double begin = 0.7 + 0.3 * static_cast<double>(energy.series.size()) / (total + 1);
            std::vector<std::pair<double, double>> points;
            const Point p = run(
                chain, *curve.method, solver, energy_T * detail, h, nullptr,
                [&](std::string_view stage, double part) { return keep_going(progress, stage, begin + 0.3 * part / (total + 1)); },
                &points);
            if (p.result.status == "stopped") return stopped_on_request();
            for (const auto& [t, e] : points) over_time.rows.push_back({curve.method->info.id, h, t, e});
            if (!p.result.ok()) points.emplace_back(p.result.end.t, INFINITY);
            energy.series.push_back(
                {format("%s, h = %g", curve.method->info.id, h), std::move(points), static_cast<int>(energy.series.size()), false});
        }
    }
    result.plots.push_back(std::move(energy));

    result.notes.push_back(
        format("FPUT chain with m = %d, omega = %g, H0 = %.9f; solver tolerance %.1g. Errors are maximum norms of (x, x') at T = %g; "
               "max_energy_error is the largest |H - H0| up to there; seconds are those inside the integrator, from the lower quartile of "
               "batches of %ld steps.",
               chain.m, chain.omega, H0, solver.tolerance, T, batch));
    result.notes.push_back(
        format("Reference: rk45 with h = %.3g; against twice that step it differs by %.1g (observed order %.2f), so its own error "
               "is about %.1g; runs with errors below ten times that are marked below_reference_accuracy.",
               reference->h, reference->self_error, reference->observed_order, reference->error));
    Table equal = equal_errors(curves, floor, result.notes);
    result.tables = {std::move(table), std::move(summary), std::move(equal), std::move(over_time)};
    return result;
}

}  // namespace wobble
