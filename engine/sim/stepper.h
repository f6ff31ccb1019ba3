#pragma once
// One step of the chosen method, judged before it is taken (robust stepping). A step is refused when
//   - it is not finite or its solver failed (Newton does not contract, a matrix is indefinite, CG stagnates),
//   - it gains energy that was not supplied (energy_book.h),
//   - the error control finds it too inaccurate.
// What is tried then is the decision of the RescueLadder: the same step, or all that is left of the step asked for, by methods that only
// ever lose energy, tr-bdf2 and then implicit-euler; settling (descent_fallback.h); only if all fail, or for other methods and reasons, the
// caller takes a shorter step or gives up. Steps a method was not asked for count as refused, too. Everything is counted, refused rescues
// included; under error control a step that others took over reports the error its motion shows (MotionDefect), which may be larger than
// the tolerance: being redone says that accuracy was given up for going on.
//
// A run that goes back to an earlier state continues as it did the first time: what the next step depends on besides the state is a
// Memory, small values to be kept with each state, and the states before it, as many as Memory::states() says. Exceptions, which restart
// there: methods with several steps (Adams-Bashforth, BDF), the splittings' constant part, and factors of earlier motion (cg-rest; rational
// Krylov where K does not change, as for exp-euler).
#include "engine/integrate/methods.h"
#include "engine/model/drivers/drivers.h"
#include "engine/sim/descent_fallback.h"
#include "engine/sim/energy_book.h"
#include "engine/sim/rescue_ladder.h"
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

    // What a step moves, and what goes by it.
    struct Motion {
        MechanicalSystem& system;
        Drivers& drivers;
        EnergyBook& book;
        State& state;
        State& next;  // scratch
    };

    void choose(const Method&, const SolverOptions&, const StepController&);
    const Method& method() const { return *method_; }
    StepController& control() { return control_; }
    const StepController& control() const { return control_; }
    RescueLadder& ladder() { return ladder_; }
    const RescueLadder& ladder() const { return ladder_; }
    bool implicit() const { return method_->info.family == Family::implicit_classical; }

    struct Memory {
        StepController control;
        RescueLadder ladder;
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

    // Tries one step of size h. On success the state has moved, by h or more if others took it over, and the book agrees; otherwise both
    // are untouched, internal variables included, and report() says why.
    // The report of a step that was taken counts the work of the refused ones before it.
    bool attempt(Motion, double h, const RescueLadder::Rules&);

    const StepReport& report() const { return report_; }
    void clear_report() { report_ = {}; }
    const Counters& counters() const { return counters_; }

private:
    bool run(Integrator&, Motion&, double h, const GuardLimits&);
    bool try_method(Motion&, double h, const RescueLadder::Rules&);
    bool accurate(Motion&, double h, bool good);
    bool rescue(Motion&, double h, const RescueLadder::Rules&);
    void refuse(Motion&);
    void take(Motion&, bool redone);

    void drive(Motion&, double h);
    void advance(Integrator&, Motion&, double h);
    void advance_with_contact(Integrator&, Motion&, double h);
    void end(Motion&);
    bool judge(Motion&, const GuardLimits&);

    bool redo(Motion&, double h);
    bool hand_over(Motion&, double h, const RescueLadder::Rules&);
    bool settle(Motion&, double h);
    template <class Take>
    bool largest_part(Motion&, double whole, double least, Take&&);
    void count_refused_rescue();
    bool rescued(const StepReport& refused, const char* by);
    std::unique_ptr<Integrator> surest(const Method&) const;

    const Method* method_ = nullptr;
    SolverOptions solver_;
    StepController control_;
    RescueLadder ladder_;
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
    StepBooks books_;  // of the step tried last
    Counters counters_;
    const Rescuer* last_rescuer_ = nullptr;  // of the step being taken
};

}  // namespace wobble
