#pragma once
// Surfaces given by a formula: where a function is zero.
#include "engine/mesh/mesh.h"

#include <functional>

namespace wobble {

using Field = std::function<double(const Vec3&)>;  // negative inside; about the distance in metres near the surface

// Values of a field at the points of a grid: point (x, y, z) is low + cell (x, y, z) and has index (z n[1] + y) n[0] + x.
struct SampledField {
    Vec3 low = Vec3::Zero();
    double cell = 1;
    std::array<int, 3> n = {0, 0, 0};
    std::vector<double> value = {};

    int index(int x, int y, int z) const { return (z * n[1] + y) * n[0] + x; }
    Vec3 point(int x, int y, int z) const { return low + cell * Vec3(x, y, z); }
    Vec3 point(int i) const { return point(i % n[0], i / n[0] % n[1], i / (n[0] * n[1])); }
};

// The zero surface of the samples, a closed manifold if all on the walls of the grid are positive.
TriMesh polygonise(const SampledField&);

// The zero surface within the box as a closed manifold of about the given cell size; the surface must not reach the box's walls.
TriMesh polygonise(const Field&, const Box&, double cell);

// The nearest zero along the gradient, to 1e-4 of `reach`; p itself when there is none within reach.
Vec3 project(const Field&, const Vec3& p, double reach);

}  // namespace wobble
