#pragma once
// Which way the faces of a surface look.
#include "engine/mesh/surface/triangle_adjacency.h"

namespace wobble {

// Faces to turn so that neighbours agree: of each part the minority. `one_sided`: no turning helps.
struct TurnedFaces {
    std::vector<int> faces;  // ascending
    bool one_sided = false;
};
TurnedFaces turned_faces(const TriMesh&, const std::vector<EdgeUse>&);

// Faces of the closed parts whose inside is outside, walls of cavities excepted; ascending. Compares every part with every other.
std::vector<int> inverted_faces(const TriMesh&);

}  // namespace wobble
