#pragma once
// Numbering that keeps matrices banded and memory access local.
#include "engine/mesh/mesh.h"

namespace wobble {

// Renumbers the vertices (reverse Cuthill-McKee) and sorts the tets by their smallest vertex; the body stays the same.
// Every tet starts with its smallest vertex and keeps its orientation. Returns the new number of each vertex.
std::vector<int> reorder(TetMesh&);

// The largest difference between the numbers of two neighbours.
int bandwidth(const TetMesh&);

}  // namespace wobble
