#pragma once
// Keeps the energy account of a run and judges every step by it before the new state is published.
//     error = kinetic + elastic + potential + dissipated - supplied - initial
// is zero for exact motion. The guard looks at what was gained without supply, kinetic + elastic + potential - supplied, since
// damping only takes. A step is refused when it is not finite, or when it alone, or the run so far, gained more than given shares of the
// largest kinetic or elastic energy seen: a share of 1 is an explosion on screen. What forces took at the end of the step (StepBooks) does
// not hide a gain of the step before it.
//
// Dissipation: with D = D(midpoint) and the mean velocity w = (q+ - q)/h, the work of damping over a step is at least h w^T D w
// (Cauchy-Schwarz) and, for decaying motion, at most the trapezoid of v^T D v. Resolved, both agree to O(h^3); where a step jumps
// over fast decay they do not, and then the energy the step lost is booked as far as it lies between them.
#include "engine/integrate/report.h"
#include "engine/model/energies.h"
#include "engine/model/mechanical_system.h"
#include "engine/model/state.h"

#include <optional>

namespace wobble {

struct GuardLimits {
    double step_gain;   // what one step may gain, as a share of the largest energy seen
    double total_gain;  // what the run may have gained
    double slight = 0;  // what a step may gain all the same when the run has gained more: what a method's energy swings by
};

class EnergyBook {
public:
    void begin(const MechanicalSystem&, const State& initial);  // opens a new account
    void rebase(const MechanicalSystem&, const State&);         // parameters were edited: the difference counts as supplied
    // What the account would be after a step from `before` to `after` during which drivers did `work`, and at whose end forces did what
    // `books` says; accept() makes it so. `elastic`: that energy of `after`, if it is known already.
    StepStatus examine(const MechanicalSystem&, const State& before, const State& after, double work, const StepBooks& books,
                       const GuardLimits&, std::optional<double> elastic = {});
    void accept() { energies_ = examined_, power_ = examined_power_, largest_ = examined_largest_; }

    // The account as a value, to go back to an earlier state of the same run.
    struct Account {
        Energies energies;
        double power = 0, largest = 0, base = 0;
    };
    Account account() const { return {energies_, power_, largest_, base_}; }
    void restore(const Account& a) { energies_ = a.energies, power_ = a.power, largest_ = a.largest, base_ = a.base; }

    const Energies& energies() const { return energies_; }
    // What the run has gained without supply since it began or was edited, as a share of the largest energy seen.
    double gained_share() const { return (energies_.total() - energies_.supplied - base_) / largest_; }

private:
    void measure(const MechanicalSystem&, const State&, Energies&, std::optional<double> elastic = {}) const;
    double natural_scale(const MechanicalSystem&) const;
    double dissipated(const MechanicalSystem&, const State& before, const State& after, double lost);

    Energies energies_, examined_;
    double power_ = 0, examined_power_ = 0;      // dissipation, W
    double largest_ = 0, examined_largest_ = 0;  // the scale gains are compared with, J
    double base_ = 0;                            // what total - supplied was when the scale was set
    double gravity_reference_ = 0;               // gravity's energy at the initial state
    double extent_ = 0;                          // m, of the body
    VecX initial_q_, scratch_, mean_q_, mean_v_;
};

}  // namespace wobble
