#pragma once
// Preconditioners made of a complete factorisation that is older than the matrix.
//     FactorPreconditioner:   B = A0, factored once.
//     RotatedFactor:          B^-1 = R A0^-1 R^T,  R = diag(R_i): A0 is the step's matrix at reference positions X (the rest positions, or
//     where
//                             it was last renewed), and R_i how far the surroundings of particle i have turned since (vertex_rotations.h).
// A body that turned rigidly has the matrix R A0 R^T exactly; gentle deformation changes it little, at any stiffness.
#include "engine/core/workers.h"
#include "engine/linalg/cholesky.h"
#include "engine/solve/linear/preconditioner.h"

namespace wobble {

class FactorPreconditioner final : public Preconditioner {
public:
    explicit FactorPreconditioner(SparseCholesky& factor) : factor_(factor) {}
    double apply(const VecX& r, VecX& z) override { return factor_.solve(r, z), r.dot(z); }

private:
    SparseCholesky& factor_;
};

class RotatedFactor final : public Preconditioner {
public:
    // Rotations are those of `body`, the pairs that move together, among those of the pattern.
    RotatedFactor(Workers& workers, const BlockPattern& pattern, const BlockPattern& body)
        : workers_(workers), body_(body), cholesky_(pattern) {}
    RotatedFactor(Workers& workers, const BlockPattern& pattern) : RotatedFactor(workers, pattern, pattern) {}

    bool factorize(const BlockMatrix& A0, const VecX& X);  // false: A0 is not positive definite, and there is no factor now
    // R from X to x. Particles marked `keep` do not turn: forbidden directions stay where A0 has them.
    void turn(const VecX& x, const std::vector<std::uint8_t>& keep);
    double apply(const VecX& r, VecX& z) override;

private:
    Workers& workers_;
    const BlockPattern& body_;
    SparseCholesky cholesky_;
    VecX X_, turned_;
    std::vector<Mat3> R_;
};

}  // namespace wobble
