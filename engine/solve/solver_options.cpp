#include "engine/solve/solver_options.h"

namespace wobble {

namespace {

constexpr SolverInfo<NonlinearSolver> nonlinear[] = {
    {NonlinearSolver::newton, "newton", "Newton", "Solves every linear system as well as it can: fewest iterations."},
    {NonlinearSolver::inexact, "inexact", "Inexact Newton", "Solves the linear systems to 2 % only: cheaper with CG."},
    {NonlinearSolver::superlinear, "superlinear", "Superlinear Newton", "Tightens the linear solves as Newton converges."},
    {NonlinearSolver::simplified, "simplified", "Simplified Newton",
     "One constant matrix, factored once, corrected by secants (L-BFGS): many cheap iterations. For soft bodies and small steps."},
};

constexpr SolverInfo<LinearSolver> linear[] = {
    {LinearSolver::automatic, "automatic", "Automatic",
     "CG with 3x3 blocks while it needs few iterations, then CG with the rotated rest factor: soft or stiff, small or large."},
    {LinearSolver::cholesky, "cholesky", "Sparse Cholesky", "Exact; one factorisation per Newton iteration, dear on large bodies."},
    {LinearSolver::cg, "cg", "CG", "Conjugate gradients without preconditioner: for comparison."},
    {LinearSolver::cg_diagonal, "cg-diagonal", "CG, diagonal", "Divides by the diagonal."},
    {LinearSolver::cg_block, "cg-block", "CG, 3x3 blocks", "Inverts the diagonal blocks: cheap and parallel, good for soft bodies of any size."},
    {LinearSolver::cg_ssor, "cg-ssor", "CG, SSOR", "Symmetric Gauss-Seidel sweeps: fewer iterations, serial."},
    {LinearSolver::cg_incomplete, "cg-incomplete", "CG, incomplete Cholesky", "Fewest iterations of the local ones, serial."},
    {LinearSolver::cg_rest, "cg-rest", "CG, rotated rest factor",
     "One factorisation at rest, turned with the body: a few iterations at any stiffness while the body is not torn about."},
};

}  // namespace

std::span<const SolverInfo<NonlinearSolver>> nonlinear_solvers() { return nonlinear; }
std::span<const SolverInfo<LinearSolver>> linear_solvers() { return linear; }

}  // namespace wobble
