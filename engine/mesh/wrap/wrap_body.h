#pragma once
// From triangles in any state to a body: their cage is filled, they are embedded.
#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/wrap/soup.h"

namespace wobble {

struct Wrapped {
    BodyMesh body;           // its surface is what was given
    int cage_triangles = 0;  // on the surface of the tetrahedra
    int pieces = 1;          // that do not touch
};

// `surface` with finite corners, not all in one point; `soup` is make_soup(surface).
Result<Wrapped> wrap_body(TriMesh surface, Soup soup, const BodyOptions&, const Progress& = {});

}  // namespace wobble
