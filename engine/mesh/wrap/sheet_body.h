#pragma once
// A surface, open or not, as a shell of springs.
#include "engine/mesh/volume/body_mesh.h"
#include "engine/mesh/wrap/soup.h"

namespace wobble {

// Particles are the soup's vertices, or about options.resolution ones near them where it has far more or far fewer. Structural springs
// run along edges, bending springs between the corners opposite to an edge.
Result<BodyMesh> sheet_body(TriMesh surface, const Soup&, const BodyOptions&, const Progress& = {});

}  // namespace wobble
