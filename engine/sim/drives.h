#pragma once
// Everything that moves a body from outside during a step: the hand, wind and moving pins. Before a step they set external forces
// and the velocities of held particles; after it they say how much work they did.
#include "engine/scene/pin_rules.h"
#include "engine/sim/grab.h"
#include "engine/sim/wind.h"

#include <optional>

namespace wobble {

struct Drivers {
    std::optional<Hand> hand;
    MovingPins pins;
    Wind wind;

    void begin(MechanicalSystem& system, State& state, double h) {
        if (hand) hand->pull(system, state, h);
        else system.external_force().setZero();
        wind.blow(system, state, h);
        pins.drive(state, h);
    }
    double work(const MechanicalSystem& system, const State& before, const State& after) {
        return (hand ? hand->work(before.q, after.q) : 0) + wind.work(before.q, after.q) + pins.work(system, before, after);
    }
    void let_go(MechanicalSystem& system) {
        hand.reset();
        Hand::let_go(system);
    }
};

}  // namespace wobble
