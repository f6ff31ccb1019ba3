#pragma once
// Cutting planar (or nearly planar) polygons into triangles.
#include "engine/core/types.h"

#include <span>
#include <vector>

namespace wobble {

// Appends the triangles of the polygon `loop` (indices into points), same orientation, always loop.size() - 2 of them.
// Convex and concave polygons; a self-crossing or flattened one is cut somehow, for the surface check to judge.
void triangulate_polygon(const std::vector<Vec3>& points, std::span<const int> loop, std::vector<Triangle>& out);

}  // namespace wobble
