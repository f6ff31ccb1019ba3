#pragma once
// Which particles a scene holds, and how it moves them.
#include "engine/mesh/mesh.h"
#include "engine/model/constraints.h"
#include "engine/model/drivers/moving_pins.h"
#include "engine/scene/scene.h"

#include <span>
#include <vector>

namespace wobble {

// Of one body, particles counted from its first.
std::vector<Constraint> held_by(const std::vector<PinRule>&, std::span<const Vec3> rest);
Constraints constraints(const std::vector<PinRule>&, std::span<const Vec3> rest);
PinRule patch_around(const Vec3& rest_point, std::span<const Vec3> rest);  // holds at least one particle near the point
int particles_in(const PinRule&, std::span<const Vec3> rest);              // how many the rule catches
// The held particles that rules move, and how. Of two rules that hold a particle the later one decides whether and how it moves.
std::vector<MovingPin> moving_pins(const std::vector<PinRule>&, std::span<const Vec3> rest);

}  // namespace wobble
