#pragma once
// Fewer triangles for the same shape.
#include "engine/mesh/mesh.h"

namespace wobble {

// Coarsens a closed manifold surface to about `vertices` vertices: closed, manifold and oriented in, the same out. Stops earlier when
// nothing can be removed without folding. Does not look for self-intersections: see self_intersection.h.
TriMesh simplify(const TriMesh&, int vertices);

}  // namespace wobble
