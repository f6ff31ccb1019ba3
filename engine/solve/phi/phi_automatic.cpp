#include "engine/solve/phi/phi_automatic.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wobble {

namespace {

double lowest_tolerance(std::span<const PhiNode> nodes) {
    double tolerance = 1;
    for (const PhiNode& node : nodes) tolerance = std::min(tolerance, node.tolerance);
    return tolerance;
}

// What both attempts together have cost; the rest is that of the second.
PhiReport both(const PhiReport& first, PhiReport second) {
    second.products += first.products;
    second.solves += first.solves;
    second.factorizations += first.factorizations;
    return second;
}

}  // namespace

AutomaticPhi::Cost AutomaticPhi::lanczos_cost(const Linearized& system, double h, int columns) const {
    const double omega = omega_.value();
    double m = 0.53 * h * omega + 3;
    if (system.beta * omega > 2) {
        m = 3.1 * std::sqrt(h * system.beta) * omega + 5;
        m *= std::max(1.0, m / 128);
    }
    m *= lanczos_correction_;
    const double step = (0.7 + 0.3 * columns) * static_cast<double>(system.K.bytes()) / product_rate;
    return {m, m * (step + columns * (system.damped() ? damped_ritz_seconds : ritz_seconds))};
}

bool AutomaticPhi::factor_allowed(const BlockPattern& pattern) const {
    const bool solid = pattern.blocks() > 10L * pattern.rows();  // tets have 13 to 15 blocks per row, sheets and fibres fewer
    return !solid || pattern.rows() <= max_solid_rows;
}

double AutomaticPhi::rational_steps(double tolerance, bool damped) const {
    const double digits = std::log10(1 / std::clamp(tolerance, 1e-14, 0.1));
    return damped ? 4 + 0.7 * digits : 20 * digits;
}

// What a basis may have.
double AutomaticPhi::most_rational_steps(int columns) const {
    return std::min(RationalBasis::most_steps(std::max(1, columns)), max_unknowns_);
}

// m_r as learnt, within that.
double AutomaticPhi::rational_dimension(const Linearized& system, double tolerance, int columns) const {
    const double m = rational_correction_ * rational_steps(tolerance, damped(system));
    return std::min(std::max(m, 4.0), most_rational_steps(columns));
}

// To orthogonalise d vectors of n unknowns, multiply them by K, and solve eigenproblems of growing size.
double AutomaticPhi::basis_seconds(const Linearized& system, double d) const {
    const double n = static_cast<double>(system.mass.size());
    return (14 * n + 18 * d) * d * d / factor_rate + d * static_cast<double>(system.K.bytes()) / product_rate;
}

double AutomaticPhi::rational_vectors(const Linearized& system, double steps, int columns) const {
    return std::min(columns * steps, static_cast<double>(system.mass.size()));
}

// Solves and basis alone, with a factor as sparse as K: what no analysis can make less of.
double AutomaticPhi::least_rational_seconds(const Linearized& system, double tolerance, int columns) const {
    const double vectors = rational_vectors(system, rational_dimension(system, tolerance, columns), columns);
    return vectors * 16 * (4.5 * system.K.pattern().blocks()) / solve_rate + basis_seconds(system, vectors);
}

AutomaticPhi::Cost AutomaticPhi::rational_cost(const Linearized& system, double tolerance, int columns) {
    const double m = rational_dimension(system, tolerance, columns), d = rational_vectors(system, m, columns);
    const double doubt = rational_correction_ * rational_steps(tolerance, damped(system)) > most_rational_steps(columns) ? 4 : 1;
    if (!factor_allowed(system.K.pattern())) return {m, HUGE_VAL};
    ShiftedFactor& factor = rational_.get([&] { return std::make_unique<RationalPhi>(max_unknowns_); }).factor();
    factor.analyze(system.K.pattern());
    if (8 * factor.nonzeros() > max_factor_bytes) return {m, HUGE_VAL};
    return {m, doubt * (factor.flops() / factor_rate + d * 16 * factor.nonzeros() / solve_rate + basis_seconds(system, d))};
}

// All eigenvectors, where they cost less than Lanczos would; otherwise it does not converge, at once.
PhiReport AutomaticPhi::run_modes(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes,
                                  const Cost& lanczos) {
    const double n = static_cast<double>(system.mass.size());
    if (n > ModesPhi::max_unknowns || !(10 * n * n * n / factor_rate < lanczos.seconds)) return {.converged = false};
    if (!modes_) modes_ = std::make_unique<ModesPhi>();
    PhiReport report = modes_->evaluate(system, terms, nodes);
    report.predicted_dimension = static_cast<int>(n);
    return report;
}

PhiReport AutomaticPhi::run_lanczos(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes,
                                    const Cost& cost) {
    if (const PhiReport modes = run_modes(system, terms, nodes, cost); modes.converged) return modes;
    const double predicted = cost.dimension;
    if (!lanczos_) lanczos_ = std::make_unique<LanczosPhi>(LanczosPhi::dimension_for(max_unknowns_));
    PhiReport report = lanczos_->evaluate(system, terms, nodes);
    const double steps = static_cast<double>(report.products) / std::max<std::size_t>(1, columns_.size());
    if (report.converged && steps > 0 && predicted > 0)
        lanczos_correction_ = std::clamp(lanczos_correction_ * steps / predicted, 0.1, 10.0);
    report.predicted_dimension = static_cast<int>(std::min(predicted, 1e9));
    return report;
}

PhiReport AutomaticPhi::run_rational(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes,
                                     double predicted) {
    PhiReport report = rational_->evaluate(system, terms, nodes);
    if (report.converged) {
        if (report.dimension > 0) rational_correction_ = std::clamp(rational_correction_ * report.dimension / predicted, 0.1, 10.0);
        if (lowest_tolerance(nodes) <= failed_tolerance_) next_pause_ = 1;
    } else {
        failed_tolerance_ = lowest_tolerance(nodes);
        rational_pause_ = next_pause_;
        next_pause_ = std::min(64, 2 * next_pause_);
    }
    report.predicted_dimension = static_cast<int>(predicted);
    return report;
}

PhiReport AutomaticPhi::run_relaxed(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes, int columns,
                                    const Cost& lanczos) {
    PhiReport report{.converged = false, .path = "rational"};
    double highest = 0;
    for (const PhiNode& node : nodes) highest = std::max(highest, node.tolerance);
    const double lowest = lowest_tolerance(nodes);
    const int pause = rational_pause_;
    bool waited = false, modes_tried = false;
    for (const double loosest : {0.0, visible_tolerance, 10 * visible_tolerance}) {
        const double factor = loosest > 0 ? loosest / highest : 1, tolerance = factor * lowest;
        if (loosest > 0 && factor <= 1) continue;
        if (loosest > 0 && !std::exchange(modes_tried, true))  // before anything is given up
            if (const PhiReport modes = run_modes(system, terms, nodes, lanczos); modes.converged) return both(report, modes);
        if (factor > 1 && rational_steps(tolerance, damped(system)) > most_rational_steps(columns)) continue;
        // Asking for more than it has ever reached is a wasted basis: fast oscillation needs all of its dimensions.
        if (paused(tolerance)) {
            waited = true;
            continue;
        }
        relaxed_.assign(nodes.begin(), nodes.end());
        for (PhiNode& node : relaxed_) node.tolerance *= factor;
        PhiReport next = run_rational(system, terms, relaxed_, rational_cost(system, tolerance, columns).dimension);
        next.loosened = factor;
        report = both(report, next);
        if (report.converged || system.workers.stop_requested()) break;
    }
    if (waited && rational_pause_ == pause) --rational_pause_;
    return report;
}

PhiReport AutomaticPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    if (!system.rayleigh()) {
        if (!kiops_) kiops_ = std::make_unique<KiopsPhi>();
        return kiops_->evaluate(system, terms, nodes);
    }
    collect_columns(terms, columns_);
    const int columns = static_cast<int>(columns_.size());
    const double tolerance = lowest_tolerance(nodes);
    omega_.follow(system);
    const Cost lanczos = lanczos_cost(system, nodes.back().t, columns);
    Cost rational{0, HUGE_VAL};
    // The analysis takes as long as tens of steps: it has to have a chance.
    const bool chance = least_rational_seconds(system, tolerance, columns) < lanczos.seconds || !std::isfinite(lanczos.seconds);
    if (!(lanczos.dimension < worth_analysis) && chance) rational = rational_cost(system, tolerance, columns);
    const double visible = std::max(tolerance, visible_tolerance);
    if (lanczos.dimension > hopeless && rational.seconds < HUGE_VAL && rational_cost(system, visible, columns).seconds < lanczos.seconds) {
        const PhiReport report = run_relaxed(system, terms, nodes, columns, lanczos);
        if (report.converged || system.workers.stop_requested()) return report;
        return both(report, run_lanczos(system, terms, nodes, lanczos));
    }
    const bool waiting = paused(tolerance);
    if (waiting) --rational_pause_;

    if (rational.seconds < lanczos.seconds && !waiting) {
        const PhiReport report = run_rational(system, terms, nodes, rational.dimension);
        if (report.converged || system.workers.stop_requested()) return report;
        return both(report, run_lanczos(system, terms, nodes, lanczos));
    }
    const PhiReport report = run_lanczos(system, terms, nodes, lanczos);
    if (report.converged || system.workers.stop_requested()) return report;
    if (rational.seconds == HUGE_VAL && !chance) rational = rational_cost(system, tolerance, columns);  // dear, but there is nothing else
    if (rational.seconds == HUGE_VAL) return report;
    return both(report, run_rational(system, terms, nodes, rational.dimension));
}

void AutomaticPhi::solver_state(SavedSolverState& numbers) {
    omega_.solver_state(numbers);
    numbers(lanczos_correction_), numbers(rational_correction_);
    numbers(failed_tolerance_), numbers(rational_pause_), numbers(next_pause_);
    rational_.solver_state(numbers, [&] { return std::make_unique<RationalPhi>(max_unknowns_); });
}

}  // namespace wobble
