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
    {LinearSolver::cg_block, "cg-block", "CG, 3x3 blocks",
     "Inverts the diagonal blocks: cheap and parallel, good for soft bodies of any size."},
    {LinearSolver::cg_ssor, "cg-ssor", "CG, SSOR", "Symmetric Gauss-Seidel sweeps: fewer iterations, serial."},
    {LinearSolver::cg_incomplete, "cg-incomplete", "CG, incomplete Cholesky", "Fewest iterations of the local ones, serial."},
    {LinearSolver::cg_rest, "cg-rest", "CG, rotated rest factor",
     "One factorisation at rest, turned with the body: a few iterations at any stiffness while the body is not torn about."},
};

constexpr SolverInfo<PhiMethod> phi[] = {
    {PhiMethod::automatic, "automatic", "Automatic",
     "Half-size Lanczos or rational Krylov, whichever this body's size, stiffness and step make cheaper; KIOPS where springs have "
     "dashpots."},
    {PhiMethod::lanczos, "lanczos", "Half-size Lanczos",
     "Products with K only, about h omega_max / 2 of them: the fastest unless very stiff."},
    {PhiMethod::rational, "rational", "Rational Krylov",
     "One factorisation and a few solves, whatever the stiffness: for very stiff or damped bodies."},
    {PhiMethod::kiops, "kiops", "KIOPS", "General Krylov with incomplete orthogonalisation: takes any damping."},
    {PhiMethod::phipm, "phipm", "phipm", "The papers' first evaluator, adaptive in dimension and substeps: for comparison."},
    {PhiMethod::phipm_simul_iom2, "phipm-simul-iom2", "phipm_simul_iom2",
     "The papers' evaluator, all stages in one sweep: for comparison."},
    {PhiMethod::energy, "energy", "Krylov, energy product",
     "The papers' reformulated Krylov space without its square root: for comparison."},
    {PhiMethod::reformulated, "reformulated", "Reformulated, eigenvectors",
     "X = (Omega x, v) with a dense square root: ground truth for small bodies."},
    {PhiMethod::reformulated_newton, "reformulated-newton", "Reformulated, Newton",
     "X = (Omega x, v) with Newton's square root: ground truth for small bodies."},
    {PhiMethod::dense, "dense", "Dense exponential", "The oracle: exact, for bodies of some hundred particles."},
};

// psi, phi of the one-step form, xi = h Omega; see integrate/gautschi.h.
constexpr SolverInfo<GautschiFilter> filters[] = {
    {GautschiFilter::hairer_lubich, "hairer-lubich", "Hairer-Lubich", "psi = sinc^2, phi = 1: the pair of the theory of long-time energy."},
    {GautschiFilter::garcia_archilla, "garcia-archilla", "Garcia-Archilla", "psi = sinc^2, phi = sinc: mollified impulses."},
    {GautschiFilter::grimm_hochbruck, "grimm-hochbruck", "Grimm-Hochbruck", "psi = sinc^3, phi = sinc: the smoothest."},
    {GautschiFilter::deuflhard, "deuflhard", "Deuflhard",
     "psi = sinc, phi = 1: plain impulses; resonates where h omega is near a multiple of pi."},
};

}  // namespace

std::span<const SolverInfo<NonlinearSolver>> nonlinear_solvers() { return nonlinear; }
std::span<const SolverInfo<LinearSolver>> linear_solvers() { return linear; }
std::span<const SolverInfo<PhiMethod>> phi_methods() { return phi; }
std::span<const SolverInfo<GautschiFilter>> gautschi_filters() { return filters; }

}  // namespace wobble
