#pragma once
// Smaller triangles on the same surface.
#include "engine/mesh/mesh.h"

namespace wobble {

// Halves edges longer than `edge`, in all triangles alike, so that none tear apart; a triangle becomes two, three or four. New vertices
// come behind the others. False: there are none.
bool split_long_edges(TriMesh&, double edge);

}  // namespace wobble
