#pragma once
// Where an obstacle is so sharp or so small that it can enter a body's surface between the vertices: points of its own surface, in its
// own frame, to be tested against the triangles of bodies. Everywhere else it is enough that no vertex of a body is inside it.
//     box       its corners and points of its edges
//     cylinder  points of its rims; of its whole surface if its radius is below `spacing`
//     ball, capsule   nothing, unless the radius is below `spacing`: then points all around
//     mesh      its convex edges with a bend of more than 30 degrees, or a radius of curvature below `spacing`
//     plane     nothing
#include "engine/model/contact/obstacle.h"

#include <array>
#include <vector>

namespace wobble {

struct SharpFeatures {
    std::vector<Vec3> points;                // corners, and all points of what is small
    std::vector<std::array<Vec3, 2>> edges;  // pieces of sharp edges
};
// `spacing`: m, about the length of an edge of the bodies' surfaces.
SharpFeatures sharp_features(const Obstacle&, double spacing);
// The points, and points of the edges at most half of `spacing` apart, at most `most` of them: then farther apart.
std::vector<Vec3> sharp_points(const Obstacle&, double spacing, int most = 4096);

}  // namespace wobble
