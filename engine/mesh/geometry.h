#pragma once
// Points, triangles, tetrahedra: small formulas shared by the mesh files.
#include "engine/core/types.h"

namespace wobble {

// The point of triangle abc nearest to p.
Vec3 closest_point_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// Sign of (b-a) x (c-a) . (d-a), the orientation of a tet; 0 when the points are coplanar within rounding.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Shape of a tet, 1 for the regular one, 0 for a flat one, negative when inverted: 6 sqrt(2) V / (root mean square edge)^3.
double tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Shape of a triangle, 1 for the equilateral one, 0 for a flat one: 4 sqrt(3) A / (sum of squared edges).
double triangle_quality(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace wobble
