#pragma once
// Which particles a scene holds.
#include "engine/mesh/mesh.h"
#include "engine/sim/scene.h"

#include <cstdint>
#include <vector>

namespace wobble {

std::vector<std::uint8_t> pinned_vertices(const std::vector<PinRule>&, const TetMesh&);  // one flag per vertex

}  // namespace wobble
