#pragma once
// A body from a file that has tetrahedra: no filling, no embedding, its own vertices are the particles.
#include "engine/mesh/io/mesh_file.h"

namespace wobble {

struct TetBody {
    BodyMesh body;              // the drawn surface is the boundary, its vertices are the particles
    std::vector<int> particle;  // of each vertex of the file; -1: of none, no tetrahedron uses it
};

// Scaled to `size` metres as surfaces are (scale_and_rest); 0: left as it is.
TetBody tet_body(const ImportedMesh&, double size);

}  // namespace wobble
