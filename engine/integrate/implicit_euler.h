#pragma once
// Implicit (backward) Euler, BDF-1 (seed paper 002, section 2.3), solved by Newton to convergence:
//     v+ = v + h W ( f(q+) + f_ext - D(q) v+ ),     q+ = q + h v+
// q+ minimises, over the free particles and with q^ = q + h v,
//     Phi(x) = 1/2 |x - q^|_M^2 + h^2 ( U(x) - f_ext . x ) + h/2 (x - q)^T D(q) (x - q),
// where D is frozen at the start of the step (it stays first order and keeps a potential to descend).
#include "engine/integrate/integrator.h"
#include "engine/solve/newton.h"

#include <memory>

namespace wobble {

class ImplicitEuler final : public Integrator {
public:
    explicit ImplicitEuler(const IntegratorOptions& options) : options_(options) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;

private:
    struct Workspace;
    IntegratorOptions options_;
    std::shared_ptr<Workspace> work_;  // made in the first step, for the system's pattern
};

}  // namespace wobble
