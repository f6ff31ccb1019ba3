#pragma once
// A coarse surface that lies around a fine one as well as its triangles allow.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

// Moves the vertices of `coarse`, which is near `fine`, so that its triangles (not only its vertices) lie on it in the mean: a ball keeps
// its volume, and vertices near a sharp edge move onto it. `edge` is the length of its edges. False: stopped by keep_going(fraction).
bool fit_surface(TriMesh& coarse, const TriMesh& fine, double edge, const std::function<bool(double)>& keep_going = {});

}  // namespace wobble
