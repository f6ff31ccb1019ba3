#pragma once
// A Cholesky factor of  A = M + c^2 K  for the matrices of one pattern. Held particles are decoupled (M alone), and a matrix that is, bit by
// bit, the one factored last is not factored again: the second sweep of a step, a step that is repeated, a body frozen at rest.
// (A factor of an older K with conjugate gradients for the present one does not pay: every iteration costs a solve, an evaluation has dozens
// of solves, and a factorisation costs about 10 to 16 of them.)
#include "engine/solve/cholesky.h"
#include "engine/solve/linearized.h"

#include <memory>

namespace wobble {

class ShiftedFactor {
public:
    void analyze(const BlockPattern&);  // orders and counts, unless the pattern is the last one
    double nonzeros() const { return cholesky_->factor_nonzeros(); }
    double flops() const { return cholesky_->factor_flops(); }

    enum class Outcome { factored, kept, indefinite };
    Outcome prepare(const Linearized&, double c);
    // Columns one after the other in memory; b and x may be the same.
    void solve(Workers& workers, const double* b, double* x, int columns) { cholesky_->solve(workers, b, x, columns); }

private:
    bool assemble(const Linearized&, double c);  // A_; true: nothing changed

    std::shared_ptr<const BlockPattern> pattern_;  // a copy: whose it was may be gone
    std::unique_ptr<SparseCholesky> cholesky_;
    std::unique_ptr<BlockMatrix> A_;
    bool factored_ = false;  // A_ is
};

}  // namespace wobble
