#pragma once
// What moves a system from outside during a step. Before a step a driver adds its force to the system's f_ext, which is constant within
// the step so that every integrator sees a plain external force, and sets the velocities of held particles it moves; after it, it says how
// much work it did.
#include "engine/model/mechanical_system.h"
#include "engine/model/state.h"

#include <memory>

namespace wobble {

class Driver {
public:
    virtual ~Driver() = default;
    virtual std::unique_ptr<Driver> clone() const = 0;
    virtual bool active() const = 0;                        // whether it does anything at present
    virtual bool moves_particles() const { return false; }  // sets velocities in begin()
    virtual double longest_step() const { return 1e300; }   // s; longer ones do not follow it
    // The state is that at the begin of a step of size h. Called again for every other step that is tried from there.
    virtual void begin(MechanicalSystem&, State&, double h) = 0;
    virtual double work(const MechanicalSystem&, const State& before, const State& after) = 0;  // J, since the last begin()
    virtual void let_go() {}  // the user's grip, where a driver is one; the motion of a scene goes on
};

}  // namespace wobble
