#include "engine/sim/rescue_ladder.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace wobble {

namespace {

// Explosions are cured only at their beginning, so wherever another try is possible a step is judged strictly.
constexpr GuardLimits explosion_only{.step_gain = 1, .total_gain = 1};
constexpr GuardLimits shorter_step_possible{.step_gain = 0.02, .total_gain = 1};
constexpr GuardLimits impact{.step_gain = 0.005, .total_gain = 0.01, .slight = 0.0005};
constexpr GuardLimits rescue_possible{.step_gain = 0.1, .total_gain = 0.1};

constexpr double shortest_fraction = 1e-3;                      // of a step, after automatic halving
constexpr double shortest_contact = 1e-4;                       // of a step, where surfaces would pass through each other
constexpr double shortest_controlled = 1e-6;                    // of the longest step, under step control
constexpr double patience = 256, patience_with_visible = 4096;  // controlled steps in one step asked for, see hopeless_step()
constexpr double worth_mentioning = 16;                         // times a hopeless step
constexpr int good_steps_after_impact = 2;
constexpr int steps_after_touch = 240;
constexpr int good_steps = 16;  // before a shortened step grows

}  // namespace

Rescue RescueLadder::next(const Rules& rules, const Refusal& refusal) const {
    if (refusal.stopped) return Rescue::give_up;
    if (refusal.status == StepStatus::contact) return may_shorten(rules) ? Rescue::shorten : Rescue::give_up;
    if (!refusal.tried && hopeless(rules, refusal)) return Rescue::hand_over;
    if (!refusal.tried && rules.implicit() && refusal.status != StepStatus::ok) return Rescue::redo;
    if (refusal.tried == Rescue::hand_over && rules.controlled) return Rescue::settle;
    return may_shorten(rules) ? Rescue::shorten : Rescue::give_up;
}

// Whether a refused step is handed over.
bool RescueLadder::hopeless(const Rules& rules, const Refusal& refusal) const {
    if (rules.family != Family::exponential) return false;
    const double sooner = std::ldexp(1.0, 2 * std::min(handovers_, 10));  // 4^n
    return refusal.status == StepStatus::krylov_stagnated || (rules.controlled && refusal.h <= sooner * rules.hopeless);
}

// The method's own step, or one asked for together with automatic halving, may be replaced by shorter ones; so may those of implicit
// methods, which are chosen for calm before anything else, and controlled ones by their nature.
bool RescueLadder::may_shorten(const Rules& rules) const {
    if (rules.controlled) return rules.step > shortest_controlled * rules.longest;
    if (near_impact(rules) && step_fraction_ > shortest_contact) return true;  // an impact, whose place in time is what a long step lacks
    return (rules.own_step || rules.may_halve || rules.implicit()) && step_fraction_ > shortest_fraction;
}

bool RescueLadder::asks_method(const Rules& rules) const {
    const bool waiting = rules.controlled && rules.family == Family::exponential && handovers_ > 4 &&
                         !std::has_single_bit(static_cast<unsigned>(handovers_));
    return !waiting;
}

GuardLimits RescueLadder::limits(const Rules& rules) const {
    if (near_impact(rules)) return impact;
    return rules.implicit() ? rescue_possible : may_shorten(rules) ? shorter_step_possible : explosion_only;
}

GuardLimits RescueLadder::rescue_limits() { return shorter_step_possible; }

// What the rescuers cannot do in a 64th they cannot do in steps that get anywhere, either; after settling they have one try.
double RescueLadder::least_part(const Rules& rules, double h) const {
    const double whole = rules.controlled ? rules.whole : h;
    return std::max(settled_ ? whole : whole / 64, h);
}

// An exponential method hands over when the error wants more than `patience` steps in the step asked for only to resolve what is too
// fast to be seen; where so many resolve everything, motion that is visible wants them, and may have more of them: the more, the finer
// the tolerance.
double RescueLadder::hopeless_step(double asked, double omega, double d, double error_tolerance) {
    const double visible = std::max(1.0, 1e-3 / error_tolerance);
    return asked / (asked * std::max(omega, d) > patience ? patience : patience_with_visible * visible);
}

void RescueLadder::taken(const Rules& rules, double h) {
    if (h >= worth_mentioning * rules.hopeless) handovers_ = 0;
}

void RescueLadder::rescued(Rescue by) {
    if (by != Rescue::hand_over && by != Rescue::settle) return;
    settled_ = by == Rescue::settle;
    handovers_ = (handovers_ + 1) % 64;
}

void RescueLadder::fell(std::optional<Rescue> tried) {
    if (tried == Rescue::hand_over || tried == Rescue::settle) settled_ = false, handovers_ = 0;  // all depends on the method
}

void RescueLadder::shortened(const Rules& rules, double h) {
    if (!rules.controlled) step_fraction_ *= 0.5 * h / rules.step;  // from the step that failed, which may have been shorter
    good_in_a_row_ = 0;
    for_impact_ = near_impact(rules);
}

// What an impact has done to a body goes on after it has left.
bool RescueLadder::near_impact(const Rules& rules) const { return rules.touching || since_touch_ < steps_after_touch; }

void RescueLadder::good_step(bool touching) {
    since_touch_ = touching ? 0 : std::min(since_touch_ + 1, steps_after_touch);
    if (step_fraction_ < lasting_fraction_ && ++good_in_a_row_ >= (for_impact_ ? good_steps_after_impact : good_steps))
        step_fraction_ = std::min(lasting_fraction_, 2 * step_fraction_), good_in_a_row_ = 0;
}

// Too small for the guard in any single step, but adding up: the body stiffens where it is bent, so the own step is too long for this
// motion. It is halved for good whenever another share of the energy has come from nowhere.
void RescueLadder::watch_drift(const Rules& rules, double gained_share) {
    if (!rules.own_step || rules.controlled || rules.implicit() || gained_share < watched_gain_) return;
    watched_gain_ = gained_share + first_gain;
    lasting_fraction_ = std::max(0.5 * lasting_fraction_, 1.0 / 64);
    step_fraction_ = std::min(step_fraction_, lasting_fraction_);
}

}  // namespace wobble
