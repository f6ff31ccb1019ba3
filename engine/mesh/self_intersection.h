#pragma once
// Where a surface cuts through itself.
#include "engine/mesh/mesh.h"

namespace wobble {

// Triangles that meet another one elsewhere than at their common corners and edges, ascending; touching counts.
// Stops looking after `enough` triangles. All coordinates must be finite; triangles with a repeated corner are ignored.
std::vector<int> self_intersections(const TriMesh&, std::size_t enough = 20000);

}  // namespace wobble
