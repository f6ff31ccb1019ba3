#include "engine/solve/phi/phi_leapfrog.h"

#include <algorithm>

namespace wobble {

constexpr double dearer_stage = 1.25;  // than a substep of leapfrog: Chebyshev's 10 to 15 % in time, and both are less accurate

bool LeapfrogPhi::run(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes, PhiReport& report) {
    const double omega = omega_.value(), t = nodes.back().t;
    const double leapfrog = t / leapfrog_.longest(system, omega), disc = disc_.products(system, omega, t),
                 chebyshev = chebyshev_.products(system, omega, t), fewest = std::min({leapfrog, disc, chebyshev});
    if (!(fewest <= most_products)) return false;
    const auto by = [&](auto& flow, const char* path) {
        report.path = path;
        return wobble::run(flow, state_, system, omega, terms, nodes, report);
    };
    if (leapfrog <= dearer_stage * fewest) return by(leapfrog_, "leapfrog");
    return disc <= chebyshev ? by(disc_, "disc") : by(chebyshev_, "chebyshev");
}

PhiReport LeapfrogPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    const bool on_positions = std::any_of(terms.begin(), terms.end(), [](const PhiTerm& term) { return term.k > 0 && term.x; });
    PhiReport report{.path = "leapfrog"};
    // Pins that slide are of small systems, whose motion is known: there the evaluator is exact.
    if (resting_ > 0) {
        --resting_;
    } else if (system.rayleigh() && system.edges && !on_positions && !(system.projector && !system.projector->any_contact())) {
        omega_.follow(system);
        if (run(system, terms, nodes, report)) return report;
        if (report.products > 0 && !system.workers.stop_requested()) {
            const double before = omega_.value();
            omega_.measure(system);
            if (omega_.value() > 1.01 * before && run(system, terms, nodes, report)) return report;
            resting_ = rest;
        }
        if (system.workers.stop_requested()) return {.converged = false};
    }
    PhiReport other = otherwise_->evaluate(system, terms, nodes);
    other.products += report.products;
    return other;
}

}  // namespace wobble
