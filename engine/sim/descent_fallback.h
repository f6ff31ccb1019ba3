#pragma once
// The last resort of robust stepping, for states that no method can follow: a body turned inside out, made a million times stiffer by a
// slider, with Rayleigh damping beta K(q) that drives where K is indefinite. The body gives up its velocity and its damping and goes
// downhill in
//     Phi(x) = |x - q - h w|_M^2 / 2 + h^2 (U(x) - f_ext x),     v+ = P (x - q) / h + w,     w = (1 - P) v: moving pins go on,
// which is an implicit Euler step from rest. Phi(x) <= Phi(q) means |v+|_M^2 / 2 + U(x) <= U(q) + work of f_ext: nothing is gained even if
// the minimum is not reached, so a few Newton directions with Armijo's rule do, and where there is none the body just stops.
#include "engine/integrate/integrator.h"
#include "engine/solve/linear/step_matrix_solver.h"

#include <optional>

namespace wobble {

class DescentFallback final : public Integrator {
public:
    static constexpr const char* id = "settling";
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;  // the system without damping

private:
    double phi(const MechanicalSystem&, const VecX& x, double h);

    std::shared_ptr<const BlockPattern> pattern_;  // what matrix_ was made for
    std::optional<StepMatrixSolver> matrix_;
    VecX free_, w_, start_, G_, p_, trial_, moved_;
};

}  // namespace wobble
