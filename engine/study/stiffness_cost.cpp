// Cost against stiffness at equal error, the visible motion kept: the bunny's ears stay soft while all below them is made
// 1 ... 10^4 times stiffer, so omega_max grows with the square root of that factor and the wobble of the ears does not. For each factor
// every candidate halves its step until its position error is below the target; its cost at the target is interpolated.
// Products with K: a Krylov evaluator needs about h omega_max of them, so its cost grows with slope 1/2, as Verlet's does; rational Krylov
// and implicit methods have factorisations instead and stay level. Damping (beta) multiplies Verlet's limit away.
#include "engine/study/stiffness.h"

#include "engine/integrate/methods.h"
#include "engine/study/sentence.h"
#include "engine/study/study_scene.h"
#include "engine/study/sweep.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr const char* default_scene = "bunny";
constexpr double default_resolution = 500;
constexpr double factors[] = {1, 10, 100, 1000, 10000};
constexpr double default_seconds = 0.5, longest = 1.0 / 32;
constexpr double target = 0.01;          // relative RMS position error
constexpr double usual_damping = 0.005;  // s, beta of the damped variant
constexpr int halvings = 8;
constexpr double soft_above = 0.62;                     // share of the height: the ears
constexpr double too_slow = 30, reference_budget = 30;  // s

struct Candidate {
    const char* integrator;
    PhiMethod phi;
    const char* phi_id;  // "" for methods without
    std::string label() const { return *phi_id ? std::string(integrator) + ", " + phi_id : integrator; }
};
constexpr Candidate candidates[] = {{"verlet", PhiMethod::automatic, ""},       {"implicit-midpoint", PhiMethod::automatic, ""},
                                    {"exprb42", PhiMethod::lanczos, "lanczos"}, {"exprb42", PhiMethod::rational, "rational"},
                                    {"exprb42", PhiMethod::kiops, "kiops"},     {"exprb42", PhiMethod::automatic, "automatic"}};

// Everything below the ears.
void stiffen(Scene& scene, double factor) {
    scene.model.regions = {{.low = Vec3::Zero(), .high = Vec3(1, soft_above, 1), .factor = factor}};
}

// A stiff body's motion: too fast for rk4 when damped, so by an exponential method with tight tolerances and halved steps.
Result<Reference> stiff_reference(BodyProblem problem, double budget, const Progress& progress) {
    problem.options.solver.tolerance = 1e-9;
    problem.options.solver.phi = PhiMethod::automatic;
    return compute_reference(problem, {.target = 1e-4, .budget = budget, .method = "pexprb43"}, progress);
}

struct Costs {
    const Candidate* who;
    std::vector<std::pair<double, double>> points;  // factor, seconds
};

}  // namespace

Result<void> cost_against_stiffness(const StudyOptions& options, const Progress& progress, StudyResult& result) {
    const double T = options.seconds.value_or(default_seconds);
    Table summary{
        "stiffness-cost", {"damping", "stiffness", "omega_max", "integrator", "phi", "h", "seconds", "ratio_to_best", "how"}, {}, true};
    const std::size_t count =
        std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(std::size(factors) * std::min(1.0, options.detail))));
    double visited = 0;
    const double total = static_cast<double>(2 * count * std::size(candidates));
    for (const double beta : {0.0, usual_damping}) {
        std::vector<Costs> costs;
        for (const Candidate& who : candidates)
            if (chosen(options, who.integrator)) costs.push_back({&who, {}});
        for (std::size_t f = 0; f < count; ++f) {
            auto scene = study_scene(options, default_scene, [](Parameters& p) { p.resolution = default_resolution; });
            if (!scene) return scene.error();
            Parameters& p = scene.value().parameters;
            p.damping = beta, p.mass_damping = p.spring_damping = 0;
            stiffen(scene.value(), factors[f]);
            const auto told = [&](std::string_view stage, double part) {
                return keep_going(progress, stage, (visited + 0.9 * part) / total);
            };
            auto loaded = build_scene(std::move(scene).value(), [&](std::string_view stage, double) { return told(stage, 0); });
            if (!loaded) return loaded.error();
            BodyProblem problem = body_problem(loaded.value(), T, std::min(longest, T / 2), options.threads);
            auto computed = stiff_reference(problem, reference_budget * options.detail * options.detail, told);
            if (!computed) return computed.error();
            const Reference& r = computed.value();
            problem.energy_limit = Sweep::lost * r.largest_energy;
            result.notes.push_back(sentence(
                "Lower part %g times stiffer, damping %g s: %d particles of %.3g kg altogether, highest frequency %.4g rad/s. %s",
                factors[f], beta, problem.system->particles(), problem.system->total_mass(), problem.omega_max, r.explanation().c_str()));
            std::vector<std::pair<EqualError, Costs*>> found;
            for (Costs& cost : costs) {
                const Method& method = *find_method(cost.who->integrator);
                IntegratorOptions chosen_options = problem.options;
                chosen_options.solver.phi = cost.who->phi;
                long first = 1;
                while (problem.H / static_cast<double>(first) > problem.stability_limit(method.info)) first *= 2;
                std::vector<ErrorAndCost> sweep;
                for (int k = 0; k < halvings; ++k) {
                    const Outcome o = Sweep{problem, r, too_slow * options.detail, told}.run(method, chosen_options, first << k);
                    if (o.status == "stopped") return stopped_on_request();
                    std::vector<Cell> row = work_precision_row(method.info.id, o);
                    row.insert(row.end(), {factors[f], cost.who->phi_id, beta, problem.omega_max, "cost"});
                    result.tables[0].rows.push_back(std::move(row));
                    sweep.push_back(priced(o));
                    if (o.status == "too_slow" || (sweep.back().usable && !(o.error.position > target))) break;
                }
                found.emplace_back(at_error(sweep, target), &cost);
                cost.points.emplace_back(factors[f], found.back().first.reached() ? found.back().first.cost : INFINITY);
                ++visited;
            }
            double best = INFINITY;
            for (const auto& [e, cost] : found) best = e.reached() ? std::min(best, e.cost) : best;
            for (const auto& [e, cost] : found)
                summary.rows.push_back({beta, factors[f], problem.omega_max, cost->who->integrator, cost->who->phi_id, e.h, e.cost,
                                        e.cost / best,
                                        e.interpolated ? "interpolated"
                                        : e.reached()  ? "longest step that works"
                                                       : "not reached"});
        }
        Plot plot{beta > 0 ? "stiffness-cost-damped" : "stiffness-cost",
                  beta > 0 ? "Seconds for 1 % error against stiffness, damped" : "Seconds for 1 % error against stiffness, undamped",
                  {"stiffness of the lower part, factor", Scale::logarithmic, {}, {}},
                  {"seconds inside the integrator", Scale::logarithmic, {}, {}},
                  {},
                  {}};
        std::string slopes;
        for (const Costs& cost : costs) {
            plot.series.push_back({cost.who->label(), cost.points, static_cast<int>(plot.series.size()), true});
            std::vector<double> x, y;
            for (const auto& [factor, seconds] : cost.points)
                if (std::isfinite(seconds)) x.push_back(factor), y.push_back(seconds);
            slopes += sentence("%s%s %.2f", slopes.empty() ? "" : ", ", cost.who->label().c_str(), fitted_slope(x, y));
        }
        const double last = factors[count - 1];
        for (const Costs& cost : costs)
            if (std::isfinite(cost.points.front().second)) {
                const double at = cost.points.front().second;
                plot.series.push_back({"slope 1/2", {{1, at}, {last, at * std::sqrt(last)}}, static_cast<int>(plot.series.size()), false});
                break;
            }
        result.plots.push_back(std::move(plot));
        result.notes.push_back(sentence("Seconds for %g %% position error grow with the stiffness factor to the power (damping %g s): %s.",
                                        100 * target, beta, slopes.c_str()));
    }
    result.tables.push_back(std::move(summary));
    return {};
}

}  // namespace wobble
