#pragma once
// Trigonometric integrator of Gautschi's type, `gautschi` (Hairer, Lubich, Wanner, Geometric Numerical Integration, XIII.2; seed paper
// 000's "EI"), for x'' + Omega^2 x = g(x) in its one-step form with even filters psi, phi of xi = h Omega:
//     x+ = cos(xi) x + Omega^-1 sin(xi) v + h^2/2 psi(xi) g(Phi x)
//     v+ = -Omega sin(xi) x + cos(xi) v + h/2 ( cos(xi) psi_1(xi) g(Phi x) + psi_1(xi) g(Phi x+) ),    psi = sinc psi_1.
// Here x is the displacement from the positions q at the step's beginning and Omega^2 = P W K(q): with the rest's Omega, g would be stiff
// wherever the body has turned, and steps beyond 2 / omega_max would explode. So g(x) = P W (f(q + x) + f_ext) + Omega^2 x, and as x = 0
// at the beginning, one step is: kick, free flow of the linear problem, kick,
//     v <- v + h/2 s,  s = psi_1 g(0);      (x; v) <- flow of J over h;      v <- v + h/2 psi_1 g(Phi x).
// Damping belongs to the flow, with the term e of frozen_problem.h. psi_1 and phi are powers of sinc, and h sinc(xi) b is the position
// part of h phi_1(hJ) (b; 0) for the undamped J:
//     hairer-lubich      psi_1 = sinc,     phi = 1        psi = sinc^2 phi: energy kept for linear motion at every frequency
//     garcia-archilla    psi_1 = sinc,     phi = sinc
//     grimm-hochbruck    psi_1 = sinc^2,   phi = sinc
//     deuflhard          psi_1 = 1,        phi = 1
#include "engine/integrate/frozen_problem.h"
#include "engine/integrate/integrator.h"

namespace wobble {

class Gautschi final : public Integrator {
public:
    Gautschi(const IntegratorOptions& options, std::unique_ptr<PhiEvaluator> phi) : options_(options), phi_(std::move(phi)) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;

private:
    bool smooth(int power, double h, VecX& b, StepReport&);  // b <- sinc(xi)^power b

    IntegratorOptions options_;
    std::unique_ptr<PhiEvaluator> phi_;
    FrozenProblem frozen_;
    VecX s_, g_, x_, v_;  // kicks; flow
    VecX sx_, sv_;        // of smooth()
};

}  // namespace wobble
