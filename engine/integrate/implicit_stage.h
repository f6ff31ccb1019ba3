#pragma once
// The equation behind every implicit method of the table. With known q^, v^ and g > 0 (a multiple of h), find (x, u) such that
//     x = q^ + g u,       u = v^ + g P W ( f(x) + f_ext - D(x) u ).
// Eliminating u gives, for the allowed directions of x,
//     G(x) = M (x - q^ - g v^) - g^2 ( f(x) + f_ext ) + g D(x) (x - q^) = 0,
// whose matrix is A(x) = M + g^2 K(x) + g D(x) (the derivative of D is left out: Newton still converges, G itself is exact).
// With D frozen at the present iterate, G is the gradient of
//     Phi(x) = 1/2 |x - q^ - g v^|_M^2 + g^2 ( U(x) - f_ext . x ) + g/2 (x - q^)^T D (x - q^),
// which the line search follows downhill.
// Forbidden directions (held or sliding particles) keep the position and velocity of the start value.
#include "engine/core/saved_solver_state.h"
#include "engine/integrate/report.h"
#include "engine/model/mechanical_system.h"
#include "engine/solve/solver_options.h"

#include <memory>
#include <vector>

namespace wobble {

struct NewtonReport;

class ImplicitStage {
public:
    explicit ImplicitStage(const SolverOptions&);
    ~ImplicitStage();

    // x, u: start value in (extrapolation.h makes good ones), solution out. Counts work into the report; on failure sets its status and
    // message and returns false; x and u are garbage then, everything else is untouched. Which solvers: solver_options.h.
    // `max_newton`: 1 gives the linearly implicit methods, which take one Newton iteration without line search or test, its linear system
    // solved to the tolerance. Otherwise x is solved until the error in |x|_M is at most tolerance |x - q^ - g v^|_M (newton.h).
    bool solve(const MechanicalSystem&, const VecX& q_hat, const VecX& v_hat, double g, VecX& x, VecX& u, StepReport&, int max_newton = 40);
    void solver_state(
        SavedSolverState&);  // which solver `automatic` has chosen; a factor of earlier motion is no small number and starts anew

private:
    void explain(const NewtonReport&, StepReport&) const;

    struct Workspace;
    SolverOptions options_;
    std::unique_ptr<Workspace> work_;  // made in the first step, for the system's pattern
    std::vector<double> remembered_;   // learnt before there was one to learn it: for the one to come
};

}  // namespace wobble
