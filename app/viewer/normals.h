#pragma once
// Smooth normals of a moving surface.
#include "engine/core/types.h"

#include <vector>

namespace wobble {

// Area-weighted mean of the triangle normals around each vertex, length 1 (up where there is none). Reuses `normals`.
void vertex_normals(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles, std::vector<Vec3f>& normals);

}  // namespace wobble
