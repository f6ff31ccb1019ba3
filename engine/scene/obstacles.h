#pragma once
// The obstacles of a scene: their files, the floor under the bodies, what values may be.
#include "engine/scene/loaded_scene.h"

#include <vector>

namespace wobble {

// Reads the meshes that are not there yet.
Result<void> load_obstacles(std::vector<Obstacle>&);

// Height of the ground, drawn and touched: of the lowest point of bodies at rest and of obstacles at the beginning; well below the bodies
// when pins hold them elsewhere than at their foot, for then they need room to swing.
double ground_under(const LoadedScene&, const RunSettings&);

// With contact.floor the plane "floor" at this height is the first obstacle, unless one of that name is there; without, there is none.
void put_floor(RunSettings&, double height);
// The obstacle that is drawn as the ground: a level plane called "floor". -1: none.
int floor_of(const RunSettings&);

// One sentence on what of this obstacle cannot be.
Result<void> check_obstacle(const Obstacle&);

}  // namespace wobble
