#pragma once
// Which point of the drawn surface a ray meets first.
#include "app/viewer/camera.h"
#include "engine/sim/snapshot.h"

#include <optional>

namespace wobble {

struct Hit {
    int triangle;
    Vec3 barycentric;  // of the triangle's corners, sums to 1
    Vec3f point;
    float distance;  // m along the ray
};

std::optional<Hit> pick(const Snapshot&, const Ray&);

// The point of the plane through `through`, parallel to the picture, under the ray: keeps a dragged point at its depth.
Vec3f drag_point(const Camera&, const Ray&, const Vec3f& through);

}  // namespace wobble
