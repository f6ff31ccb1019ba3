#include "engine/study/reference.h"

#include "engine/integrate/methods.h"
#include "engine/study/study.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

namespace {

constexpr double rounding = 1e-11;  // of the body's size: motion below it is none

double size_of(const VecX& q) {
    Vec3 low = particle(q, 0), high = low;
    for (int i = 1; i < q.size() / 3; ++i) low = low.cwiseMin(particle(q, i)), high = high.cwiseMax(particle(q, i));
    return (high - low).norm();
}

void estimate(Reference& r) {
    const double p = r.observed_order == 0 ? 1 : std::clamp(r.observed_order, 0.5, static_cast<double>(r.order));
    const double smaller = 1 / (std::exp2(std::isfinite(p) ? p : 0.5) - 1);
    r.estimated_error = {smaller * r.self_error.position, smaller * r.self_error.velocity};
}

}  // namespace

bool Reference::asymptotic() const { return std::abs(observed_order - order) < 1; }

std::string Reference::explanation() const {
    char text[600], end[400];
    std::snprintf(
        text, sizeof text,
        "Reference: %s with h = %.3g s; against the same with twice that step its positions differ by %.2g and its velocities by %.2g "
        "(relative)%s.",
        method.c_str(), h, self_error.position, self_error.velocity,
        reached_target ? "" : ", not better because the budget for it was used up");
    if (asymptotic())
        std::snprintf(end, sizeof end, " Differences fell with order %.2f (%s has %d), so its own errors are about %.1g and %.1g.",
                      observed_order, method.c_str(), order, estimated_error.position, estimated_error.velocity);
    else if (observed_order == 0)
        std::snprintf(
            end, sizeof end,
            " Only two runs were affordable, so its order was not observed: trust no position error below %.1g and no velocity error below "
            "%.1g.",
            10 * estimated_error.position, 10 * estimated_error.velocity);
    else
        std::snprintf(end, sizeof end,
                      " Differences fell with order %.2f instead of %d: the reference is not in its asymptotic range; trust no position "
                      "error below %.1g and no velocity error below %.1g.",
                      observed_order, order, 10 * estimated_error.position, 10 * estimated_error.velocity);
    return std::string(text) + end;
}

Result<Reference> compute_reference(const BodyProblem& problem, const ReferenceOptions& options, const Progress& progress) {
    const Method* method = find_method(options.method);
    Reference reference;
    reference.method = method->info.id;
    reference.order = method->info.order;
    const auto told = [&](std::string_view, double part) { return keep_going(progress, "reference", part); };
    long parts = std::max(1L, static_cast<long>(std::ceil(2 * problem.H / problem.stability_limit(method->info))));
    double spent = 0, last_difference = 0;
    Trajectory coarser;
    for (bool first = true;; parts *= 2) {
        SampledRun run = sample(problem, *method->make(problem.options), parts, std::max(1.0, options.budget), told);
        if (run.result.status == "stopped") return stopped_on_request();
        spent += run.result.seconds;
        if (run.result.status == "too_slow") {  // what was reached before is the reference
            if (reference.self_error.position > 0) break;
            char text[300];
            std::snprintf(
                text, sizeof text,
                "The reference motion could not be computed: %s with h = %.3g s needs more than its budget of %.3g s; shorten the "
                "run with --seconds, or lower the resolution, the stiffness or the damping.",
                reference.method.c_str(), problem.H / static_cast<double>(parts), options.budget);
            return Error{text};
        }
        const bool affordable = spent + 2 * run.result.seconds <= options.budget;
        if (!run.result.ok()) {  // a step too long for the motion
            if (!affordable || spent > options.budget)
                return Error{"The reference motion could not be computed: " + reference.method +
                             " diverges at every step the budget allows; "
                             "shorten the run with --seconds, or lower the stiffness or the damping."};
            first = true;
            continue;
        }
        if (!(displacement(problem, run.samples) > rounding * size_of(problem.start.q)))
            return Error{
                "The body does not move, so there is nothing to compare: set gravity (--set gravity=9.81), or give the scene an initial "
                "velocity, wind or moving pins."};
        reference.h = problem.H / static_cast<double>(parts);
        reference.seconds = run.result.seconds;
        reference.largest_energy = run.largest_energy;
        if (!first) {
            reference.self_error = difference(problem, coarser, run.samples);
            if (last_difference > 0) reference.observed_order = std::log2(last_difference / reference.self_error.position);
            estimate(reference);
            last_difference = reference.self_error.position;
            reference.reached_target = reference.self_error.position <= options.target;
        }
        coarser = std::move(run.samples);
        const bool done = reference.reached_target && reference.observed_order != 0;  // a third run tells the order
        if (!first && (done || !affordable)) break;
        first = false;  // two runs at least, whatever they cost
    }
    reference.samples = std::move(coarser);
    return reference;
}

}  // namespace wobble
