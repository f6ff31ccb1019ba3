#pragma once
// Where a surface cuts through itself.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

struct SelfIntersections {
    enum class End { complete, enough_found, too_much_work, cancelled };
    std::vector<int> faces;  // ascending
    End end = End::complete;
    int busiest = -1;  // the triangle near most others, to say where the work is
    bool none() const { return faces.empty() && end == End::complete; }
};

// Triangles that meet another one elsewhere than at their common corners and edges; touching counts.
// Stops looking after `enough` triangles, when keep_going(fraction) says so, or after some seconds' work (a bound on the pairs looked at,
// not on the time, so that the answer is the same everywhere): n long triangles around one corner have n^2 / 2 pairs.
// All coordinates must be finite; triangles with a repeated corner are ignored.
SelfIntersections self_intersections(const TriMesh&, std::size_t enough = 20000, const std::function<bool(double)>& keep_going = {});

}  // namespace wobble
