#pragma once
// Fewer triangles for the same shape.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

// Coarsens a closed manifold surface to about `vertices` vertices: closed, manifold and oriented in, the same out. Stops earlier when
// nothing can be removed without folding, or when keep_going(fraction) says so. Does not look for self-intersections: see
// self_intersection.h.
TriMesh simplify(const TriMesh&, int vertices, const std::function<bool(double)>& keep_going = {});

}  // namespace wobble
