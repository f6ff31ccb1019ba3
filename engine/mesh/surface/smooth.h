#pragma once
// smooth_inside of quality.h, with cancellation.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

// False: stopped by keep_going(fraction), half done.
bool smooth_inside(TetMesh&, const std::function<bool(double)>& keep_going);

}  // namespace wobble
