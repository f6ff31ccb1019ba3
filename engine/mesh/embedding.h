#pragma once
// Drawing a fine surface that moves with a coarse tet mesh.
#include "engine/mesh/mesh.h"

namespace wobble {

// Every point's place in the tets: the tet that contains it, or else the nearest one with extrapolated weights.
Embedding embed(const std::vector<Vec3>& points, const TetMesh&);

// The points moved along with the tets' vertices; q holds three doubles per vertex of the tet mesh. Does not allocate once `out` has its
// size.
void deform(const TetMesh&, const Embedding&, const VecX& q, std::vector<Vec3f>& out);

}  // namespace wobble
