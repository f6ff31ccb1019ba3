#pragma once
// Which particles a scene holds, and how it moves them.
#include "engine/mesh/mesh.h"
#include "engine/model/constraints.h"
#include "engine/model/mechanical_system.h"
#include "engine/scene/scene.h"

#include <span>
#include <vector>

namespace wobble {

std::vector<Constraint> held_by(const std::vector<PinRule>&, std::span<const Vec3> rest);  // of one body, particles counted from its first
Constraints constraints(const std::vector<PinRule>&, std::span<const Vec3> rest);
PinRule patch_around(const Vec3& rest_point, std::span<const Vec3> rest);  // holds at least one particle near the point
int particles_in(const PinRule&, std::span<const Vec3> rest);              // how many the rule catches

// Held particles on the move: x(t) = X + amplitude sin(2 pi frequency t). Within a step they move on a straight line from x(t) to
// x(t + h), which every integrator understands (see constraints.h). The work they do is that of the force that keeps them on it,
//     - int (f_i - (D v)_i) . dx_i,   by the trapezoidal rule over the step.
class MovingPins {
public:
    MovingPins() = default;
    MovingPins(const std::vector<PinRule>&, const std::vector<Vec3>& rest);
    bool any() const { return !moving_.empty(); }
    double longest_step() const { return fastest_ > 0 ? 1 / (16 * fastest_) : 1e300; }  // s; longer ones cut corners of the path
    void drive(State&, double h) const;                                                 // sets the velocities that bring them to x(t + h)
    double work(const MechanicalSystem&, const State& before, const State& after);      // J

private:
    struct Moving {
        int particle;
        Vec3 rest, amplitude;
        double frequency;
    };
    std::vector<Moving> moving_;
    double fastest_ = 0;   // Hz
    VecX before_, after_;  // forces
};

}  // namespace wobble
