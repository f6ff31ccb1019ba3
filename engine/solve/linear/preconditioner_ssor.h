#pragma once
// Symmetric successive over-relaxation with weight 1 (Hauth 2004, section 4.1, eq. (54) corrected):
//     B = (D - L) D^-1 (D - L^T),     A = D - L - L^T,
// with D the 3x3 diagonal blocks (or scalars) of A and -L its strictly lower part. B^-1 r is a forward and a backward sweep over the rows,
//     y_i = D_i^-1 ( r_i - sum_{j<i} A_ij y_j ),     z_i = y_i - D_i^-1 sum_{j>i} A_ij z_j,
// which are serial by nature. A must stay as it was at `update` while B is applied: B reads it, it keeps no copy.
#include "engine/linalg/scalar_matrix.h"
#include "engine/solve/linear/preconditioner.h"

namespace wobble {

template <class Matrix, class Block>
class Ssor final : public Preconditioner {
public:
    bool update(const Matrix& A);  // false: a diagonal block is not positive definite
    double apply(const VecX& r, VecX& z) override;

private:
    const Matrix* A_ = nullptr;
    std::vector<Block> inverse_;  // D_i^-1
};

using BlockSsor = Ssor<BlockMatrix, Mat3>;
using ScalarSsor = Ssor<ScalarMatrix, double>;
extern template class Ssor<BlockMatrix, Mat3>;
extern template class Ssor<ScalarMatrix, double>;

}  // namespace wobble
