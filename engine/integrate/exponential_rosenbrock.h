#pragma once
// Exponential Rosenbrock-Euler, `exprb2` (seed papers 001 and 003; Hochbruck, Ostermann, Schweitzer 2009):
//     u+ = u + h phi_1(hJ) F(u),     u = (q; v),   F(u) = (v; W (f(q) + f_ext - D(q) v)),   J ~ F'(u).
// With damping D = alpha M + beta K(q) + D_s(q) (mechanical_system.h) the phi evaluators use
//     A = [ 0  I ; -W K  -W (alpha M + (beta + tau) K) ]
// in place of J: J's term -W (dD/dq [.]) v and dashpots that are not a multiple of K would break A's structure. Second order is kept
// by adding back what is left out in F's direction, (J - A) F = (0; e), with a the acceleration in F:
//     u+ = u + h phi_1(hA) F + h^2 phi_2(hA) (0; e),     e = P W ( -(dD(q)/dq [v]) v + tau K a - D_s a ).
// Held particles that move (constraints.h) with velocity w = (1 - P) v pull at the others with a force that grows like t:
//     u = (q + t w; v) + (part with zero on held ones),  which adds h^2 phi_2(hA) (0; -P W K w).
#include "engine/integrate/integrator.h"
#include "engine/solve/phi_evaluator.h"

#include <memory>

namespace wobble {

class ExponentialRosenbrockEuler final : public Integrator {
public:
    ExponentialRosenbrockEuler(const IntegratorOptions& options, std::unique_ptr<PhiEvaluator> phi)
        : options_(options), phi_(std::move(phi)) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;

private:
    IntegratorOptions options_;
    std::unique_ptr<PhiEvaluator> phi_;
    std::unique_ptr<BlockMatrix> K_;
    VecX a_, e_;          // accelerations
    VecX free_, w_, Kw_;  // velocities: P v and w; K w
};

}  // namespace wobble
