#pragma once
// Holes of a surface: the loops of open edges around them, and triangles that close them.
#include "engine/mesh/surface/triangle_adjacency.h"

namespace wobble {

// Loops of open edges, each vertex once, running so that a face which follows the loop fits to its neighbours. Parts of the rim
// that form no loop (next to faults) are left out.
std::vector<std::vector<int>> hole_loops(const std::vector<EdgeUse>&);

// The triangles between a loop's vertices that bend least, among themselves and against the neighbours, and are smallest next; found
// among all triangulations by dynamic programming (Barequet, Sharir 1995; weights of Liepa 2003). None when every one would double an
// edge of the surface. Grows with the third power of the loop's length: 200 edges take about 0.1 s.
std::vector<Triangle> fill_hole(const TriMesh&, const std::vector<EdgeUse>&, const std::vector<int>& loop);

}  // namespace wobble
