#include "engine/study/reference.h"

#include "engine/integrate/methods.h"
#include "engine/study/study.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wobble {

std::string Reference::explanation() const {
    char text[500];
    std::snprintf(
        text, sizeof text,
        "Reference: %s with h = %.3g s; against the same with twice that step its positions differ by %.2g and its velocities by %.2g "
        "(relative)%s.",
        method.c_str(), h, self_error.position, self_error.velocity,
        reached_target ? "" : ", not better because the budget for it was used up");
    return text;
}

Result<Reference> compute_reference(const BodyProblem& problem, const ReferenceOptions& options, const Progress& progress) {
    const Method* method = find_method("rk4");
    if (!method) method = find_method("verlet");
    Reference reference;
    reference.method = method->info.id;
    const auto told = [&](std::string_view, double part) { return keep_going(progress, "reference", part); };
    long parts = std::max(1L, static_cast<long>(std::ceil(2 * problem.H / problem.stability_limit(method->info))));
    double spent = 0, last_difference = 0;
    Trajectory coarser;
    for (bool first = true;; parts *= 2) {
        SampledRun run = sample(problem, *method->make(problem.options), parts, 1e300, told);
        if (run.march.status == "stopped") return stopped_on_request();
        spent += run.march.seconds;
        const bool affordable = spent + 2 * run.march.seconds <= options.budget;
        if (!run.march.ok()) {  // a step too long for the motion
            if (!affordable || spent > options.budget)
                return Error{"The reference motion could not be computed: " + reference.method +
                             " diverges at every step the budget allows; "
                             "shorten the run with --seconds, or lower the stiffness or the damping."};
            first = true;
            continue;
        }
        reference.h = problem.H / static_cast<double>(parts);
        reference.seconds = run.march.seconds;
        reference.largest_energy = run.largest_energy;
        if (!first) {
            reference.self_error = difference(problem, coarser, run.samples);
            if (last_difference > 0) reference.observed_order = std::log2(last_difference / reference.self_error.position);
            last_difference = reference.self_error.position;
            reference.reached_target = reference.self_error.position <= options.target;
        }
        coarser = std::move(run.samples);
        if (!first && (reference.reached_target || !affordable)) break;
        first = false;  // two runs at least, whatever they cost
    }
    reference.samples = std::move(coarser);
    return reference;
}

}  // namespace wobble
