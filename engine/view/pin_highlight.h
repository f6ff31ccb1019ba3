#pragma once
// Where a body is held, as it is drawn.
#include "engine/core/types.h"
#include "engine/mesh/mesh.h"

#include <cstdint>
#include <vector>

namespace wobble {

// How much each vertex looks held, 0 to 255. Which ones are held follows the tetrahedra, so the edge of a held part is ragged: it is
// blurred over a fiftieth of the body, and tongues narrower than that are gone. A small patch by itself stays: it was pinned on purpose.
// Up to sixty passes over the surface: nothing for the thread that draws.
std::vector<std::uint8_t> pin_highlight(const TriMesh& at_rest, const std::vector<std::uint8_t>& held);

}  // namespace wobble
