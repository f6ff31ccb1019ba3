// Ray against triangle after Moeller and Trumbore, "Fast, minimum storage ray/triangle intersection" (1997):
//   origin + s d = (1 - u - v) a + u b + v c, solved by Cramer's rule with the edges e1 = b - a, e2 = c - a.
#include "app/viewer/picking.h"

#include "engine/scene/obstacles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace wobble {

std::optional<Hit> pick(const Snapshot& snapshot, const Ray& ray) {
    std::optional<Hit> best;
    if (!snapshot.surface) return best;
    const auto& triangles = snapshot.surface->triangles;
    const int count = static_cast<int>(snapshot.positions.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const auto& [ia, ib, ic] = triangles[i];
        if (std::max({ia, ib, ic}) >= count) continue;  // a snapshot without positions, or with another body's
        const Vec3f& a = snapshot.positions[ia];
        const Vec3f e1 = snapshot.positions[ib] - a, e2 = snapshot.positions[ic] - a;
        const Vec3f p = ray.direction.cross(e2);
        const float determinant = e1.dot(p);
        if (std::abs(determinant) < 1e-20f) continue;  // parallel, or degenerate
        const Vec3f from_a = ray.origin - a;
        const float u = from_a.dot(p) / determinant;
        if (!(u >= 0 && u <= 1)) continue;
        const Vec3f q = from_a.cross(e1);
        const float v = ray.direction.dot(q) / determinant;
        if (!(v >= 0 && u + v <= 1)) continue;
        const float s = e2.dot(q) / determinant;
        if (!(s > 0) || (best && s >= best->distance)) continue;
        best = Hit{static_cast<int>(i), Vec3(1.0 - u - v, u, v), ray.origin + s * ray.direction, s};
    }
    return best;
}

// Goes along the ray by the distance to the obstacle until there is none left (Hart, "Sphere tracing", 1996).
std::optional<ObstacleHit> pick_obstacle(const Snapshot& snapshot, const Ray& ray) {
    constexpr int most_steps = 400;
    constexpr double farthest = 1e4, near = 1e-5;  // m; share of the way
    std::optional<ObstacleHit> best;
    const std::vector<Obstacle>& all = snapshot.settings.obstacles;
    const int floor = floor_of(snapshot.settings);
    for (std::size_t i = 0; i < all.size() && i < snapshot.obstacle_poses.size(); ++i) {
        const Obstacle& o = all[i];
        const Pose& p = snapshot.obstacle_poses[i];
        if (!o.visible || static_cast<int>(i) == floor) continue;
        const Vec3 from = ray.origin.cast<double>(), along = ray.direction.cast<double>();
        double way = 0;
        for (int step = 0; step < most_steps && way < farthest; ++step) {
            const double d = std::abs(nearest(o, p, from + way * along).distance);
            way += d;
            if (d > near * (1 + way)) continue;
            const Vec3 X = p.to_own(from + way * along);
            const bool drawn =
                o.kind != Obstacle::Kind::plane || (std::abs(X.x()) <= 0.5 * o.size.x() && std::abs(X.z()) <= 0.5 * o.size.z());
            if (drawn && (!best || way < best->distance))
                best = ObstacleHit{static_cast<int>(i), (from + way * along).cast<float>(), static_cast<float>(way)};
            break;
        }
    }
    return best;
}

Vec3f drag_point(const Camera& camera, const Ray& ray, const Vec3f& through) {
    const Vec3f forward = camera.forward();
    const float along = ray.direction.dot(forward);
    if (along < 1e-4f) return through;
    return ray.origin + (through - ray.origin).dot(forward) / along * ray.direction;
}

}  // namespace wobble
