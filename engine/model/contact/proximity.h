#pragma once
// Nearest points of a point and a triangle, and of two line segments (Ericson 2005, sections 5.1.5 and 5.1.9), as weights of their
// corners, and which part of the feature they lie on. Right for degenerate ones, too: a triangle without area is its edges, an edge
// without length a point.
#include "engine/core/types.h"

namespace wobble {

// Which part of a triangle: 0 to 2 its corner, 3 to 5 the edge opposite to corner part - 3, 6 the inside.
struct OnTriangle {
    double distance;
    Vec3 weights;  // of the corners, sum 1, none negative
    int part;
};
OnTriangle closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// Point a + s (b - a) of the first, c + t (d - c) of the second.
struct OnEdges {
    double distance;
    double s, t;
    bool inside;  // of both: 0 < s, t < 1
};
OnEdges closest_on_edges(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

struct OnSegment {
    double distance;
    double t;  // 0 and 1 exactly at its ends
};
OnSegment closest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b);

}  // namespace wobble
