#include "engine/study/body_problem.h"

#include "engine/sim/system_factory.h"

#include <algorithm>
#include <cmath>

namespace wobble {

bool BodyProblem::sampled(long coarse_step) const {
    const long first = (coarse_steps + 1) / 2, stride = std::max(1L, (coarse_steps - first) / 32);
    return coarse_step >= first && (coarse_steps - coarse_step) % stride == 0;
}

double BodyProblem::stability_limit(const MethodInfo& method) const {
    if (method.family != Family::explicit_classical) return INFINITY;
    // Methods that grow at every step on the imaginary axis have a tiny limit in the table; what matters here is where they break down.
    const double d = (system->alpha() + system->rayleigh_beta() * omega_max * omega_max) / method.real_limit;
    const double omega = omega_max / std::max(method.imaginary_limit, 0.3);
    return d > 0 || omega > 0 ? 2 / (d + std::sqrt(d * d + 4 * omega * omega)) : INFINITY;
}

void set_interval(BodyProblem& problem, double T, double longest) {
    problem.coarse_steps = std::max(2L, std::lround(T / longest));
    problem.H = T / static_cast<double>(problem.coarse_steps);
}

BodyProblem body_problem(std::shared_ptr<const LoadedScene> loaded, double T, double longest, int threads) {
    BodyProblem problem;
    problem.system = make_system(*loaded, make_workers(*loaded, threads));
    problem.options = integrator_options(loaded->scene);
    problem.start = initial_state(*loaded, *problem.system);
    problem.drivers = make_drivers(*loaded);
    problem.omega_max = highest_frequency(*loaded, *problem.system);
    problem.scene = std::move(loaded);
    set_interval(problem, T, longest);
    return problem;
}

SampledRun sample(const BodyProblem& problem, Integrator& integrator, long parts, double too_slow, const Progress& progress) {
    SampledRun run;
    const double h = problem.H / static_cast<double>(parts);
    const long steps = problem.coarse_steps * parts;
    Drivers drivers = problem.drivers;
    long begun = 0;
    const auto drive = [&](State& state, double) {
        if (begun++ % parts != 0) return;
        drivers.begin(*problem.system, state, problem.H);
        if (problem.driven()) integrator.reset();
    };
    const auto watch = [&](long n, const State& s, const FixedRun& so_far) -> const char* {
        if (!keep_going(progress, "", static_cast<double>(n) / static_cast<double>(steps))) return "stopped";
        if (so_far.seconds > too_slow) return "too_slow";
        if (n % parts != 0) return nullptr;
        const double energy = problem.system->kinetic_energy(s.v) + problem.system->elastic_energy(s.q);
        run.largest_energy = std::max(run.largest_energy, energy);
        if (!std::isfinite(energy) || (problem.energy_limit > 0 && energy > problem.energy_limit)) return "diverged";
        if (problem.sampled(n / parts)) run.samples.q.push_back(s.q), run.samples.v.push_back(s.v);
        return nullptr;
    };
    run.result = integrate_fixed(*problem.system, integrator, problem.start, h, steps, watch, drive);
    return run;
}

double displacement(const BodyProblem& problem, const Trajectory& run) {
    const VecX& W = problem.system->inverse_mass();
    double moved = 0, count = 0;
    for (const VecX& q : run.q)
        for (Eigen::Index k = 0; k < W.size(); ++k)
            if (W[k] != 0) moved += (q[k] - problem.start.q[k]) * (q[k] - problem.start.q[k]), ++count;
    return count > 0 ? std::sqrt(moved / count) : 0;
}

TrajectoryError difference(const BodyProblem& problem, const Trajectory& run, const Trajectory& reference) {
    if (run.q.size() != reference.q.size() || run.q.empty()) return {NAN, NAN};
    double dq = 0, dv = 0, moved = 0, speed = 0;
    const VecX& W = problem.system->inverse_mass();
    for (std::size_t s = 0; s < run.q.size(); ++s)
        for (Eigen::Index k = 0; k < W.size(); ++k) {
            if (W[k] == 0) continue;
            const double eq = run.q[s][k] - reference.q[s][k], ev = run.v[s][k] - reference.v[s][k];
            const double u = reference.q[s][k] - problem.start.q[k], v = reference.v[s][k];
            dq += eq * eq, dv += ev * ev, moved += u * u, speed += v * v;
        }
    return {std::sqrt(dq / moved), std::sqrt(dv / speed)};
}

}  // namespace wobble
