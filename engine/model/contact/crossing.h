#pragma once
// Whether a vertex passes through a triangle, or an edge through an edge, when all corners move along straight lines: additive continuous
// collision detection (Li, Kaufman, Jiang 2021, section 5). Their distance shrinks at most by l per unit of time, l the largest relative
// displacement; advancing by a share of distance / l never jumps over a contact. A pair that comes nearer than a hundredth of the distance
// it began with counts as passing.
#include "engine/core/types.h"

#include <array>

namespace wobble {

using Corners = std::array<Vec3, 4>;  // vertex and triangle; or the two ends of one edge and of the other

bool vertex_meets_triangle(const Corners& x, const Corners& displacement);
bool edge_meets_edge(const Corners& x, const Corners& displacement);
// Whether the segment pq and the triangle have a point in common.
bool edge_cuts_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace wobble
