#include "engine/model/drivers/moving_pins.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wobble {

MovingPins::MovingPins(std::vector<MovingPin> pins) : pins_(std::move(pins)) {
    for (const MovingPin& pin : pins_) fastest_ = std::max(fastest_, pin.frequency);
}

void MovingPins::drive(State& state, double h) const {
    for (const MovingPin& m : pins_) {
        const Vec3 goal = m.rest + std::sin(2 * std::numbers::pi * m.frequency * (state.t + h)) * m.amplitude;
        particle(state.v, m.particle) = (goal - particle(state.q, m.particle)) / h;
    }
}

double MovingPins::work(const MechanicalSystem& system, const State& before, const State& after) {
    if (pins_.empty()) return 0;
    before_.resize(before.q.size());  // memory once
    after_.resize(before.q.size());
    system.force(before.q, before.v, before_);
    system.force(after.q, after.v, after_);
    double sum = 0;
    for (const MovingPin& m : pins_)
        sum -= 0.5 * (particle(before_, m.particle) + particle(after_, m.particle))
                         .dot(particle(after.q, m.particle) - particle(before.q, m.particle));
    return sum;
}

}  // namespace wobble
