#pragma once
// Directions of the simplified Newton method (Hauth 2004, section 3.3, algorithm 3): in place of A(q) the constant matrix
//     J = (1 + g alpha) M + c (g^2 + g (beta + tau)) K_lin,
// K_lin the linear stiffness of eq. (50) (MechanicalSystem::linear_stiffness), whose 3x3 blocks are multiples of I: J is stored,
// multiplied and factored as a matrix of scalars and made anew only when g, c, material or constraints change.
//     c = 1     K_lin bounds K(q) from above, so J >= A(q): Phi falls along every full step. For methods of one iteration.
//     c = 1/3   a spring k n n^T resists in one direction of three, on the average k/3 I: the better start for secant updates
//               (lbfgs_solver.h), which correct both ways. On the bunny a third fewer iterations than with c = 1.
// J is never indefinite. Its price is that it knows no directions: by itself it converges linearly, the slower the softer the body bends.
#include "engine/solve/linear/conjugate_gradient.h"
#include "engine/solve/linear/direction_solver.h"
#include "engine/solve/linear/preconditioner_diagonal.h"
#include "engine/solve/linear/preconditioner_factor.h"
#include "engine/solve/linear/preconditioner_incomplete.h"
#include "engine/solve/linear/preconditioner_ssor.h"
#include "engine/solve/linear/step_key.h"
#include "engine/solve/solver_options.h"

#include <optional>

namespace wobble {

class LinearJacobianSolver final : public DirectionSolver {
public:
    LinearJacobianSolver(const MechanicalSystem&, LinearSolver);

    static constexpr double bound = 1, mean = 1.0 / 3;  // c
    void begin(const MechanicalSystem& system, double g, double c = bound) {
        if (c != c_) key_ = {};
        system_ = &system, g_ = g, c_ = c;
    }
    LinearReport direction(const VecX& q, const VecX& G, double error, VecX& p) override;

private:
    bool make(LinearReport&);
    void assemble();
    bool precondition(LinearReport&);
    bool factorize_with_sliding(LinearReport&);

    LinearSolver kind_;
    const MechanicalSystem* system_;
    double g_ = 0, c_ = bound;
    StepKey key_;
    ScalarMatrix J_;
    BlockMatrix blocks_;  // K_lin as the system gives it; with sliding particles P J P + s (I - P), which is no scalar matrix
    VecX minus_G_;
    ConjugateGradient cg_;
    NoPreconditioner none_;
    DiagonalPreconditioner diagonal_;  // for cg-block too: the blocks are c I
    ScalarSsor ssor_;
    ScalarIncompleteCholesky incomplete_;
    std::optional<SparseCholesky> scalars_, with_sliding_;
    std::optional<FactorPreconditioner> factor_;  // for cg-rest: the constant matrix is its own rest factor
    Preconditioner* chosen_ = nullptr;
};

}  // namespace wobble
