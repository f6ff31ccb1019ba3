// Cost against stiffness at equal error, the visible motion kept: the bunny's ears stay soft and get a sideways kick that grows from
// nothing at their roots; all below them is stiffer by 1e2, which is already stiff for the ears, and then by 1 ... 1e4 more. omega_max
// grows with the square root of that factor, the wobble of the ears (lowest_hz) and how far they go (rms_displacement) stay. For each
// factor every candidate halves its step until its position error is below the target; its cost at the target is interpolated. Products
// with K: a Krylov evaluator needs about h omega_max of them, so its cost grows with slope 1/2, as Verlet's does; rational Krylov and
// implicit methods have factorisations instead and stay level. Rational Krylov resolves no fast oscillation, so it is asked for what one
// sees only, at two tolerances. Damping (beta) multiplies Verlet's limit away.
#include "engine/study/stiffness.h"

#include "engine/integrate/methods.h"
#include "engine/solve/krylov/spectrum.h"
#include "engine/study/output/format_text.h"
#include "engine/study/study_scene.h"
#include "engine/study/sweep.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr const char* default_scene = "spring_bunny";
constexpr double default_resolution = 200;
constexpr double already_stiff = 1e2;  // the lower part against the ears, at factor 1
constexpr double factors[] = {1, 10, 100, 1000, 10000};
constexpr double default_seconds = 0.25, longest = 1.0 / 60;
constexpr double target = 0.01;          // relative RMS position error
constexpr double usual_damping = 0.005;  // s, beta of the damped variant
constexpr int halvings = 6;
constexpr double soft_above = 0.62;                     // share of the height: the ears
constexpr double kick = 1;                              // 1/s: velocity per height above the roots of the ears
constexpr double too_slow = 12, reference_budget = 20;  // s

struct Candidate {
    const char* integrator;
    PhiMethod phi;
    const char* phi_id;  // "" for methods without
    double tolerance;    // 0: the scene's
    std::string label() const { return *phi_id ? format("%s, %s %g", integrator, phi_id, tolerance) : integrator; }
};
constexpr Candidate candidates[] = {{"verlet", PhiMethod::automatic, "", 0},
                                    {"implicit-midpoint", PhiMethod::automatic, "", 0},
                                    {"exprb42", PhiMethod::rational, "rational", 3e-3},
                                    {"exprb42", PhiMethod::rational, "rational", 1e-3},
                                    {"exprb42", PhiMethod::automatic, "automatic", 1e-3},
                                    {"exprb42", PhiMethod::lanczos, "lanczos", 1e-3},
                                    {"exprb42", PhiMethod::kiops, "kiops", 1e-3}};

// Everything below the ears is stiffer; nothing but the kick moves the body.
void prepare(Scene& scene, const StudyOptions& options, double factor, double beta) {
    scene.body().model.regions = {{.low = Vec3::Zero(), .high = Vec3(1, soft_above, 1), .factor = already_stiff * factor}};
    Parameters& p = scene.settings.parameters();
    p.damping = beta, p.mass_damping = p.spring_damping = 0;
    if (!is_set(options, "gravity")) p.gravity = 0;
    scene.body().initial_velocity = scene.body().initial_shear = Vec3::Zero();
}

void kick_ears(BodyProblem& problem) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < problem.system->particles(); ++i) {
        const double y = particle(problem.start.q, i).y();
        low = std::min(low, y), high = std::max(high, y);
    }
    const double roots = low + soft_above * (high - low);
    for (int i = 0; i < problem.system->particles(); ++i)
        if (!problem.system->pinned()[i])
            particle(problem.start.v, i).z() += kick * std::max(0.0, particle(problem.start.q, i).y() - roots);
}

double lowest_hertz(const BodyProblem& problem) {
    MechanicalSystem& system = *problem.system;
    system.prepare(problem.start);
    BlockMatrix K(system.pattern());
    system.stiffness(problem.start.q, K);
    return lowest_frequency({system.workers(), K, system.mass(), system.inverse_mass(), 0, 0}) / (2 * M_PI);
}

// What is seen of a stiff body's motion: neither explicit steps nor Krylov spaces that resolve the fastest oscillations are affordable, so
// by small steps of a symmetric implicit method, which keep the amplitudes of the fast ones, though not their phases, and the slow ones
// whole.
Result<Reference> stiff_reference(BodyProblem problem, double budget, const Progress& progress) {
    problem.options.solver.tolerance = 1e-8;
    return compute_reference(problem, {.target = 1e-3, .budget = budget, .method = "implicit-midpoint"}, progress);
}

struct Costs {
    const Candidate* who;
    std::vector<std::pair<double, double>> points;  // factor, seconds; infinite: not reached
    bool given_up = false;                          // too slow at a smaller factor

    // What the largest factor costs against the smallest.
    std::string growth() const {
        for (const auto& [factor, seconds] : points)
            if (!std::isfinite(seconds)) return format("%s not reached at factor %g", who->label().c_str(), factor);
        double dearest = 0;  // the ends alone would hide a factor between them that costs more
        for (const auto& [factor, seconds] : points) dearest = std::max(dearest, seconds);
        return format("%s %.3g (dearest factor: %.3g)", who->label().c_str(), points.back().second / points.front().second,
                      dearest / points.front().second);
    }
};

}  // namespace

Result<void> cost_against_stiffness(const StudyOptions& options, const Progress& progress, StudyResult& result) {
    const double T = options.seconds.value_or(default_seconds);
    Table summary{"stiffness-cost",
                  {"damping", "stiffness", "omega_max", "lowest_hz", "rms_displacement", "integrator", "phi", "tolerance", "path", "h",
                   "seconds", "ratio_to_best", "how"},
                  {},
                  true};
    const std::size_t count =
        std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(std::size(factors) * std::min(1.0, options.detail))));
    double visited = 0;
    const double total = static_cast<double>(2 * count * std::size(candidates));
    for (const double beta : {0.0, usual_damping}) {
        std::vector<Costs> costs;
        for (const Candidate& who : candidates)
            if (chosen(options, who.integrator) && (!*who.phi_id || !options.phi || *options.phi == who.phi))
                costs.push_back({&who, {}, false});
        for (std::size_t f = 0; f < count; ++f) {
            auto scene = study_scene(options, default_scene, [](Parameters& p) { p.resolution = default_resolution; });
            if (!scene) return scene.error();
            prepare(scene.value(), options, factors[f], beta);
            const auto told = [&](std::string_view stage, double part) {
                return keep_going(progress, stage, (visited + 0.9 * part) / total);
            };
            auto loaded = build_scene(std::move(scene).value(), [&](std::string_view stage, double) { return told(stage, 0); });
            if (!loaded) return loaded.error();
            BodyProblem problem = body_problem(loaded.value(), T, std::min(longest, T / 2), options.threads);
            kick_ears(problem);
            const double lowest = lowest_hertz(problem);
            auto computed = stiff_reference(problem, reference_budget * options.detail * options.detail, told);
            if (!computed) return computed.error();
            const Reference& r = computed.value();
            problem.energy_limit = Sweep::lost * r.largest_energy;
            const double moved = displacement(problem, r.samples);
            result.notes.push_back(
                format("Lower part %g times stiffer, damping %g s: %d particles of %.3g kg altogether, frequencies "
                       "%.3g Hz to %.4g rad/s, RMS displacement %.3g m. %s",
                       factors[f], beta, problem.system->particles(), problem.system->total_mass(), lowest, problem.omega_max, moved,
                       r.explanation().c_str()));
            struct Found {
                EqualError at;
                const Costs* cost;
                std::string path;
                double tolerance;
            };
            std::vector<Found> found;
            for (Costs& cost : costs) {
                const Method& method = *find_method(cost.who->integrator);
                IntegratorOptions wanted = problem.options;
                wanted.solver.phi = cost.who->phi;
                if (cost.who->tolerance > 0 && !options.solver_tolerance) wanted.solver.tolerance = cost.who->tolerance;
                const long first = stable_parts(method.info, problem);
                std::vector<ErrorAndCost> sweep;
                std::string path;
                for (int k = 0; k < halvings && !cost.given_up; ++k) {
                    const Outcome o =
                        Sweep{problem, r, too_slow * std::min(1.0, options.detail * options.detail), told}.run(method, wanted, first << k);
                    if (o.status == "stopped") return stopped_on_request();
                    path = o.result.phi_path ? o.result.phi_path : "";
                    std::vector<Cell> row = work_precision_row(method.info.id, o);
                    row.insert(row.end(), {factors[f], cost.who->phi_id, path, wanted.solver.tolerance, beta, problem.omega_max, "cost"});
                    result.tables[0].rows.push_back(std::move(row));
                    sweep.push_back(priced(o, r));
                    cost.given_up = o.status == "too_slow" && k == 0;
                    if (o.status == "too_slow" || (sweep.back().usable && !(o.error.position > target))) break;
                }
                found.push_back({at_error(sweep, target), &cost, path, wanted.solver.tolerance});
                cost.points.emplace_back(factors[f], found.back().at.reached() ? found.back().at.cost : INFINITY);
                ++visited;
            }
            double best = INFINITY;
            for (const Found& one : found) best = one.at.reached() ? std::min(best, one.at.cost) : best;
            for (const auto& [at, cost, path, tolerance] : found)
                summary.rows.push_back({beta, factors[f], problem.omega_max, lowest, moved, cost->who->integrator, cost->who->phi_id,
                                        tolerance, path, at.h, at.cost, at.cost / best, at.how()});
        }
        Plot plot{beta > 0 ? "stiffness-cost-damped" : "stiffness-cost",
                  beta > 0 ? "Seconds for 1 % error against stiffness, damped" : "Seconds for 1 % error against stiffness, undamped",
                  {"stiffness of the lower part, factor", Scale::logarithmic, {}, {}},
                  {"seconds inside the integrator", Scale::logarithmic, {}, {}},
                  {},
                  {}};
        std::string growths;
        for (const Costs& cost : costs) {
            plot.series.push_back({cost.who->label(), cost.points, static_cast<int>(plot.series.size()), true});
            growths += (growths.empty() ? "" : ", ") + cost.growth();
        }
        const double last = factors[count - 1];
        for (const Costs& cost : costs)
            if (std::isfinite(cost.points.front().second)) {
                const double at = cost.points.front().second;
                plot.series.push_back({"slope 1/2", {{1, at}, {last, at * std::sqrt(last)}}, static_cast<int>(plot.series.size()), false});
                break;
            }
        result.plots.push_back(std::move(plot));
        result.notes.push_back(
            format("Seconds for %g %% position error with the lower part %g times stiffer, over those at factor 1 (square "
                   "root of the stiffness: %.3g), damping %g s: %s.",
                   100 * target, last, std::sqrt(last), beta, growths.c_str()));
    }
    result.tables.push_back(std::move(summary));
    return {};
}

}  // namespace wobble
