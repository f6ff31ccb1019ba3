// The solvers behind the implicit methods, one step of 10 ms on the bunny from the same states: implicit Euler and implicit midpoint.
//   implicit/<method>/<nonlinear>/<linear>: the time of the step and, as `speedup`, how many times longer a step by Newton with a fresh
//   Cholesky
//       factorisation per iteration takes in the same run (medians). `residual` and `residual_fresh`: |G|_W of what each delivered, beside
//       |x - q^ - g v^|_M; `apart`: the distance of the two results in the same measure. `evaluations`: of forces or
//       energies. The states: a few steps after the kick. Start values extrapolated for both.
//   rest_factor/<stiffness>: CG iterations per Newton iteration with the rotated rest factor while the body wobbles gently: it sags under
//       gravity for a second, then gets a tenth of the scene's kick and makes thirty steps.
#include "engine/integrate/extrapolation.h"
#include "engine/integrate/implicit_stage.h"
#include "tests/bench/bunny.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

namespace wobble {
namespace {

constexpr double h = 0.01;

// Implicit Euler (g = h) or the implicit midpoint rule (g = h/2), straight from the stage equation.
class Stepper {
public:
    Stepper(const SolverOptions& options, bool midpoint) : stage_(options), midpoint_(midpoint) {}

    StepReport step(const MechanicalSystem& system, const State& in, State& out) {
        StepReport report;
        const double g = midpoint_ ? h / 2 : h;
        start_.predict(system, in, g, out.q);
        out.v = in.v;
        if (!stage_.solve(system, in.q, in.v, g, out.q, out.v, report)) std::fprintf(stderr, "%s\n", report.message.c_str()), std::exit(1);
        residual = stage_residual(system, in, g, out.q);
        if (midpoint_) out.q = 2 * out.q - in.q, out.v = 2 * out.v - in.v;
        out.t = in.t + h;
        return report;
    }
    // A step made by another method.
    void remember(const MechanicalSystem& system, const State& in) {
        VecX unused = in.q;
        start_.predict(system, in, h, unused);
    }
    double residual = 0;  // of the last step

private:
    static double stage_residual(const MechanicalSystem& system, const State& in, double g, const VecX& x) {
        VecX f(x.size());
        const VecX moved = x - in.q - g * in.v;
        system.elastic_force(x, f);
        VecX G = system.mass().cwiseProduct(moved) - g * g * f;
        if (system.damped()) {
            system.damping_force(x, x - in.q, f);
            G -= g * f;
        }
        system.constraints().project(G);
        return std::sqrt(G.dot(system.inverse_mass().cwiseProduct(G)) / (2 * system.kinetic_energy(moved)));
    }

    ImplicitStage stage_;
    Extrapolation start_;
    bool midpoint_;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

const char* id(LinearSolver kind) {
    for (const auto& info : linear_solvers())
        if (info.kind == kind) return info.id;
    return "";
}
const char* id(NonlinearSolver kind) {
    for (const auto& info : nonlinear_solvers())
        if (info.kind == kind) return info.id;
    return "";
}

// How far two results of one step are apart, beside what the step's forces did.
double distance(const MechanicalSystem& system, const State& in, const State& a, const State& b) {
    const VecX difference = a.q - b.q, moved = b.q - in.q - h * in.v;
    return std::sqrt(system.kinetic_energy(difference) / system.kinetic_energy(moved));
}

void against_cholesky(benchmark::State& run, const Bunny& bunny, bool midpoint, const SolverOptions& options) {
    Stepper cholesky({.tolerance = options.tolerance}, midpoint), other(options, midpoint);
    State state = bunny.state, next = state, ignored = state;
    std::vector<double> times, fresh, apart, residuals, fresh_residuals;
    double newton = 0, linear = 0, evaluations = 0, fresh_newton = 0;
    const int settle = 6;
    for (int n = 0; n < settle; ++n) {
        cholesky.remember(*bunny.system, state);
        other.step(*bunny.system, state, next);
        std::swap(state, next);
    }
    for (auto _ : run) {
        StepReport report, fresh_report;
        fresh.push_back(seconds([&] { fresh_report = cholesky.step(*bunny.system, state, ignored); }));
        times.push_back(seconds([&] { report = other.step(*bunny.system, state, next); }));
        run.SetIterationTime(times.back());
        apart.push_back(distance(*bunny.system, state, next, ignored));
        residuals.push_back(other.residual);
        fresh_residuals.push_back(cholesky.residual);
        evaluations += static_cast<double>(report.force_evaluations);
        newton += report.newton_iterations, linear += report.linear_iterations, fresh_newton += fresh_report.newton_iterations;
        std::swap(state, next);
    }
    const double steps = static_cast<double>(times.size());
    run.counters["speedup"] = median(fresh) / median(times);
    run.counters["fresh_ms"] = 1e3 * median(fresh);
    run.counters["median_ms"] = 1e3 * median(times);
    run.counters["newton"] = newton / steps;
    run.counters["newton_fresh"] = fresh_newton / steps;
    run.counters["cg_per_newton"] = linear / newton;
    run.counters["evaluations"] = evaluations / steps;
    run.counters["apart"] = median(apart);
    run.counters["residual"] = median(residuals);
    run.counters["residual_fresh"] = median(fresh_residuals);
}

void gentle_wobble(benchmark::State& run, const Bunny& bunny, bool midpoint, double stiffness) {
    MechanicalSystem& system = *bunny.system;
    const Material before = system.material();
    Material material = before;
    material.stiffness = stiffness;
    material.edge_stiffness = stiffness / 10;
    system.set_material(material);
    const SolverOptions options{.nonlinear = NonlinearSolver::inexact, .linear = LinearSolver::cg_rest};
    State state = bunny.state, next = state;
    state.v.setZero();
    Stepper settling(options, false), wobbling(options, midpoint);
    long settling_factors = 0;
    for (int n = 0; n < 100; ++n) settling_factors += settling.step(system, state, next).factorizations, std::swap(state, next);
    const double sag = (state.q - system.rest()).cwiseAbs().maxCoeff();
    bunny.kick(state, 0.1);
    double newton = 0, linear = 0, factors = 0, most = 0, steps = 0;
    for (auto _ : run) {
        StepReport report;
        run.SetIterationTime(seconds([&] { report = wobbling.step(system, state, next); }));
        newton += report.newton_iterations, linear += report.linear_iterations, factors += static_cast<double>(report.factorizations);
        if (report.newton_iterations > 0) most = std::max(most, static_cast<double>(report.linear_iterations) / report.newton_iterations);
        ++steps;
        std::swap(state, next);
    }
    run.counters["cg_per_newton"] = linear / newton;
    run.counters["most_in_a_step"] = most;
    run.counters["newton"] = newton / steps;
    run.counters["factorizations"] = factors;
    run.counters["while_settling"] = static_cast<double>(settling_factors);
    run.counters["sag_m"] = sag;
    system.set_material(before);
}

}  // namespace

void add_implicit_benchmarks(const Bunny& bunny) {
    const auto add = [](const std::string& name, int steps, auto body) {
        benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(steps);
    };
    for (const bool midpoint : {false, true}) {
        const std::string method = midpoint ? "/midpoint" : "/euler";
        const auto compare = [&](NonlinearSolver nonlinear, LinearSolver linear) {
            add("implicit" + method + "/" + id(nonlinear) + "/" + id(linear), 5,
                [=, &bunny](benchmark::State& run) { against_cholesky(run, bunny, midpoint, {.nonlinear = nonlinear, .linear = linear}); });
        };
        for (const LinearSolver linear : {LinearSolver::cg_block, LinearSolver::cg_rest})
            for (const NonlinearSolver nonlinear : {NonlinearSolver::newton, NonlinearSolver::inexact, NonlinearSolver::superlinear})
                compare(nonlinear, linear);
        for (const LinearSolver linear : {LinearSolver::cg, LinearSolver::cg_diagonal, LinearSolver::cg_ssor, LinearSolver::cg_incomplete})
            compare(NonlinearSolver::inexact, linear);
        compare(NonlinearSolver::simplified, LinearSolver::cholesky);
        for (const double stiffness : {1e4, 1e5, 1e6, 1e7, 1e8}) {
            char text[16];
            std::snprintf(text, sizeof text, "/%.0e", stiffness);
            add("rest_factor" + method + text, 30, [=, &bunny](benchmark::State& run) { gentle_wobble(run, bunny, midpoint, stiffness); });
        }
    }
}

}  // namespace wobble
