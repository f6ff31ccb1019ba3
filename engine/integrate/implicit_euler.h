#pragma once
// Implicit (backward) Euler, BDF-1 (Hauth 2004, section 2.3), solved by Newton to convergence:
//     v+ = v + h W ( f(q+) + f_ext - D(q+) v+ ),     q+ = q + h v+
// which is the stage equation with q^ = q, v^ = v, g = h.
// Linearly implicit Euler (Baraff, Witkin 1998) is one Newton iteration from x = q, that is
//     ( M + h D(q) + h^2 K(q) ) (v+ - v) = h ( f(q) + f_ext - D(q) v - h K(q) v ),     q+ = q + h v+.
#include "engine/integrate/extrapolation.h"
#include "engine/integrate/implicit_stage.h"
#include "engine/integrate/integrator.h"

namespace wobble {

class ImplicitEuler final : public Integrator {
public:
    explicit ImplicitEuler(const IntegratorOptions& options) : stage_(options.solver) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;
    void reset() override { start_.reset(); }
    int past() const override { return start_.past(); }
    void recall(const State& accepted) override { start_.recall(accepted); }
    void solver_state(SavedSolverState& numbers) override { stage_.solver_state(numbers); }
    void rejected() override {}  // the start values' past stays as it is

private:
    ImplicitStage stage_;
    Extrapolation start_;
};

class LinearImplicitEuler final : public Integrator {
public:
    explicit LinearImplicitEuler(const IntegratorOptions& options) : stage_(options.solver) {}
    StepReport step(const MechanicalSystem&, const State& in, double h, State& out) override;

private:
    ImplicitStage stage_;
};

}  // namespace wobble
