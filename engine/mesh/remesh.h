#pragma once
// Even triangles on a given closed surface.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

// Remeshes a closed manifold to edges of about `edge` metres by splitting, collapsing, flipping and sliding vertices; `project` brings a
// point back to the true surface. Closed manifold in, closed manifold out.
TriMesh remesh(const TriMesh&, double edge, int rounds, const std::function<Vec3(const Vec3&)>& project);

}  // namespace wobble
