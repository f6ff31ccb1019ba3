#pragma once
// Sparse Cholesky by CHOLMOD (supernodal, OpenBLAS), for matrices that all share one block pattern: ordered and analysed
// once, then factored as often as wanted. The matrix is handed over already permuted, so that CHOLMOD copies nothing.
#include "engine/core/block_matrix.h"

#include <memory>

namespace wobble {

class SparseCholesky {
public:
    explicit SparseCholesky(const BlockPattern&);
    ~SparseCholesky();
    SparseCholesky(const SparseCholesky&) = delete;
    SparseCholesky& operator=(const SparseCholesky&) = delete;

    bool factorize(const BlockMatrix& A);  // false: A is not positive definite (the old factor is gone)
    void solve(const VecX& b, VecX& x);    // after a successful factorize; b and x may be the same
    double factor_nonzeros() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> self_;
};

}  // namespace wobble
