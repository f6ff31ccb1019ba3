#pragma once
// One step of the chosen method, judged before its state is published (robust stepping). A step is refused when
//   - it is not finite or its solver failed (Newton does not contract, a matrix is indefinite, CG stagnates),
//   - it gains energy without external work (energy_book.h),
//   - the error control finds it too inaccurate.
// A refused step of an implicit method is redone at the same size by methods that only ever lose energy, tr-bdf2 and then
// implicit-euler. An exponential method hands over to them when its phi-functions cannot be evaluated, or when step control has made its
// steps hopelessly short (Handover): resolving invisible vibration must not stop the simulation. What they take then is the
// whole step asked for, or as much of it as they can. While the method takes no step worth mentioning itself, it hands over four times
// sooner every time, and from the fourth time on it is only asked again after 4, 8, 16 and 32 of them, so that hopeless motion costs
// little more than the rescue; after 64 it begins anew. Steps it was not asked for count as refused, too.
// Where they fail, too, the body settles (settling.h).
// Only if all fail, or for other methods and reasons, the caller takes a shorter step or gives up. Everything is counted, refused rescues
// included; under error control a step that others took over reports the error its motion shows (MotionDefect), which may be larger than
// the tolerance: being redone says that accuracy was given up for going on.
//
// A run that goes back to an earlier state continues as it did the first time: what the next step depends on besides the state is a
// Memory, small values to be kept with each state, and the states before it, as many as Memory::states() says. Exceptions, which restart
// there: methods with several steps (Adams-Bashforth, BDF), the splittings' constant part, and factors of earlier motion (cg-rest; rational
// Krylov where K does not change, as for exp-euler).
#include "engine/integrate/methods.h"
#include "engine/sim/descent_fallback.h"
#include "engine/sim/drives.h"
#include "engine/sim/energy_book.h"
#include "engine/sim/step_control.h"

#include <memory>
#include <span>
#include <vector>

namespace wobble {

class Stepper {
public:
    struct Counters {
        long newton_iterations = 0, linear_iterations = 0, operator_products = 0, force_evaluations = 0, factorizations = 0, solves = 0;
        std::uint64_t tries = 0, rejected = 0, redone = 0;  // all; steps refused; of these redone by a dissipative method
    };

    struct Handover {
        double whole = 0;     // s, what is left of the step asked for
        double hopeless = 0;  // s, a refused step that is not longer is handed over; 0: never
    };

    void choose(const Method&, const SolverOptions&, const StepController&);
    const Method& method() const { return *method_; }
    StepController& control() { return control_; }
    const StepController& control() const { return control_; }
    bool implicit() const { return method_->info.family == Family::implicit_classical; }

    struct Memory {
        StepController control;
        int handovers = 0;
        bool settled = false;
        int past = 0;                   // states before this one that the method goes by
        double defect_step = 0;         // s, the last one, if its motion is known
        int rescuer = -1, rescues = 0;  // who took the last steps, and how many of them
        std::vector<double> solver_state;
        int states() const;  // before this one that recall() wants
    };
    Memory memory();
    // `before`: the states before `now`, the oldest first, as many as memory.states() says.
    void recall(const Memory& memory, std::span<const State* const> before, const State& now);

    // Forgets the past, keeps the method; `counters` too if the run starts anew.
    void reset();
    void reset_counters() { counters_ = {}; }

    // Tries one step of size h. On success `state` has moved, by h or more if others took it over, and the book agrees; otherwise both
    // are untouched and report() says why.
    // The report of a step that was taken counts the work of the refused ones before it.
    bool attempt(MechanicalSystem&, Drivers&, EnergyBook&, State& state, State& scratch, double h, bool strict, const Handover&);

    const StepReport& report() const { return report_; }
    void clear_report() { report_ = {}; }
    const Counters& counters() const { return counters_; }

private:
    bool run(Integrator&, MechanicalSystem&, Drivers&, EnergyBook&, const State&, State& next, double h, const GuardLimits&);
    bool redo(MechanicalSystem&, Drivers&, EnergyBook&, const State&, State& next, double h);
    bool hand_over(MechanicalSystem&, Drivers&, EnergyBook&, State&, State& next, double h, double whole);
    bool settle(MechanicalSystem&, Drivers&, EnergyBook&, const State&, State& next, double h);
    void try_step(Integrator&, MechanicalSystem&, const State&, State& next, double h);
    bool judge(MechanicalSystem&, Drivers&, EnergyBook&, const State&, const State& next, const GuardLimits&);
    void count_refused_rescue();
    bool rescued(const StepReport& refused, const char* by);
    std::unique_ptr<Integrator> surest(const Method&) const;
    bool hopeless(double h, const Handover&) const;
    bool waiting() const;

    const Method* method_ = nullptr;
    SolverOptions solver_;
    StepController control_;
    std::unique_ptr<Integrator> integrator_;
    struct Rescuer {
        const Method* method;
        std::unique_ptr<Integrator> integrator;  // made when first needed
        int steps = 0;                           // it has taken one after the other until now
    };
    std::vector<Rescuer> rescuers_;
    MotionDefect defect_;
    std::unique_ptr<DescentFallback> descent_;  // made when first needed
    VecX held_velocity_;                        // the state's, while pins are driven
    StepReport report_, refused_;
    Counters counters_;
    bool settled_ = false;                   // the last handover
    const Rescuer* last_rescuer_ = nullptr;  // of the step being taken
    int handovers_ = 0;                      // since the method took a step worth mentioning itself
};

}  // namespace wobble
