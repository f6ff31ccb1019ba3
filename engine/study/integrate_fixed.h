#pragma once
// An integrator over equal steps, called directly on the system: no rescue, no guard, no step control. What a study measures is the method.
// Steps begin and end as those of the World do, so that forces with pairs or internal variables of their own move the same.
#include "engine/integrate/integrator.h"
#include "engine/sim/step_control.h"

#include <functional>
#include <string>

namespace wobble {

struct FixedRun {
    std::string status = "ok";  // "diverged", "too_slow", "stopped", or the failure of the step (sim/status_name.h)
    std::string message;        // of the failed step
    long steps = 0;             // that succeeded
    long rejected = 0;          // too inaccurate, or failed and repeated: only with error control
    long operator_products = 0, force_evaluations = 0, factorizations = 0, newton_iterations = 0;
    const char* phi_path = nullptr;  // of the last step: the evaluator that did the work; null: no phi-functions
    double seconds = 0;              // inside the integrator only
    State end;                       // the last good state
    bool ok() const { return status == "ok"; }
};

// After every step; the text it returns, if any, becomes the status and ends the run.
using AfterStep = std::function<const char*(long step, const State&, const FixedRun& so_far)>;

// Before every step: what drives the system (moving pins, wind) sets velocities of held particles and external forces here.
using BeforeStep = std::function<void(State&, double h)>;

FixedRun integrate_fixed(MechanicalSystem&, Integrator&, const State& start, double h, long steps, const AfterStep& = {},
                         const BeforeStep& = {});

// The same from start.t to `end`, with steps chosen by the method's own error estimate, at most `longest`; no rescue, no guard. A method
// that cannot go on with a thousandth of `longest` has failed.
FixedRun integrate_controlled(MechanicalSystem&, Integrator&, const State& start, double end, double longest, StepController,
                              const AfterStep& = {});

}  // namespace wobble
