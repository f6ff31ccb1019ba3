#include "engine/solve/linear/linear_jacobian_solver.h"

#include "engine/solve/linear/step_matrix_solver.h"

namespace wobble {

using Outcome = LinearReport::Outcome;

LinearJacobianSolver::LinearJacobianSolver(const MechanicalSystem& system, LinearSolver kind)
    : kind_(kind == LinearSolver::automatic ? LinearSolver::cholesky : kind),  // a constant matrix is factored once
      system_(&system),
      J_(system.pattern()),
      blocks_(system.pattern()),
      minus_G_(VecX::Zero(3 * system.particles())),
      none_(system.workers()),
      diagonal_(system.workers()) {
    if (kind_ == LinearSolver::cholesky || kind_ == LinearSolver::cg_rest)
        scalars_.emplace(*system.pattern(), SparseCholesky::Entries::scalars);
    if (kind == LinearSolver::cg_rest) factor_.emplace(*scalars_);
}

LinearReport LinearJacobianSolver::direction(const VecX&, const VecX& G, double error, VecX& p) {
    LinearReport report;
    if (!key_.describes(*system_, g_, 1e-9) && !make(report)) return report.outcome = Outcome::indefinite, report;
    minus_G_ = -G;
    if (kind_ == LinearSolver::cholesky) {
        (system_->constraints().any_sliding() ? *with_sliding_ : *scalars_).solve(minus_G_, p);
        return report;
    }
    const CgReport cg = cg_.solve(system_->workers(), J_, system_->constraints(), system_->inverse_mass(), *chosen_, minus_G_, error,
                                  StepMatrixSolver::iteration_limit(kind_, system_->degrees_of_freedom()), p);
    report.iterations = cg.iterations;
    switch (cg.outcome) {
        case CgReport::Outcome::solved:
            break;
        case CgReport::Outcome::negative_curvature:
            report.outcome = Outcome::indefinite;
            break;
        case CgReport::Outcome::stagnated:
            report.outcome = Outcome::stagnated;
            break;
        case CgReport::Outcome::not_finite:
            report.outcome = Outcome::not_finite;
            break;
        case CgReport::Outcome::stopped:
            report.outcome = Outcome::stopped;
            break;
    }
    return report;
}

bool LinearJacobianSolver::make(LinearReport& report) {
    key_ = {};
    assemble();
    if (!precondition(report)) return false;
    key_ = StepKey(*system_, g_);
    return true;
}

// J with the held particles decoupled; sliding ones are left to the filter.
void LinearJacobianSolver::assemble() {
    system_->linear_stiffness(blocks_);
    const BlockPattern& pattern = J_.pattern();
    const double stiff = c_ * (g_ * g_ + g_ * system_->rayleigh_beta()), inertial = 1 + g_ * system_->alpha();
    const auto& held = system_->pinned();
    for (int i = 0; i < pattern.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
            const int j = pattern.column[k];
            double c = stiff * blocks_.at(k).trace() / 3;
            if (i == j) c += inertial * system_->mass()[3 * i];
            else if (held[static_cast<std::size_t>(i)] || held[static_cast<std::size_t>(j)]) c = 0;
            J_.value(k) = c;
        }
}

bool LinearJacobianSolver::precondition(LinearReport& report) {
    switch (kind_) {
        case LinearSolver::automatic:  // never: kind_ is one of the others
        case LinearSolver::cholesky:
            if (system_->constraints().any_sliding()) return factorize_with_sliding(report);
            return ++report.factorizations, scalars_->factorize(J_);
        case LinearSolver::cg:
            return chosen_ = &none_, true;
        case LinearSolver::cg_diagonal:
        case LinearSolver::cg_block:
            return chosen_ = &diagonal_, diagonal_.update(J_);
        case LinearSolver::cg_ssor:
            return chosen_ = &ssor_, ssor_.update(J_);
        case LinearSolver::cg_incomplete:
            return chosen_ = &incomplete_, incomplete_.update(J_);
        case LinearSolver::cg_rest:
            return chosen_ = &*factor_, ++report.factorizations, scalars_->factorize(J_);
    }
    return false;
}

bool LinearJacobianSolver::factorize_with_sliding(LinearReport& report) {
    if (!with_sliding_) with_sliding_.emplace(J_.pattern());
    for (int k = 0; k < J_.pattern().blocks(); ++k) Eigen::Map<Mat3>(blocks_.block(k)) = J_.at(k) * Mat3::Identity();
    system_->constraints().eliminate(system_->workers(), blocks_);
    return ++report.factorizations, with_sliding_->factorize(blocks_);
}

}  // namespace wobble
