#pragma once
// A symmetric sparse matrix of 3x3 blocks c I, stored as its n x n matrix of scalars c: a ninth of the numbers of a BlockMatrix (a third
// of its nonzero entries). The linear Jacobian of the simplified Newton method (Hauth 2004, eq. (50)) is such a matrix.
#include "engine/linalg/block_matrix.h"

namespace wobble {

class ScalarMatrix {
public:
    explicit ScalarMatrix(std::shared_ptr<const BlockPattern> pattern)
        : pattern_(std::move(pattern)), values_(static_cast<std::size_t>(pattern_->blocks()), 0.0) {}

    const BlockPattern& pattern() const { return *pattern_; }
    const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
    int rows() const { return pattern_->rows(); }
    const double* values() const { return values_.data(); }
    double& value(int index) { return values_[static_cast<std::size_t>(index)]; }
    double at(int index) const { return values_[static_cast<std::size_t>(index)]; }

    // y = sum_j c_ij x_j, three numbers; x holds three numbers per particle.
    void multiply(int row, const double* x, double* y) const {
        double sum[3] = {0, 0, 0};
        for (int k = pattern_->row_begin[row]; k < pattern_->row_begin[row + 1]; ++k) {
            const double c = values_[static_cast<std::size_t>(k)];
            const double* xj = x + 3 * static_cast<std::size_t>(pattern_->column[k]);
            for (int d = 0; d < 3; ++d) sum[d] += c * xj[d];
        }
        for (int d = 0; d < 3; ++d) y[d] = sum[d];
    }

private:
    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<double> values_;
};

// So that one text serves both kinds of matrix: what has multiply(row, x, y).
inline BlockRows rows_of(const BlockMatrix& A) { return BlockRows(A); }
inline const ScalarMatrix& rows_of(const ScalarMatrix& A) { return A; }

}  // namespace wobble
