#include "engine/study/march.h"

#include <chrono>

namespace wobble {

const char* status_word(StepStatus status) {
    switch (status) {
        case StepStatus::ok:
            return "ok";
        case StepStatus::not_finite:
        case StepStatus::energy_guard:
            return "diverged";
        case StepStatus::newton_diverged:
            return "newton_diverged";
        case StepStatus::cg_stagnated:
            return "cg_stagnated";
        case StepStatus::krylov_stagnated:
            return "krylov_stagnated";
        case StepStatus::factorization_failed:
            return "factorization_failed";
        case StepStatus::out_of_memory:
            return "out_of_memory";
    }
    return "failed";
}

March march(const MechanicalSystem& system, Integrator& integrator, const State& start, double h, long steps, const AfterStep& after,
            const BeforeStep& before) {
    using Clock = std::chrono::steady_clock;
    March run;
    State now = start, next = start;
    integrator.reset();
    for (long n = 1; n <= steps; ++n) {
        if (before) before(now, h);
        const auto begin = Clock::now();
        const StepReport report = integrator.step(system, now, h, next);
        run.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        run.operator_products += report.operator_products;
        run.force_evaluations += report.force_evaluations;
        run.factorizations += report.factorizations;
        run.newton_iterations += report.newton_iterations;
        if (!report.ok()) {
            run.status = status_word(report.status);
            run.message = report.message;
            break;
        }
        if (!next.q.allFinite() || !next.v.allFinite()) {
            run.status = "diverged";
            break;
        }
        std::swap(now, next);
        now.t = start.t + static_cast<double>(n) * h;  // no sum of rounding errors over a million steps
        run.steps = n;
        if (const char* ended = after ? after(n, now, run) : nullptr) {
            run.status = ended;
            break;
        }
    }
    run.end = std::move(now);
    return run;
}

}  // namespace wobble
