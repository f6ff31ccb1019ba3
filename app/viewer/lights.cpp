#include "app/viewer/lights.h"

#include "engine/scene/obstacles.h"

#include <cmath>

namespace wobble {

Vec3f key_light(const Camera& camera) {
    const float azimuth = camera.yaw + 0.75f;
    return Vec3f(std::sin(azimuth) * 0.62f, 0.92f, std::cos(azimuth) * 0.62f).normalized();
}

Vec3f fill_light(const Camera& camera) { return (-camera.right() * 1.2f + camera.up() * 0.25f - camera.forward() * 0.6f).normalized(); }

float ground_height(const Snapshot& snapshot) {
    if (!snapshot.surface) return 0;
    const int floor = floor_of(snapshot.settings);
    if (floor >= 0 && static_cast<std::size_t>(floor) < snapshot.obstacle_poses.size())
        return static_cast<float>(snapshot.obstacle_poses[static_cast<std::size_t>(floor)].position.y());
    return static_cast<float>(snapshot.scene ? snapshot.scene->ground : snapshot.surface->rest_box.low.y());
}

}  // namespace wobble
