#pragma once
// Incomplete Cholesky factorisation without fill (Hauth 2004, section 4.1; Meijerink, van der Vorst 1977), on 3x3 blocks (or scalars):
//     B = L E L^T,   L unit lower block triangular on the pattern of A,   E block diagonal,
//     E_i = A_ii - sum_{k<i} L_ik E_k L_ik^T,     L_ij = ( A_ij - sum_{k<j} L_ik E_k L_jk^T ) E_j^-1   for the blocks (i, j) of A.
// Where a pivot E_i is no longer positive definite, the factorisation begins again with a growing multiple s of the diagonal's size
// added to the diagonal of A (Manteuffel 1980). Exact when complete Cholesky makes no fill.
#include "engine/linalg/scalar_matrix.h"
#include "engine/solve/linear/preconditioner.h"

namespace wobble {

template <class Matrix, class Block>
class IncompleteCholesky final : public Preconditioner {
public:
    bool update(const Matrix& A);  // false: no shift helped
    double apply(const VecX& r, VecX& z) override;
    double shift() const { return shift_; }  // s of the last update, 0 if none was needed

private:
    bool factorize(const Matrix& A, double s);
    void find_transposed(const BlockPattern&);

    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<Block> L_;         // one per block of the pattern; only those left of the diagonal count
    std::vector<Block> inverse_;   // E_i^-1
    std::vector<int> transposed_;  // where block (j, i) stands, for each block (i, j)
    double shift_ = 0;
};

using BlockIncompleteCholesky = IncompleteCholesky<BlockMatrix, Mat3>;
using ScalarIncompleteCholesky = IncompleteCholesky<ScalarMatrix, double>;
extern template class IncompleteCholesky<BlockMatrix, Mat3>;
extern template class IncompleteCholesky<ScalarMatrix, double>;

}  // namespace wobble
