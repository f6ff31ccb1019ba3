#include "engine/solve/linear/step_matrix_solver.h"

namespace wobble {

using Outcome = LinearReport::Outcome;

StepMatrixSolver::StepMatrixSolver(const MechanicalSystem& system, LinearSolver kind)
    : asked_(kind),
      kind_(kind == LinearSolver::automatic ? LinearSolver::cg_block : kind),
      system_(&system),
      A_(system.pattern()),
      minus_G_(VecX::Zero(3 * system.particles())),
      none_(system.workers()),
      diagonal_(system.workers()),
      block_(system.workers()) {
    if (kind == LinearSolver::cholesky) cholesky_.emplace(*system.pattern());
    if (kind == LinearSolver::cg_rest) rest_.emplace(system.workers(), *system.pattern(), system.fixed_pattern());
}

int StepMatrixSolver::iteration_limit(LinearSolver kind, int unknowns) {
    const int past_hope = 5 * unknowns + 50;
    switch (kind) {
        case LinearSolver::cg_ssor:
        case LinearSolver::cg_incomplete:
            return std::min(2000, past_hope);
        case LinearSolver::cg_rest:
            return std::min(100, past_hope);  // each costs a back-solve, a hundred times a product
        default:
            return std::min(5000, past_hope);
    }
}

void StepMatrixSolver::assemble(const VecX& q) {
    system_->step_matrix(q, 1, g_ * g_, g_, A_);
    system_->constraints().eliminate(system_->workers(), A_);
}

void StepMatrixSolver::choose() {
    if (asked_ != LinearSolver::automatic || chosen_for_.describes(*system_, g_, 0.1)) return;
    kind_ = LinearSolver::cg_block;
    chosen_for_ = StepKey(*system_, g_);
}

void StepMatrixSolver::forget_choice() {
    kind_ = asked_ == LinearSolver::automatic ? LinearSolver::cg_block : asked_;
    chosen_for_.g = 0;
    rest_key_ = {}, surplus_ = 0;
}

void StepMatrixSolver::solver_state(SavedSolverState& numbers) {
    int kind = static_cast<int>(kind_);
    double g = chosen_for_.g;
    numbers(kind), numbers(g);
    if (!numbers.reads()) return;
    kind_ = static_cast<LinearSolver>(kind);
    chosen_for_ = g > 0 ? StepKey(*system_, g) : StepKey();  // a change of material or pins would have reset it
    rest_key_ = {}, surplus_ = 0;
    if (kind_ == LinearSolver::cg_rest && !rest_) rest_.emplace(system_->workers(), *system_->pattern(), system_->fixed_pattern());
}

// Factors are analysed for one pattern, which varying pairs change.
void StepMatrixSolver::follow_pattern() {
    if (A_.shared_pattern() == system_->pattern()) return;
    A_ = BlockMatrix(system_->pattern());
    if (cholesky_) cholesky_.emplace(A_.pattern());
    if (rest_) rest_.emplace(system_->workers(), A_.pattern(), system_->fixed_pattern());
    rest_key_ = {}, surplus_ = 0;
}

LinearReport StepMatrixSolver::direction(const VecX& q, const VecX& G, double error, VecX& p) {
    LinearReport report;
    follow_pattern();
    choose();
    if (kind_ == LinearSolver::cg_rest && !keep_rest_factor(report)) return report.outcome = Outcome::indefinite, report;
    assemble(q);
    minus_G_ = -G;
    report.outcome = attempt(q, error, p, report);
    if (report.outcome == Outcome::indefinite && system_->offers_semidefinite_stiffness()) {
        system_->semidefinite_step_matrix(q, 1, g_ * g_, g_, A_);
        system_->constraints().eliminate(system_->workers(), A_);
        report.shift = least_shift;  // not the exact matrix
        report.outcome = attempt(q, error, p, report);
    }
    for (double shift = 1e-3; report.outcome == Outcome::indefinite && shift < 100; shift *= 4) {
        shift_diagonal(report.shift, shift);
        report.shift = shift;
        report.outcome = attempt(q, error, p, report);
    }
    if (asked_ == LinearSolver::automatic && kind_ == LinearSolver::cg_block && report.iterations > few) {
        kind_ = LinearSolver::cg_rest;
        if (!rest_) rest_.emplace(system_->workers(), *system_->pattern(), system_->fixed_pattern());
    }
    return report;
}

// Every diagonal block grows from 1 + from to 1 + to times its mean size.
void StepMatrixSolver::shift_diagonal(double from, double to) {
    const BlockPattern& pattern = A_.pattern();
    for (int i = 0; i < pattern.rows(); ++i) {
        Eigen::Map<Mat3> block(A_.block(pattern.diagonal[i]));
        block.diagonal().array() += (to - from) / (1 + from) * block.diagonal().cwiseAbs().mean();
    }
}

Outcome StepMatrixSolver::attempt(const VecX& q, double error, VecX& p, LinearReport& report) {
    const int limit = iteration_limit(kind_, system_->degrees_of_freedom());
    switch (kind_) {
        case LinearSolver::cholesky:
            ++report.factorizations;
            if (!cholesky_->factorize(A_)) return Outcome::indefinite;
            cholesky_->solve(minus_G_, p);
            return Outcome::solved;
        case LinearSolver::cg:
            return conjugate_gradients(none_, error, limit, p, report);
        case LinearSolver::cg_diagonal:
            return diagonal_.update(A_) ? conjugate_gradients(diagonal_, error, limit, p, report) : Outcome::indefinite;
        case LinearSolver::automatic:  // never: kind_ is one of the others
        case LinearSolver::cg_block:
            return block_.update(A_) ? conjugate_gradients(block_, error, limit, p, report) : Outcome::indefinite;
        case LinearSolver::cg_ssor:
            return ssor_.update(A_) ? conjugate_gradients(ssor_, error, limit, p, report) : Outcome::indefinite;
        case LinearSolver::cg_incomplete:
            return incomplete_.update(A_) ? conjugate_gradients(incomplete_, error, limit, p, report) : Outcome::indefinite;
        case LinearSolver::cg_rest:
            return with_rest_factor(q, error, p, report);
    }
    return Outcome::stagnated;
}

Outcome StepMatrixSolver::conjugate_gradients(Preconditioner& B, double error, int limit, VecX& p, LinearReport& report) {
    const CgReport cg = cg_.solve(system_->workers(), A_, system_->constraints(), system_->inverse_mass(), B, minus_G_, error, limit, p);
    report.iterations += cg.iterations;
    switch (cg.outcome) {
        case CgReport::Outcome::solved:
            return Outcome::solved;
        case CgReport::Outcome::negative_curvature:
            return Outcome::indefinite;
        case CgReport::Outcome::stagnated:
            return Outcome::stagnated;
        case CgReport::Outcome::not_finite:
            return Outcome::not_finite;
        case CgReport::Outcome::stopped:
            break;
    }
    return Outcome::stopped;
}

// Factors A at the rest positions if there is no factor for this g, material and these constraints. Overwrites A_.
bool StepMatrixSolver::keep_rest_factor(LinearReport& report) {
    if (rest_key_.describes(*system_, g_, 0.1)) return true;
    constrained_.assign(static_cast<std::size_t>(system_->particles()), 0);
    for (const Constraint& c : system_->constraints().all()) constrained_[static_cast<std::size_t>(c.particle)] = 1;
    rest_key_ = {};
    assemble(system_->rest());
    ++report.factorizations;
    if (!rest_->factorize(A_, system_->rest())) return false;
    rest_key_ = StepKey(*system_, g_);
    turned_ = false;
    surplus_ = 0;
    return true;
}

// The present A takes the rest's place.
bool StepMatrixSolver::renew(const VecX& q, LinearReport& report) {
    surplus_ = 0;
    rest_key_ = {};
    ++report.factorizations;
    if (!rest_->factorize(A_, q)) return false;
    rest_key_ = StepKey(*system_, g_);
    rest_->turn(q, constrained_);
    return turned_ = true;
}

Outcome StepMatrixSolver::with_rest_factor(const VecX& q, double error, VecX& p, LinearReport& report) {
    const bool lost = rest_key_.g == 0;  // the last attempt of renewing it failed
    if ((lost || surplus_ > patience) && !renew(q, report)) return Outcome::indefinite;
    if (!turned_) rest_->turn(q, constrained_), turned_ = true;
    const int before = report.iterations;
    const Outcome first = conjugate_gradients(*rest_, error, patience + comfortable, p, report);
    surplus_ += std::max(0, report.iterations - before - comfortable);
    if (first != Outcome::stagnated) return first;
    if (!renew(q, report)) return Outcome::indefinite;
    return conjugate_gradients(*rest_, error, iteration_limit(kind_, system_->degrees_of_freedom()), p, report);
}

}  // namespace wobble
