#pragma once
// What of a state leaves the World: the drawn surface's unmoving part, a number that tells whether two states are the same, and what is
// to be seen before there is a World.
#include "engine/mesh/mesh.h"
#include "engine/model/state.h"
#include "engine/sim/snapshot.h"

#include <memory>

namespace wobble {

// before: of the same body with other pins, which is returned where they make no difference to what is seen.
std::shared_ptr<const SurfaceTopology> surface_topology(const BodyMesh&, const std::vector<std::uint8_t>& pinned,
                                                        const std::shared_ptr<const SurfaceTopology>& before = nullptr);
std::uint64_t hash_of(const State&);  // of t, q, v and internal variables, all bits

// A scene before a World has been made of it: its initial state, `preparing`. surface: of the same body, if it exists already,
// which makes this cheap however large the body is.
Snapshot first_snapshot(std::shared_ptr<const LoadedScene>, std::shared_ptr<const SurfaceTopology> surface = nullptr);

}  // namespace wobble
