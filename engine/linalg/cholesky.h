#pragma once
// Sparse Cholesky by CHOLMOD (supernodal, OpenBLAS), for matrices that all share one block pattern: ordered and analysed
// once, then factored as often as wanted. The matrix is handed over already permuted, so that CHOLMOD copies nothing.
// A matrix of blocks c I is factored as its n x n scalars and solved for the three coordinates at once.
#include "engine/linalg/scalar_matrix.h"

#include <memory>

namespace wobble {

class SparseCholesky {
public:
    enum class Entries { blocks, scalars };  // which kind of matrix it will get
    explicit SparseCholesky(const BlockPattern&, Entries = Entries::blocks);
    ~SparseCholesky();
    SparseCholesky(const SparseCholesky&) = delete;
    SparseCholesky& operator=(const SparseCholesky&) = delete;

    bool factorize(const BlockMatrix& A);  // false: A is not positive definite (the old factor is gone)
    bool factorize(const ScalarMatrix& A);
    void solve(const VecX& b, VecX& x);  // after a successful factorize; b and x may be the same
    // Several right-hand sides, one after the other in memory, each by one thread; b and x may be the same. For blocks only.
    // (CHOLMOD's own way with two or three at once takes two or three times as long as one.) Not finite: out of memory.
    void solve(Workers&, const double* b, double* x, int columns);
    double factor_nonzeros() const;  // known from the analysis on, and so are:
    double factor_flops() const;     // operations of one factorisation

private:
    bool factorize(const double* values);

    struct Implementation;
    std::unique_ptr<Implementation> self_;
};

}  // namespace wobble
