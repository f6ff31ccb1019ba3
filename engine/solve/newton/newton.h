#pragma once
// Newton's method for min Phi(q), Phi's gradient G being the residual of an implicit step. Each iteration finds p with A p = -G
// (direction_solver.h says how) and backtracks along p until Phi falls enough (Armijo).
// How well the linear systems are solved (Hauth 2004, section 3.2, with the energy norm in place of the residual's):
//     newton   to the tolerance          inexact, simplified   to eta = 0.02
//     superlinear   to eta_k = 0.9 (|G_k| / |G_k-1|)^2, never above 0.02 (Eisenstat, Walker 1996, choice 2, with their safeguard)
// simplified has a constant J in place of A (linear_jacobian_solver.h), corrected by secant updates (lbfgs_solver.h).
//
// Line search of simplified: a force evaluation must do for an iteration, so the full step is taken without asking for Phi when |G| is
// at most twice the least so far and Phi's slope along p, G.p, does not turn to more than 0.8 times its size uphill: for a quadratic Phi
// the latter is Armijo's rule with 0.1 (the approximate Wolfe condition of Hager, Zhang 2005). Where that fails, Phi itself is followed
// as by the others.
//
// Convergence, the same test for every linear solver. The decrement lambda = sqrt(-G.p) is the length of the update in the norm |.|_A, in
// which Phi falls; theta = lambda_k / lambda_k-1 over full steps is the rate of contraction, and theta / (1 - theta) lambda bounds
// the error left AFTER the update (Hairer, Wanner II, IV.8); for simplified theta is the mean of the last six, and the bound counts three
// times. Converged when that is at most tolerance * progress(q) (or the floor that rounding leaves); also when |G| in the problem's norm,
// which bounds lambda from above, is, before anything is solved. Where tolerances below 1e-8 are asked for, a start value must be better
// than the floor, up to a hundred times, to count as the solution: the floor's size divided by g is an error in the velocity, harmless when
// it is rounding, which has any sign, but not when it is the start value's error, which has the same sign in every step. Secants need two
// decrements for a rate. Not contracting: lambda grew in four iterations running, or at the present rate the iterations left will not do.
// The decrements of secant updates go up and down: simplified gives up when fifteen in a row brought none smaller than before.
#include "engine/solve/linear/direction_solver.h"
#include "engine/solve/solver_options.h"

namespace wobble {

class NewtonProblem {
public:
    virtual ~NewtonProblem() = default;
    virtual double value(const VecX& q) = 0;
    virtual void gradient(const VecX& q, VecX& G) = 0;     // without forbidden directions
    virtual bool gradient_changes_value() const = 0;       // gradient(q) freezes parts of Phi at q: value(q) is another one afterwards
    virtual double residual(const VecX& G) = 0;            // |G| >= sqrt(G.A^-1 G)
    virtual double progress(const VecX& q) = 0;            // what the solve has found out so far, <= its length in |.|_A
    virtual bool stop_requested() const { return false; }  // asked once per iteration
};

struct NewtonSettings {
    NonlinearSolver kind = NonlinearSolver::newton;
    double tolerance = 1e-6;  // of the error in q, relative to progress(q)
    double floor = 0;         // smallest error that can be asked for
    int max_iterations = 40;  // 1: exactly one iteration from the start value, no line search, no test
};

struct NewtonReport {
    enum class Outcome {
        converged,
        not_finite,
        no_descent,
        no_contraction,
        too_many_iterations,
        indefinite,
        linear_stagnated,
        stopped
    } outcome;
    int iterations = 0;   // directions taken
    int evaluations = 0;  // of gradient or value
    int linear_iterations = 0;
    int factorizations = 0;
    double residual = 0;  // |G| at the last iterate where it was evaluated
};

class Newton {
public:
    NewtonReport minimize(NewtonProblem&, DirectionSolver&, const NewtonSettings&, VecX& q);  // on failure q is garbage

private:
    bool direction(NewtonProblem&, DirectionSolver&, double error, const VecX& q, NewtonReport&);

    bool accept_by_gradient(NewtonProblem&, double slope, VecX& q, NewtonReport&);
    bool backtrack(NewtonProblem&, double slope, VecX& q, NewtonReport&);

    VecX G_, p_, trial_, trial_G_;
    double value_ = 0, alpha_ = 1;  // Phi where it was last evaluated at an iterate; length of the last step beside p
    double least_residual_ = 0;     // of this minimisation
    double shift_ = 0;              // of the matrix the last direction belongs to
};

}  // namespace wobble
