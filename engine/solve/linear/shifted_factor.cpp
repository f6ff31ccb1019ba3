#include "engine/solve/linear/shifted_factor.h"

#include <atomic>

namespace wobble {

void ShiftedFactor::analyze(const BlockPattern& pattern) {
    if (pattern_ && pattern_->row_begin == pattern.row_begin && pattern_->column == pattern.column) return;
    pattern_ = std::make_shared<BlockPattern>(pattern);
    cholesky_ = std::make_unique<SparseCholesky>(*pattern_);
    A_.reset();
    factored_ = false;
}

bool ShiftedFactor::compare(const Linearized& system, double c, bool write) {
    const BlockPattern& pattern = *pattern_;
    const BlockMatrix& K = system.K.blocks();
    std::atomic<bool> changed = false;
    system.workers.ranges(pattern.rows(), [&](int begin, int end) {
        bool differs = false;
        for (int i = begin; i < end && (write || !differs); ++i)
            for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
                const int j = pattern.column[k];
                const bool free = system.inverse_mass[3 * i] != 0 && system.inverse_mass[3 * j] != 0;
                const double* from = K.block(k);
                double* to = A_->block(k);
                for (int e = 0; e < 9; ++e) {
                    double a = free ? c * c * from[e] : 0;
                    if (i == j && e % 4 == 0) a += system.mass[3 * i + e / 4];
                    differs = differs || a != to[e];
                    if (write) to[e] = a;
                }
            }
        if (differs) changed = true;
    });
    return !changed;
}

ShiftedFactor::Outcome ShiftedFactor::prepare(const Linearized& system, double c) {
    analyze(system.K.pattern());
    if (factored_ && c_ > c / 2.3 && c_ < c * 2.3 && compare(system, c_, false)) return Outcome::kept;
    if (!A_) A_ = std::make_unique<BlockMatrix>(pattern_);
    compare(system, c, true);
    c_ = c;
    factored_ = cholesky_->factorize(*A_);
    return factored_ ? Outcome::factored : Outcome::indefinite;
}

}  // namespace wobble
