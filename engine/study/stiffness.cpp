// What stiffness does to the methods. First part, error against step (Michels, Luan, Tokman 2017, figure 3a, table 1): the bunny with
// springs ks = 1e2 N/m on the edges and kd = 1e8, 1e10, 1e12 N/m from vertices to opposite faces (kappa_0, kappa_1, kappa_2), by the
// paper's stiffly accurate integrator (epirk4s3), an exponential Rosenbrock method and Gautschi's. The paper gives no masses. Here the
// density is 1000 / 3e-5 kg/m^3: then kappa_0 moves as our bunny of 1000 kg/m^3 with kd = 3000 N/m does, visibly. Every kd is resisted by
// many springs per vertex, so the whole spectrum, the visible part too, moves up with sqrt(kd), and displacements get smaller.
#include "engine/study/stiffness.h"

#include "engine/integrate/methods.h"
#include "engine/study/output/format_text.h"
#include "engine/study/study_scene.h"
#include "engine/study/sweep.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr const char* default_scene = "spring_bunny";
constexpr double default_resolution = 300;
constexpr double kappas[] = {1e8, 1e10, 1e12};  // N/m, kd
constexpr double edge_stiffness = 1e2;          // N/m, ks
constexpr double density = 1000 / 3e-5;         // kg/m^3
constexpr double default_seconds = 0.5, longest = 1.0 / 16;
constexpr int sizes = 8;
constexpr double reference_budget = 8, too_slow = 8;  // s
constexpr double usual_damping = 0.005;               // s, beta of the damped variant

}  // namespace

Result<void> error_against_step(const StudyOptions& asked, const Progress& progress, StudyResult& result) {
    StudyOptions options = asked;
    if (options.integrators.empty()) options.integrators = {"exprb42", "epirk4s3", "gautschi"};
    const double T = options.seconds.value_or(default_seconds);
    const PhiMethod phi = options.phi.value_or(PhiMethod::automatic);
    const char* asked_phi = "automatic";
    for (const auto& info : phi_methods())
        if (info.kind == phi) asked_phi = info.id;
    Plot plot{"stiffness-step",
              "Error against step for three stiffnesses",
              {"step h, s", Scale::logarithmic, {}, {}},
              {"relative RMS position error", Scale::logarithmic, {}, 2.0},
              {},
              {}};
    const std::size_t count = options.detail < 0.5 ? 2 : std::size(kappas);
    for (std::size_t part_of = 0; part_of < 2 * count; ++part_of) {
        const std::size_t k = part_of % count;
        const double beta = part_of < count ? 0 : usual_damping;
        const double share = 0.5 / static_cast<double>(count), begin = share * static_cast<double>(part_of);
        auto scene = study_scene(options, default_scene, [](Parameters& p) { p.resolution = default_resolution; });
        if (!scene) return scene.error();
        Parameters& p = scene.value().settings.parameters();
        p.stiffness = kappas[k], p.edge_stiffness = edge_stiffness, p.density = density;
        p.damping = beta, p.mass_damping = p.spring_damping = 0;
        auto loaded =
            build_scene(std::move(scene).value(), [&](std::string_view stage, double) { return keep_going(progress, stage, begin); });
        if (!loaded) return loaded.error();
        BodyProblem problem = body_problem(loaded.value(), T, std::min(longest, T / 2), options.threads);
        auto computed =
            compute_reference(problem,
                              {.target = beta > 0 ? 1e-4 : 1e-5,
                               .budget = reference_budget * std::min(1.0, options.detail),
                               .method = beta > 0 ? "tr-bdf2" : "rk4"},  // rk4's step is out of reach with damping
                              [&](std::string_view stage, double part) { return keep_going(progress, stage, begin + 0.3 * share * part); });
        if (!computed) {
            if (computed.message() == stopped_on_request().message) return computed.error();
            result.notes.push_back(format("kappa_%zu with damping %g s is left out: %.500s", k, beta, computed.message().c_str()));
            continue;
        }
        const Reference& r = computed.value();
        problem.energy_limit = Sweep::lost * r.largest_energy;
        result.notes.push_back(
            format("kappa_%zu: damping %g s, kd = %g N/m, ks = %g N/m, %d particles of %.3g kg altogether, highest frequency %.4g rad/s, "
                   "RMS displacement %.2g m. %s",
                   k, beta, kappas[k], edge_stiffness, problem.system->particles(), problem.system->total_mass(), problem.omega_max,
                   displacement(problem, r.samples), r.explanation().c_str()));
        double done = 0;
        const double total = count_chosen(options);
        for (const Method& method : methods()) {
            if (!chosen(options, method.info.id)) continue;
            Series series{format("%s, kd = %g%s", method.info.id, kappas[k], beta > 0 ? ", damped" : ""),
                          {},
                          static_cast<int>(plot.series.size()),
                          true};
            std::vector<long> parts;
            if (!options.steps.empty()) parts = parts_of(method.info, problem, options);
            const int usual = std::max(2, static_cast<int>(std::lround(sizes * std::min(1.0, options.detail))));
            for (int i = 0; i < usual && options.steps.empty(); ++i) parts.push_back(1L << i);
            const std::size_t runs = parts.size();
            for (std::size_t i = 0; i < runs; ++i) {
                const double from = begin + share * (0.3 + 0.7 * (done + static_cast<double>(i) / static_cast<double>(runs)) / total);
                const auto told = [&](std::string_view, double part) {
                    return keep_going(progress, method.info.id, from + share * 0.7 * part / static_cast<double>(runs) / total);
                };
                const Outcome o = Sweep{problem, r, too_slow * std::min(1.0, options.detail), told}.run(method, problem.options, parts[i]);
                if (o.status == "stopped") return stopped_on_request();
                std::vector<Cell> row = work_precision_row(method.info.id, o);
                row.insert(row.end(), {kappas[k], asked_phi, o.result.phi_path ? o.result.phi_path : "", problem.options.solver.tolerance,
                                       beta, problem.omega_max, "kappa"});
                result.tables[0].rows.push_back(std::move(row));
                if (o.status != "below_reference_accuracy") series.points.emplace_back(o.h, o.status == "ok" ? o.error.position : INFINITY);
                if (o.status == "too_slow" || o.status == "below_reference_accuracy") break;
            }
            plot.series.push_back(std::move(series));
            ++done;
        }
    }
    result.plots.push_back(std::move(plot));
    return {};
}

Result<StudyResult> stiffness(const StudyOptions& options, const Progress& told_by) {
    const Progress progress = never_back(told_by);
    if (auto known = check_integrators(options.integrators); !known) return known.error();
    for (const char* fixed : {"stiffness", "edge_stiffness", "density", "damping", "mass_damping", "spring_damping"})
        if (is_set(options, fixed)) return Error{format("The study stiffness sets %s itself; leave it out of --set.", fixed)};
    StudyResult result;
    std::vector<std::string> columns = work_precision_columns();
    columns.insert(columns.end(), {"stiffness", "phi", "path", "tolerance", "damping", "omega_max", "part"});
    result.tables.push_back({"stiffness", std::move(columns), {}, true});
    result.notes.push_back(
        "Part kappa: the three stiffnesses of the paper, column stiffness is kd in N/m, the density is 3.33e7 kg/m^3 (the paper gives "
        "none). "
        "Part cost: a body whose lower part is stiffer by the factor in the column stiffness.");
    if (auto done = error_against_step(
            options, [&](std::string_view s, double f) { return keep_going(progress, s, 0.5 * f); }, result);
        !done)
        return done.error();
    if (auto done = cost_against_stiffness(
            options, [&](std::string_view s, double f) { return keep_going(progress, s, 0.5 + 0.5 * f); }, result);
        !done)
        return done.error();
    return result;
}

}  // namespace wobble
