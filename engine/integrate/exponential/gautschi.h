#pragma once
// Trigonometric integrator of Gautschi's type, `gautschi` (Hairer, Lubich, Wanner, Geometric Numerical Integration, XIII.2; Michels, Luan,
// Tokman 2017's "EI"), for x'' + Omega^2 x = g(x) in its one-step form with even filters psi = sinc psi_1 and phi of xi = h Omega:
//     x+ = cos(xi) x + Omega^-1 sin(xi) v + h^2/2 psi(xi) g(Phi x)
//     v+ = -Omega sin(xi) x + cos(xi) v + h/2 ( cos(xi) psi_1(xi) g(Phi x) + psi_1(xi) g(Phi x+) ).
// Here x is the displacement from the positions q at the step's beginning and Omega^2 = P W K(q): with the rest's Omega, g would be stiff
// wherever the body has turned, and steps beyond 2 / omega_max would explode. What g is at the beginning, the force there, is constant in
// a step and integrated exactly, as Gautschi did; the filters act on what is left, the remainder r of frozen_problem.h, r = 0 at x = 0:
//     (x; v) <- flow of the linear problem over h;      v <- v + h/2 psi_1 r(Phi x).
// It is exact for linear motion, and Verlet's method where Omega = 0. psi_1 and phi are powers of sinc, and h sinc(xi) b is the position
// part of h phi_1(hJ) (b; 0) for the undamped J:
//     hairer-lubich      psi_1 = sinc,     phi = 1        psi = sinc^2 phi, which for constant Omega keeps energy for long times
//     garcia-archilla    psi_1 = sinc,     phi = sinc
//     grimm-hochbruck    psi_1 = sinc^2,   phi = sinc
//     deuflhard          psi_1 = 1,        phi = 1
// The kick is the difference to exprb2 and the error estimate.
#include "engine/integrate/exponential/frozen_problem.h"
#include "engine/integrate/integrator.h"

namespace wobble {

class Gautschi final : public Integrator {
public:
    Gautschi(const IntegratorOptions& options, std::unique_ptr<PhiEvaluator> phi) : options_(options), phi_(std::move(phi)) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void solver_state(SavedSolverState& numbers) override { phi_->solver_state(numbers); }

private:
    bool smooth(int power, double h, VecX& b, StepReport&);  // b <- sinc(xi)^power b

    IntegratorOptions options_;
    std::unique_ptr<PhiEvaluator> phi_;
    FrozenProblem frozen_;
    VecX x_, v_, r_;  // flow; remainder
    VecX filtered_;   // Phi x
    VecX sx_, sv_;    // of smooth()
};

}  // namespace wobble
