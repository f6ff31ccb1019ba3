#pragma once
// What of a state leaves the World: the drawn surface's unmoving part, a number that tells whether two states are the same, and what is
// to be seen before there is a World.
#include "engine/mesh/mesh.h"
#include "engine/model/state.h"
#include "engine/sim/snapshot.h"

#include <memory>

namespace wobble {

std::shared_ptr<const SurfaceTopology> surface_topology(const BodyMesh&, const std::vector<std::uint8_t>& pinned);
std::uint64_t hash_of(const State&);  // of t, q, v, all bits

// A scene before a World has been made of it: its initial state, `preparing`. Cheap, however large the body.
Snapshot first_snapshot(std::shared_ptr<const LoadedScene>);

}  // namespace wobble
