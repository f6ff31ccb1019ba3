#include "engine/study/integrate_fixed.h"

#include "engine/sim/status_name.h"

#include <chrono>
#include <cmath>

namespace wobble {

namespace {

using Clock = std::chrono::steady_clock;

// One step from begin to end; `changed`: what the method knows of the state it reached is no longer so.
StepReport timed_step(MechanicalSystem& system, Integrator& integrator, const State& now, double h, State& next, bool& changed,
                      FixedRun& run) {
    system.begin_step(now, h);
    next.internal = now.internal;
    const auto begin = Clock::now();
    StepReport report = integrator.step(system, now, h, next);
    run.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    run.operator_products += report.operator_products;
    run.force_evaluations += report.force_evaluations;
    run.factorizations += report.factorizations;
    run.newton_iterations += report.newton_iterations;
    run.phi_path = report.phi_path;
    changed = report.ok() && system.end_step(now, next).changed;
    return report;
}

}  // namespace

FixedRun integrate_fixed(MechanicalSystem& system, Integrator& integrator, const State& start, double h, long steps, const AfterStep& after,
                         const BeforeStep& before) {
    FixedRun run;
    State now = start, next = start;
    bool changed = false;
    integrator.reset();
    for (long n = 1; n <= steps; ++n) {
        if (before) before(now, h);
        const StepReport report = timed_step(system, integrator, now, h, next, changed, run);
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
        if (changed) integrator.reset();
        now.t = start.t + static_cast<double>(n) * h;  // no sum of rounding errors over a million steps
        run.steps = n;
        if (const char* ended = after ? after(n, now, run) : nullptr) {
            run.status = ended;
            break;
        }
    }
    system.set_internal(now.internal);  // also after a refused step
    run.end = std::move(now);
    return run;
}

FixedRun integrate_controlled(MechanicalSystem& system, Integrator& integrator, const State& start, double end, double longest,
                              StepController control, const AfterStep& after) {
    FixedRun run;
    State now = start, next = start;
    bool changed = false;
    integrator.reset();
    while (now.t < end - 1e-9 * longest) {
        // Equal parts of what is left, so that the last step is not a splinter.
        const double left = end - now.t, h = left / std::ceil(left / control.next(longest) - 1e-9);
        const StepReport report = timed_step(system, integrator, now, h, next, changed, run);
        const bool good = report.ok() && next.q.allFinite() && next.v.allFinite();
        if (!good || !control.accept(report, h)) {
            if (!good) control.failed(h);
            integrator.rejected();
            ++run.rejected;
            if (control.next(longest) > longest / 1000) continue;
            run.status = report.ok() ? "diverged" : status_name(report.status);
            run.message = report.message;
            break;
        }
        const double t = now.t + h;
        std::swap(now, next);
        if (changed) integrator.reset();
        now.t = t;
        ++run.steps;
        if (const char* ended = after ? after(run.steps, now, run) : nullptr) {
            run.status = ended;
            break;
        }
    }
    system.set_internal(now.internal);  // also after a refused step
    run.end = std::move(now);
    return run;
}

}  // namespace wobble
