#pragma once
// What to try when a step was refused: the decisions of robust stepping as a value, without a body, a method or a clock. The rungs, in
// the order in which they are tried:
//   redo       at the same size by methods that only ever lose energy (tr-bdf2, implicit-euler): implicit methods whose step failed
//   hand_over  the whole step asked for, or the largest part of it they can take, to the same methods: exponential methods whose
//              phi-functions cannot be evaluated, or whose steps step control has made hopelessly short
//   settle     downhill without velocity (descent_fallback.h), under step control: where the rescuers fail, too
//   shorten    a shorter step of the chosen method, where the step may be shortened; always where bodies touch
//   give_up    the run pauses
// While an exponential method takes no step worth mentioning itself, it hands over four times sooner every time, and from the fourth time
// on it is only asked again after 4, 8, 16 and 32 handovers, so that hopeless motion costs little more than the rescue; after 64 it begins
// anew.
// Shortened steps double again after 16 good ones. A method's own step that lets energy grow slowly is halved for good (watch_drift).
// The ladder's memory is kept with each state of a run, so that going back continues as the first time.
#include "engine/integrate/methods.h"
#include "engine/integrate/report.h"
#include "engine/sim/energy_book.h"

#include <optional>

namespace wobble {

enum class Rescue { redo, hand_over, settle, shorten, give_up };

class RescueLadder {
public:
    static constexpr double first_gain = 0.03;  // of the largest energy: a drift that a method's own step should not have

    // The present settings of a run.
    struct Rules {
        Family family = Family::exponential;  // of the chosen method
        bool controlled = false;              // step control decides how long steps are
        bool own_step = true;                 // no step was asked for: it is the method's choice
        bool may_halve = false;               // automatic halving was asked for
        bool touching = false;                // a body touches something
        double step = 0, longest = 0;         // s: the present step, and what step control may not exceed
        double whole = 0;                     // s: what is left of the step asked for
        double hopeless = 0;                  // s: a refused step that is not longer is handed over; 0: none is
        bool implicit() const { return family == Family::implicit_classical; }
    };
    struct Refusal {
        StepStatus status = StepStatus::ok;  // ok: refused by the error control
        double h = 0;                        // s
        std::optional<Rescue> tried = {};    // the last rung that failed
        bool stopped = false;                // the run is to end soon
    };

    Rescue next(const Rules&, const Refusal&) const;
    bool may_shorten(const Rules&) const;
    bool asks_method(const Rules&) const;             // false: hand over at once
    GuardLimits limits(const Rules&) const;           // for the chosen method; stricter where there is another try
    static GuardLimits rescue_limits();               // for the rescuers
    double least_part(const Rules&, double h) const;  // s: of the step that is handed over
    // Steps of an exponential method that are not worth taking, s: with a step asked for of `asked` seconds, of a body with frequencies up
    // to omega and damping rates up to d, rad/s, at this error tolerance.
    static double hopeless_step(double asked, double omega, double d, double error_tolerance);

    // What happened.
    void taken(const Rules&, double h);      // the method took a step of size h itself
    void rescued(Rescue by);                 // a rung took the step
    void fell(std::optional<Rescue> tried);  // no rung within the step did
    void shortened(const Rules&, double h);  // a step of size h is to be replaced by a shorter one
    void good_step(bool touching = false);   // the run has moved on, by whichever method; a body touched something in it
    void watch_drift(const Rules&, double gained_share);

    double step_fraction() const { return step_fraction_; }  // of the step asked for or of the method's own
    bool settled() const { return settled_; }
    int handovers() const { return handovers_; }
    void forget() { *this = {}; }
    void choose_method() { step_fraction_ = 1, handovers_ = 0, settled_ = false; }
    void choose_step() { step_fraction_ = 1; }

private:
    bool hopeless(const Rules&, const Refusal&) const;
    bool near_impact(const Rules&) const;

    double step_fraction_ = 1, lasting_fraction_ = 1;  // after halving; what it grows back to
    double watched_gain_ = first_gain;                 // the gain that halves the lasting fraction
    int good_in_a_row_ = 0;
    bool for_impact_ = false;  // the last shortening
    int since_touch_ = 1000;   // steps
    int handovers_ = 0;        // since the method took a step worth mentioning itself
    bool settled_ = false;     // the last handover
};

}  // namespace wobble
