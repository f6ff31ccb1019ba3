#pragma once
// A Cholesky factor of  A = M + c^2 K  for the matrices of one pattern. Held particles are decoupled (M alone). The factor made last is
// kept where M, K and the held particles are, bit by bit, what they were and c is within a factor of two or so of the wanted one: for
// the second sweep of a step, a step that is repeated with another length, a body frozen at rest.
// (A factor of an older K with conjugate gradients for the present one does not pay: measured on the bunny, they need 2 to 7 iterations
// with the factor of one step before, each costs a solve, an evaluation has 20 to 50 solves, and a factorisation costs about 30.)
#include "engine/linalg/cholesky.h"
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
    double c() const { return c_; }  // what it was made with
    void forget() { factored_ = false; }
    // Columns one after the other in memory; b and x may be the same.
    void solve(Workers& workers, const double* b, double* x, int columns) { cholesky_->solve(workers, b, x, columns); }

private:
    bool compare(const Linearized&, double c, bool write);  // true: A_ is M + c^2 K already; else it becomes so if `write`

    std::shared_ptr<const BlockPattern> pattern_;  // a copy: whose it was may be gone
    std::unique_ptr<SparseCholesky> cholesky_;
    std::unique_ptr<BlockMatrix> A_;
    bool factored_ = false;  // A_ is
    double c_ = 0;
};

}  // namespace wobble
