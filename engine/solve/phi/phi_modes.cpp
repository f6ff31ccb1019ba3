#include "engine/solve/phi/phi_modes.h"

#include <cmath>

namespace wobble {

// The free coordinates with their masses, and the blocks of K between them.
void ModesPhi::describe(const Linearized& system) {
    described_before_.swap(described_);
    described_.clear();
    const BlockMatrix& K = system.K.blocks();
    const BlockPattern& pattern = K.pattern();
    for (int i = 0; i < pattern.rows(); ++i) {
        if (system.inverse_mass[3 * i] == 0) continue;
        described_.push_back(i);
        described_.push_back(system.mass[3 * i]);
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
            if (system.inverse_mass[3 * pattern.column[k]] == 0) continue;
            described_.push_back(pattern.column[k]);
            const Eigen::Matrix3d block = K.at(k);
            described_.insert(described_.end(), block.data(), block.data() + 9);
        }
    }
}

bool ModesPhi::decompose(const Linearized& system) {
    describe(system);
    if (valid_ && described_ == described_before_) return true;
    valid_ = false;
    const BlockMatrix& K = system.K.blocks();
    const BlockPattern& pattern = K.pattern();
    free_.clear();
    root_.clear();
    at_.assign(pattern.rows(), -1);
    for (int i = 0; i < pattern.rows(); ++i) {
        if (system.inverse_mass[3 * i] == 0) continue;
        at_[i] = static_cast<int>(free_.size());
        for (int k = 0; k < 3; ++k) free_.push_back(3 * i + k), root_.push_back(std::sqrt(system.mass[3 * i + k]));
    }
    const int n = static_cast<int>(free_.size());
    if (n == 0 || n > max_unknowns) return false;
    auto L = eigen_.matrix(n);
    L.setZero();
    for (int i = 0; i < pattern.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
            const int r = at_[i], c = at_[pattern.column[k]];
            if (r >= 0 && c >= 0) L.block<3, 3>(r, c) = K.at(k) / (root_[r] * root_[c]);
        }
    if (!L.allFinite()) return false;
    return valid_ = eigen_.compute();
}

PhiReport ModesPhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    PhiReport report{.path = "dense"};
    if (!system.rayleigh()) report.declined = "modes are those of Rayleigh damping only; kiops takes any";
    if (!system.rayleigh() || system.workers.stop_requested() || !decompose(system)) return report.converged = false, report;
    collect_columns(terms, columns_);
    const int n = static_cast<int>(free_.size()), columns = static_cast<int>(columns_.size());
    report.dimension = n;
    scaled_.resize(n, columns);
    for (int c = 0; c < columns; ++c)
        for (int j = 0; j < n; ++j) scaled_(j, c) = root_[j] * (*columns_[c].start)[free_[j]];
    starts_.noalias() = eigen_.Q().transpose() * scaled_;
    now_.resize(n, 2);
    for (const PhiNode& node : nodes) {
        now_.setZero();
        for (int c = 0; c < columns; ++c)
            for (int i = 0; i < n; ++i)
                now_.row(i) += starts_(i, c) * ritz_motion(system, columns_[c], node.t, eigen_.value()[i]).transpose();
        motion_.noalias() = eigen_.Q() * now_;
        node.x->setZero();
        node.v->setZero();
        for (int j = 0; j < n; ++j) {
            (*node.x)[free_[j]] = motion_(j, 0) / root_[j];
            (*node.v)[free_[j]] = motion_(j, 1) / root_[j];
        }
        report.converged = report.converged && now_.allFinite();
    }
    return report;
}

}  // namespace wobble
