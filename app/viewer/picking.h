#pragma once
// Which point of the drawn surface, or of an obstacle, a ray meets first.
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

struct ObstacleHit {
    int index;  // in settings.obstacles
    Vec3f point;
    float distance;  // m along the ray
};
// Of those that are drawn, the floor excepted; of a plane only the part that is drawn.
std::optional<ObstacleHit> pick_obstacle(const Snapshot&, const Ray&);

// The point of the plane through `through`, parallel to the picture, under the ray: keeps a dragged point at its depth.
Vec3f drag_point(const Camera&, const Ray&, const Vec3f& through);

}  // namespace wobble
