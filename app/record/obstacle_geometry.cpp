#include "app/record/obstacle_geometry.h"

#include "engine/scene/obstacles.h"
#include "engine/view/obstacle_surface.h"

#include <Eigen/LU>
#include <cstdio>

namespace wobble {

void put_into(ObstacleGeometry& obstacles, const Affine& to_scene) {
    const Mat3 back = to_scene.linear.inverse();
    for (Vec3f& x : obstacles.positions) x = (back * (x.cast<double>() - to_scene.shift)).cast<float>();
}

std::string obstacles_name(int frame, const char* suffix) {
    char name[40];
    std::snprintf(name, sizeof name, "obstacles_%06d%s", frame, suffix);
    return name;
}

ObstacleGeometry obstacle_geometry(const Snapshot& shot) {
    ObstacleGeometry out;
    const std::vector<Obstacle>& all = shot.settings.obstacles;
    const int floor = floor_of(shot.settings);
    float number = static_cast<float>(shot.scene ? shot.scene->scene.count() : 1);
    for (std::size_t i = 0; i < all.size() && i < shot.obstacle_poses.size(); ++i) {
        if (!all[i].visible || static_cast<int>(i) == floor) continue;
        const TriMesh surface = obstacle_surface(all[i]);
        const Pose start = pose(all[i], 0);
        const int first = static_cast<int>(out.positions.size()), begin = static_cast<int>(out.triangles.size());
        for (const Vec3& X : surface.vertices) {
            const Vec3 x = shot.obstacle_poses[i].to_world(X);
            out.positions.push_back(x.cast<float>());
            out.displacement.push_back((x - start.to_world(X)).cast<float>());
            out.velocity.push_back(velocity(all[i], shot.t, x).cast<float>());
            out.numbers.push_back(number);
        }
        for (const auto& [a, b, c] : surface.triangles) out.triangles.push_back({first + a, first + b, first + c});
        out.groups.push_back({obstacle_name(all, static_cast<int>(i)), {begin, static_cast<int>(out.triangles.size())}});
        ++number;
    }
    return out;
}

}  // namespace wobble
