#include "engine/study/march.h"

#include "engine/sim/status_name.h"

#include <chrono>

namespace wobble {

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
            run.status = status_name(report.status);
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
