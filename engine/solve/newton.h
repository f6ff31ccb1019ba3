#pragma once
// Newton's method for min Phi(q): Phi's gradient is the residual of an implicit step, its Hessian A is factored by sparse
// Cholesky. Each iteration solves A p = -g and backtracks along p until Phi falls enough (Armijo). An indefinite A gets a
// growing multiple of its diagonal's size added to the diagonal until it can be factored.
#include "engine/solve/cholesky.h"

#include <memory>

namespace wobble {

class NewtonProblem {
public:
    virtual ~NewtonProblem() = default;
    virtual double value(const VecX& q) = 0;
    virtual void gradient(const VecX& q, VecX& g) = 0;        // zero on held particles
    virtual void hessian(const VecX& q, BlockMatrix& A) = 0;  // held particles decoupled, with a positive diagonal
    virtual double norm(const VecX& p) = 0;                   // in which convergence is judged
    virtual bool stop_requested() const { return false; }     // asked once per iteration
};

struct NewtonReport {
    enum class Outcome { converged, not_finite, no_descent, too_many_iterations, factorization_failed, stopped } outcome;
    int iterations = 0;
    int factorizations = 0;
    int evaluations = 0;  // of gradient or value
};

class Newton {
public:
    explicit Newton(std::shared_ptr<const BlockPattern>);

    // Improves q until an update is smaller than tolerance * norm(q - start), or than `floor`. On failure q is garbage.
    NewtonReport minimize(NewtonProblem&, double tolerance, double floor, int max_iterations, VecX& q);

private:
    bool factorize(NewtonReport&);

    BlockMatrix A_;
    SparseCholesky cholesky_;
    VecX start_, g_, p_, trial_;
};

}  // namespace wobble
