#pragma once
// What of a state leaves the World: the drawn surface's unmoving part, and a number that tells whether two states are the same.
#include "engine/mesh/mesh.h"
#include "engine/model/state.h"
#include "engine/sim/snapshot.h"

#include <memory>

namespace wobble {

std::shared_ptr<const SurfaceTopology> surface_topology(const BodyMesh&, const std::vector<std::uint8_t>& pinned);
std::uint64_t hash_of(const State&);  // of t, q, v, all bits

}  // namespace wobble
