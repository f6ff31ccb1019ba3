#pragma once
// Held particles on the move: x(t) = X + amplitude sin(2 pi frequency t). Within a step they move on a straight line from x(t) to
// x(t + h), which every integrator understands (see constraints.h). The work they do is that of the force that keeps them on it,
//     - int (f_i - (D v)_i) . dx_i,   by the trapezoidal rule over the step.
#include "engine/model/drivers/driver.h"

#include <vector>

namespace wobble {

struct MovingPin {
    int particle;          // held
    Vec3 rest, amplitude;  // X, m
    double frequency;      // Hz
};

class MovingPins final : public Driver {
public:
    MovingPins() = default;
    explicit MovingPins(std::vector<MovingPin>);

    std::unique_ptr<Driver> clone() const override { return std::make_unique<MovingPins>(*this); }
    bool active() const override { return !pins_.empty(); }
    bool moves_particles() const override { return active(); }
    double longest_step() const override { return fastest_ > 0 ? 1 / (16 * fastest_) : 1e300; }  // longer ones cut corners of the path
    void begin(MechanicalSystem&, State& state, double h) override { drive(state, h); }
    void drive(State&, double h) const;  // sets the velocities that bring them to x(t + h)
    double work(const MechanicalSystem&, const State& before, const State& after) override;

private:
    std::vector<MovingPin> pins_;
    double fastest_ = 0;   // Hz
    VecX before_, after_;  // forces
};

}  // namespace wobble
