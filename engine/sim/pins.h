#pragma once
// Which particles a scene holds.
#include "engine/mesh/mesh.h"
#include "engine/model/constraints.h"
#include "engine/sim/scene.h"

#include <vector>

namespace wobble {

Constraints constraints(const std::vector<PinRule>&, const std::vector<Vec3>& rest);

}  // namespace wobble
