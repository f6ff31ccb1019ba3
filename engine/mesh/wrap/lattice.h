#pragma once
// A body of cubes cut into tetrahedra: coarse, but there is one for every surface.
#include "engine/mesh/mesh.h"

namespace wobble {

// Cubes with the given edge whose centre the surface goes round, or that hold a vertex of it. Ordered, with boundary; never empty.
TetMesh fill_with_cubes(const TriMesh& closed_surface, double edge);

}  // namespace wobble
