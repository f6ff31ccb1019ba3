#pragma once
// Keeps the energy account of a run and judges every step by it before anybody sees the new state.
//     error = kinetic + elastic + potential + dissipated - supplied - initial
// is zero for exact motion. A step is refused when it is not finite, or when the error exceeds the largest kinetic or elastic
// energy seen so far: energy nobody supplied, which on screen is an explosion. Where a shorter step can be tried instead, a
// step that alone gains a small share of that energy is refused already: explosions are cured only at their beginning.
#include "engine/integrate/report.h"
#include "engine/model/energies.h"
#include "engine/model/mechanical_system.h"
#include "engine/model/state.h"

namespace wobble {

class EnergyBook {
public:
    void begin(const MechanicalSystem&, const State& initial);   // opens a new account
    void rebase(const MechanicalSystem&, const State&);          // parameters were edited: the difference counts as supplied
    // What the account would be after a step of length h to `state` during which grabs did `work`; accept() makes it so.
    // `largest_gain`: what one step may gain, as a share of the largest energy seen.
    StepStatus examine(const MechanicalSystem&, const State&, double h, double work, double largest_gain);
    void accept() { energies_ = examined_, power_ = examined_power_, largest_ = examined_largest_; }

    const Energies& energies() const { return energies_; }

private:
    void measure(const MechanicalSystem&, const State&, Energies&);

    Energies energies_, examined_;
    double power_ = 0, examined_power_ = 0;        // dissipation, W
    double largest_ = 0, examined_largest_ = 0;    // the scale errors are compared with, J
    VecX initial_q_, scratch_;
};

}  // namespace wobble
