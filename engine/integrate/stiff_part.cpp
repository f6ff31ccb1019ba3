#include "engine/integrate/stiff_part.h"

#include <cmath>

namespace wobble {

bool StiffPart::prepare(const MechanicalSystem& system, double h, StepReport& report) {
    if (pattern_ != system.pattern()) {
        pattern_ = system.pattern();
        K_ = std::make_unique<BlockMatrix>(pattern_);
        A_ = std::make_unique<BlockMatrix>(pattern_);
        cholesky_ = std::make_unique<SparseCholesky>(*pattern_);
        ready_ = false;
    }
    // A step that differs by rounding only, as when frames are divided, needs no new factor.
    if (ready_ && std::abs(h - h_) <= 1e-9 * h_ && materials_ == system.materials()) return true;
    h_ = h;
    materials_ = system.materials();

    system.stiffness(system.rest(), *K_);
    *A_ = *K_;
    const double inertial = 1 + d_ * h * system.alpha(), stiff = d_ * h * system.rayleigh_beta() + k_ * h * h;
    const BlockPattern& pattern = *pattern_;
    system.workers().ranges(A_->rows(), [&](int begin, int end) {
        double* values = A_->block(pattern.row_begin[begin]);
        const std::size_t count = 9 * static_cast<std::size_t>(pattern.row_begin[end] - pattern.row_begin[begin]);
        for (std::size_t e = 0; e < count; ++e) values[e] *= stiff;
        for (int i = begin; i < end; ++i)
            for (int e = 0; e < 9; e += 4) A_->block(pattern.diagonal[i])[e] += inertial * system.mass()[3 * i];
    });
    system.constraints().eliminate(system.workers(), *A_);
    ++report.factorizations;
    ready_ = cholesky_->factorize(*A_);
    if (!ready_) {
        report.status = StepStatus::factorization_failed;
        report.message = "the step's matrix could not be factored; try a smaller step";
    }
    return ready_;
}

}  // namespace wobble
