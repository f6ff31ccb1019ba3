#include "engine/study/sweep.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr double timed = 0.05;   // s: shorter runs are repeated until they took that together, and the best counts
constexpr int repetitions = 20;  // at most
constexpr int explicit_sizes = 6, sizes = 8;
constexpr double safe = 0.95;  // of the limit

}  // namespace

Outcome Sweep::run(const Method& method, const IntegratorOptions& options, long parts) const {
    Outcome o;
    o.h = problem.H / static_cast<double>(parts);
    o.steps = problem.coarse_steps * parts;
    double together = 0;
    for (int repeat = 0; repeat < repetitions; ++repeat) {
        SampledRun run = sample(problem, *method.make(options), parts, too_slow, progress);
        if (run.result.status == "stopped") {
            o.status = "stopped";
            return o;
        }
        together += run.result.seconds;
        if (repeat == 0) {
            o.result = std::move(run.result);
            o.status = o.result.status;
            if (o.result.ok()) o.error = difference(problem, run.samples, reference.samples);
            const bool wrong = o.error.position > 1 || o.error.velocity > 1;
            if (wrong && run.largest_energy > suspect * reference.largest_energy) o.status = "diverged", o.error = {NAN, NAN};
        } else {
            o.result.seconds = std::min(o.result.seconds, run.result.seconds);
        }
        if (o.status != "ok" || together > timed) break;
    }
    const TrajectoryError known{trusted * reference.estimated_error.position, trusted * reference.estimated_error.velocity};
    if (o.status == "ok" && (o.error.position < known.position || o.error.velocity < known.velocity)) o.status = "below_reference_accuracy";
    return o;
}

bool Sweep::time_again(const Method& method, const IntegratorOptions& options, long parts, double& seconds) const {
    const SampledRun run = sample(problem, *method.make(options), parts, too_slow, progress);
    if (run.result.status == "stopped") return false;
    if (run.result.ok()) seconds = std::min(seconds, run.result.seconds);
    return true;
}

long stable_parts(const MethodInfo& method, const BodyProblem& problem) {
    return std::max(1L, static_cast<long>(std::ceil(problem.H / (safe * problem.stability_limit(method)))));
}

std::vector<long> parts_of(const MethodInfo& method, const BodyProblem& problem, const StudyOptions& options) {
    std::vector<long> parts;
    for (const double h : options.steps) parts.push_back(std::max(1L, std::lround(problem.H / h)));
    if (!parts.empty()) {
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        return parts;
    }
    const bool bounded = std::isfinite(problem.stability_limit(method));
    long first = 1;
    if (bounded)  // one step beyond the limit, to see it break, then into the stable range
        while (problem.H / static_cast<double>(first) > 2 * problem.stability_limit(method)) first *= 2;
    const int count = std::max(2, static_cast<int>(std::lround((bounded ? explicit_sizes : sizes) * options.detail)));
    for (int k = 0; k < count; ++k) parts.push_back(first << k);
    if (bounded) {
        parts.push_back(stable_parts(method, problem));
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    }
    return parts;
}

std::vector<std::string> work_precision_columns() {
    return {"integrator",        "h",      "position_error", "velocity_error",    "seconds", "operator_products",
            "force_evaluations", "status", "factorizations", "newton_iterations", "steps"};
}

std::vector<Cell> work_precision_row(const char* integrator, const Outcome& o) {
    return {integrator,
            o.h,
            o.error.position,
            o.error.velocity,
            o.result.seconds,
            o.result.operator_products,
            o.result.force_evaluations,
            o.status,
            o.result.factorizations,
            o.result.newton_iterations,
            o.steps};
}

ErrorAndCost priced(const Outcome& o, const Reference& reference) {
    const bool unknown = o.status == "below_reference_accuracy";
    return {o.h, o.error.position, o.result.seconds, o.status == "ok" || unknown, unknown ? reference.estimated_error.position : 0};
}

}  // namespace wobble
