#pragma once
// Even triangles on a given closed surface.
#include "engine/mesh/mesh.h"
#include "engine/mesh/surface/creases.h"

#include <functional>

namespace wobble {

struct RemeshGuide {
    std::function<Vec3(const Vec3& p, const Vec3& normal)> project;  // brings a point back to the true surface; normal: there, outward
    std::vector<CreaseEdge> creases = {};
    std::vector<int> fixed = {};                                        // vertices that stay where they are, besides the corners of creases
    std::function<Vec3(const Vec3& p, int line)> project_to_line = {};  // brings a point back to a line, if there are any
    // At least five triangles around every vertex where that can be had: in a body, a vertex with n of them is held by n - 2 tets or more.
    bool strong = false;
    std::function<bool(double)> keep_going = {};  // now and then; when it says no, the result is half done and of no use
};

// Remeshes a closed manifold to edges of about `edge` metres by splitting, collapsing, flipping and sliding vertices. Closed manifold
// in, closed manifold out, of the same genus and with the same parts.
TriMesh remesh(const TriMesh&, double edge, int rounds, const RemeshGuide&);
TriMesh remesh(const TriMesh&, double edge, int rounds, const std::function<Vec3(const Vec3&)>& project);

}  // namespace wobble
