#pragma once
// One step of the chosen method, judged before anybody sees it (robust stepping). A step is refused when
//   - it is not finite or its solver failed (Newton does not contract, a matrix is indefinite, CG stagnates),
//   - it gains energy that nobody supplied (energy_book.h),
//   - the error control finds it too inaccurate.
// A refused step of an implicit method is redone at the same size by methods that only ever lose energy, tr-bdf2 and then
// implicit-euler; so is a step of an exponential method whose phi-functions could not be evaluated, or that was refused although step
// control had made it short already (`tired`). Only if they fail too, or for other
// methods and reasons, the caller takes a shorter step or gives up. Everything is counted.
#include "engine/integrate/methods.h"
#include "engine/sim/drives.h"
#include "engine/sim/energy_book.h"
#include "engine/sim/step_control.h"

#include <memory>
#include <vector>

namespace wobble {

class Stepper {
public:
    struct Counters {
        long newton_iterations = 0, linear_iterations = 0, operator_products = 0, force_evaluations = 0, factorizations = 0, solves = 0;
        std::uint64_t tries = 0, rejected = 0, redone = 0;  // all; steps refused; of these redone by a dissipative method
    };

    void choose(const Method&, const SolverOptions&, const StepController&);
    const Method& method() const { return *method_; }
    StepController& control() { return control_; }
    const StepController& control() const { return control_; }
    bool implicit() const { return method_->info.family == Family::implicit_classical; }

    // Forgets the past, keeps the method; `counters` too if the run starts anew.
    void reset();
    void reset_counters() { counters_ = {}; }

    // Tries one step of size h. On success `state` has moved and the book agrees; otherwise both are untouched and report() says why.
    // The report of a step that was taken counts the work of the refused ones before it.
    bool attempt(MechanicalSystem&, Drives&, EnergyBook&, State& state, State& scratch, double h, bool strict, bool tired = false);

    const StepReport& report() const { return report_; }
    void clear_report() { report_ = {}; }
    const Counters& counters() const { return counters_; }

private:
    bool run(Integrator&, MechanicalSystem&, Drives&, EnergyBook&, const State&, State& next, double h, const GuardLimits&);
    bool redo(MechanicalSystem&, Drives&, EnergyBook&, const State&, State& next, double h);

    const Method* method_ = nullptr;
    SolverOptions solver_;
    StepController control_;
    std::unique_ptr<Integrator> integrator_;
    struct Rescuer {
        const Method* method;
        std::unique_ptr<Integrator> integrator;  // made when first needed
    };
    std::vector<Rescuer> rescuers_;
    MotionDefect defect_;
    VecX held_velocity_;  // the state's, while pins are driven
    StepReport report_, refused_;
    Counters counters_;
};

}  // namespace wobble
