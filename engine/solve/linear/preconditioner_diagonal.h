#pragma once
// The local preconditioners of Hauth 2004, section 4.1: B = I, B = diag(A) (53), B = the 3x3 diagonal blocks of A.
#include "engine/core/workers.h"
#include "engine/linalg/scalar_matrix.h"
#include "engine/solve/linear/preconditioner.h"

namespace wobble {

class NoPreconditioner final : public Preconditioner {
public:
    explicit NoPreconditioner(Workers& workers) : workers_(workers) {}
    double apply(const VecX& r, VecX& z) override;

private:
    Workers& workers_;
};

class DiagonalPreconditioner final : public Preconditioner {
public:
    explicit DiagonalPreconditioner(Workers& workers) : workers_(workers) {}
    bool update(const BlockMatrix& A);  // false: an entry is not positive, so A is not positive definite
    bool update(const ScalarMatrix& A);
    double apply(const VecX& r, VecX& z) override;

private:
    Workers& workers_;
    VecX inverse_;
};

class BlockDiagonalPreconditioner final : public Preconditioner {
public:
    explicit BlockDiagonalPreconditioner(Workers& workers) : workers_(workers) {}
    bool update(const BlockMatrix& A);  // false: a block is not positive definite, so neither is A
    double apply(const VecX& r, VecX& z) override;

private:
    Workers& workers_;
    std::vector<Mat3> inverse_;
};

// The inverse of a symmetric positive definite block, or of a positive number; false if it is none.
bool invert(const Mat3& A, Mat3& inverse);
inline bool invert(double a, double& inverse) { return inverse = 1 / a, a > 0 && inverse > 0; }

}  // namespace wobble
