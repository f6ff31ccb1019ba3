#pragma once
// What VTK's files call cells, in the two ways they are written.
#include "engine/mesh/io/mesh_file.h"

#include <span>

namespace wobble {

// Adds the triangles and tets of a cell by VTK's type: 10, 24 tetrahedron, 5, 22 triangle, 9 quadrilateral, 7 polygon, 6 strip, 1 to 4
// points and lines (left out). False: a cell of another kind or without enough corners. Corners are sound indices.
bool add_cell(ImportedMesh&, long type, std::span<const int> corners);

}  // namespace wobble
