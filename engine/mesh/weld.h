#pragma once
// Small repairs that never change a shape.
#include "engine/mesh/mesh.h"

namespace wobble {

// Merges vertices nearer than `distance` (the first one stays) and drops triangles that this flattens to an edge or a point.
void weld(TriMesh&, double distance);
void drop_unused_vertices(TriMesh&);

}  // namespace wobble
