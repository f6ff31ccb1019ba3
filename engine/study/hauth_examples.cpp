// Work is counted, not timed: force evaluations + operator products + factorisations (a tangent assembled and solved with). The paper
// counts floating point operations of one-particle programs; ours would be lost in the overhead of machinery made for thousands of
// particles.
#include "engine/study/hauth_examples.h"

#include "engine/integrate/methods.h"
#include "engine/study/examples.h"
#include "engine/study/integrate_fixed.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr double tight = 1e-12;  // Newton's tolerance: errors far below it are not the method's

struct Point {
    double h = 0, error = 0, order = 0;  // error: at the end
    double largest_error = 0;            // over the interval
    long steps = 0;
    FixedRun run;
    std::string status;
    double work() const { return static_cast<double>(run.force_evaluations + run.operator_products + run.factorizations); }
};

struct Curve {
    const Example* example;
    const Method* method;
    std::vector<Point> points;
};

// Whether the method keeps v = lambda q, as every method for first-order systems does; Verlet and its kin do not.
bool treats_velocity_differently(const Method& method, const SolverOptions& solver) {
    const double lambda = -1;
    const OscillatorBank bank(dahlquist({lambda}));
    const FixedRun run = integrate_fixed(bank.system(), *method.make({.solver = solver}), bank.start(), 0.3, 8);
    const double q = OscillatorBank::position(run.end, 0), v = OscillatorBank::velocity(run.end, 0);
    return !run.ok() || std::abs(v - lambda * q) > 1e-7 * std::abs(q);
}

Curve measure(const Example& example, const Method& method, bool marked, const SolverOptions& solver, int sizes) {
    Curve curve{&example, &method, {}};
    const OscillatorBank bank(example.oscillator());
    const double size = example.size();
    for (int k = 0; k < sizes; ++k) {
        Point p;
        p.steps = static_cast<long>(example.fewest_steps) << k;
        p.h = example.end / static_cast<double>(p.steps);
        p.run = integrate_fixed(bank.system(), *method.make({.solver = solver}), bank.start(), p.h, p.steps,
                                [&](long, const State& state, const FixedRun&) -> const char* {
                                    p.largest_error = std::max(p.largest_error, example.error(state));
                                    return nullptr;
                                });
        p.error = p.run.ok() ? example.error(p.run.end) : NAN;
        p.status = !p.run.ok() ? p.run.status : !(p.error < 100 * size) ? "diverged" : marked ? "second_order_only" : "ok";
        if (!curve.points.empty()) p.order = std::log2(curve.points.back().error / p.error);
        else p.order = NAN;
        curve.points.push_back(std::move(p));
    }
    return curve;
}

// The slope of log error over log h, fitted to the three smallest steps whose errors are neither wrong nor made of rounding errors and
// solver tolerance; nan: there are fewer. Where errors stop falling they have reached such a floor, and points near it count as noise.
double observed_order(const Curve& curve) {
    const double size = curve.example->size_at_end();
    const auto& p = curve.points;
    double floor = 1e-11 * size;
    if (p.back().order < 0.5 * curve.method->info.order)
        for (std::size_t i = p.size() - 1; i > 0 && p[i].order < 0.5 * curve.method->info.order; --i) floor = std::max(floor, p[i].error);
    std::vector<double> x, y;
    for (auto point = p.rbegin(); point != p.rend() && x.size() < 3; ++point)
        if (point->error > 20 * floor && point->error < 0.1 * size) x.push_back(std::log(point->h)), y.push_back(std::log(point->error));
    if (x.size() < 3) return NAN;
    const double mx = (x[0] + x[1] + x[2]) / 3, my = (y[0] + y[1] + y[2]) / 3;
    double xy = 0, xx = 0;
    for (int i = 0; i < 3; ++i) xy += (x[i] - mx) * (y[i] - my), xx += (x[i] - mx) * (x[i] - mx);
    return xy / xx;
}

// The largest step from which on all smaller ones keep the error below 1 % of the solution's largest size, over the whole interval: at its
// end a solution that has died away is met by anything that damps.
double step_for_one_percent(const Curve& curve) {
    double h = NAN;
    for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point) {
        if (!point->run.ok() || !(point->largest_error <= 0.01 * curve.example->size())) break;
        h = point->h;
    }
    return h;
}

Plot plot_of(const std::string& name, const std::string& title, const Example& example, const std::vector<Curve>& curves,
             const std::vector<std::string>& ids) {
    const double size = example.size();
    Plot plot{name,
              title,
              {"work: force evaluations + operator products + factorisations", Scale::logarithmic, {}, {}},
              {"error at t = " + std::to_string(static_cast<int>(example.end)), Scale::logarithmic, {}, {}},
              {},
              {}};
    int colour = 0;
    double low = INFINITY, high = 0;
    for (const Curve& curve : curves) {
        const std::string id = curve.method->info.id;
        if (curve.example != &example || curve.method->info.family == Family::exponential) continue;
        ++colour;  // the same method has the same colour in all plots
        if (!ids.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) continue;
        Series series{curve.points.front().status == "second_order_only" ? id + " (as 2nd order)" : id, {}, colour - 1, true};
        for (const Point& p : curve.points) {
            const bool failed = !p.run.ok() || p.status == "diverged";
            series.points.emplace_back(p.work(), failed ? INFINITY : p.error);
            if (!failed && p.error > 0 && std::isfinite(p.error)) low = std::min(low, p.error), high = std::max(high, p.error);
        }
        plot.series.push_back(std::move(series));
    }
    // Runs that explode, and rounding errors, would squeeze the rest of the picture.
    plot.y.low = std::max(low / 2, 1e-13 * size);
    plot.y.high = std::min(2 * high, 1e4 * size);
    return plot;
}

void add_plots(StudyResult& result, const std::vector<Curve>& curves) {
    const std::vector<std::string> explicit_ones{"euler", "midpoint", "rk4"};
    const std::vector<std::string> implicit_ones{"implicit-euler", "implicit-midpoint", "bdf2", "verlet"};
    const std::vector<std::string> undamped{"euler", "implicit-euler", "implicit-midpoint", "bdf2", "verlet"};
    const auto add = [&](Plot plot) {
        if (!plot.series.empty()) result.plots.push_back(std::move(plot));
    };
    for (const Example& e : examples()) {
        const std::string id = e.id, title = e.title;
        if (id == "wave") add(plot_of("figure-7-wave", "Without damping, " + title, e, curves, undamped));
        else {
            add(plot_of("figure-3-" + id, "Explicit methods, " + title, e, curves, explicit_ones));
            add(plot_of("figure-5-" + id, "Implicit methods, " + title, e, curves, implicit_ones));
        }
        add(plot_of("all-" + id, "All classical methods, " + title, e, curves, {}));
    }
}

}  // namespace

Result<StudyResult> hauth_examples(const StudyOptions& options, const Progress& progress) {
    if (auto known = check_integrators(options.integrators); !known) return known.error();
    const SolverOptions solver = solver_for(options, {.tolerance = tight});
    const int sizes = std::max(3, static_cast<int>(std::lround(11 + 2 * std::log2(options.detail))));
    StudyResult result;
    Table all{"hauth-examples",
              {"example", "method", "h", "steps", "error", "force_evaluations", "seconds", "status", "operator_products", "factorizations",
               "observed_order", "largest_error"},
              {},
              false};
    Table summary{"hauth-examples-summary",
                  {"example", "method", "order", "observed_order", "step_for_1_percent", "smallest_h", "error", "status"},
                  {},
                  true};
    std::vector<Curve> curves;
    double done = 0;
    const double parts = count_chosen(options) * static_cast<double>(examples().size());
    for (const Method& method : methods()) {
        if (!chosen(options, method.info.id)) continue;
        const bool partitioned = treats_velocity_differently(method, solver);
        for (const Example& example : examples()) {
            if (!keep_going(progress, std::string(method.info.id) + " on " + example.title, done++ / parts)) return stopped_on_request();
            curves.push_back(measure(example, method, partitioned && example.lambda != 0, solver, sizes));
            const Curve& curve = curves.back();
            for (const Point& p : curve.points)
                all.rows.push_back({example.id, method.info.id, p.h, p.steps, p.error, p.run.force_evaluations, p.run.seconds, p.status,
                                    p.run.operator_products, p.run.factorizations, p.order, p.largest_error});
            const Point& last = curve.points.back();
            summary.rows.push_back({example.id, method.info.id, static_cast<long>(method.info.order), observed_order(curve),
                                    step_for_one_percent(curve), last.h, last.error, last.status});
        }
    }
    std::stable_sort(summary.rows.begin(), summary.rows.end(), [](const auto& a, const auto& b) {
        const auto rank = [](const Cell& id) {
            for (std::size_t i = 0; i < examples().size(); ++i)
                if (std::get<std::string>(id) == examples()[i].id) return i;
            return examples().size();
        };
        return rank(a[0]) < rank(b[0]);
    });
    add_plots(result, curves);
    result.tables = {std::move(all), std::move(summary)};
    result.notes = {
        "error is that at the end of the interval, largest_error that over all of it. observed_order is the slope over the three smallest "
        "steps whose errors stand above rounding; nan: there are fewer, as where a method is exact or never accurate. step_for_1_percent: "
        "from it on all smaller steps keep largest_error below 1 % of the solution's largest size. Crosses at the upper edge of the plots "
        "are runs that diverged or failed.",
        "second_order_only marks methods that treat position and velocity differently: on the first-order equations they solve the "
        "equivalent oscillator."};
    return result;
}

}  // namespace wobble
