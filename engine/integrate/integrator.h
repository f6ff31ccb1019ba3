#pragma once
// A time integrator: step in, step out. Owns workspace and history only; an unsuccessful step leaves `out` unspecified and
// `in` untouched, so rejection and retry are trivial.
#include "engine/core/saved_solver_state.h"
#include "engine/integrate/report.h"
#include "engine/model/mechanical_system.h"
#include "engine/model/state.h"
#include "engine/solve/solver_options.h"

namespace wobble {

struct IntegratorOptions {
    SolverOptions solver;
    bool error_estimate = false;  // wanted also from methods that have to work for it (MethodInfo::error_order says who has one)
};

class Integrator {
public:
    virtual ~Integrator() = default;
    // out = the state at in.t + h. `out` has the right sizes already; it is not the same object as `in`.
    // Internal variables are constant within a step: `out` has those of `in` already.
    virtual StepReport step(const MechanicalSystem&, const State& in, double h, State& out) = 0;
    // Forget the past: called whenever the state or the system changed other than by the last successful step.
    virtual void reset() {}
    // The last step's result was not taken: the next one starts from the same `in`. Methods that keep a history keep it.
    virtual void rejected() { reset(); }

    // What particles may move in is not what it was in the last step.
    virtual void constraints_changed() { reset(); }

    // To go on from an earlier state as the first time: how many accepted states before it the next step goes by; these are recalled after
    // a reset(), the oldest first, and then what had been learnt until there. Methods with several steps only restart.
    virtual int past() const { return 0; }
    virtual void recall(const State&) {}
    virtual void solver_state(SavedSolverState&) {}
};

}  // namespace wobble
