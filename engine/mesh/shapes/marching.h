#pragma once
// Surfaces given by a formula: where a function is zero.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

using Field = std::function<double(const Vec3&)>;  // negative inside; about the distance in metres near the surface

// The zero surface within the box as a closed manifold of about the given cell size; the surface must not reach the box's walls.
TriMesh polygonise(const Field&, const Box&, double cell);

// The nearest zero along the gradient, to 1e-4 of `reach`; p itself when there is none within reach.
Vec3 project(const Field&, const Vec3& p, double reach);

}  // namespace wobble
