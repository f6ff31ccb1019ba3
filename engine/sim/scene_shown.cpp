#include "engine/sim/scene_shown.h"

#include "engine/core/spelling.h"
#include "engine/scene/limits.h"
#include "engine/scene/scene_file.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

constexpr std::size_t longest_title = 200;  // bytes; what scene files may have

// As much of a line as scene files may have, not cut within a character of several bytes.
std::string shortened(const std::string& line) {
    if (line.size() <= longest_title) return line;
    std::size_t end = longest_title;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    return line.substr(0, end);
}

double within(double value, Range range) { return std::isfinite(value) ? std::clamp(value, range.low, range.high) : range.low; }

}  // namespace

Scene scene_shown(const Snapshot& snapshot) {
    if (!snapshot.scene) return {};
    Scene scene = snapshot.scene->scene;
    const bool as_measured = scene.settings.bodies == snapshot.settings.bodies;
    if (!as_measured) scene.stated.reset();  // measured with other values
    scene.title = shortened(scene.title.empty() ? scene.name : scene.title);
    scene.settings = snapshot.settings;
    std::vector<Obstacle>& obstacles = scene.settings.obstacles;
    for (std::size_t i = 0; i < obstacles.size() && i < snapshot.obstacle_poses.size(); ++i) {  // where a hand left them
        const Vec3 dragged = snapshot.obstacle_poses[i].position - pose(obstacles[i], snapshot.t).position;
        if (dragged.norm() > 1e-12) obstacles[i].position += dragged;
    }
    return scene;
}

Scene scene_shown(const Snapshot& snapshot, const CameraView& camera) {
    Scene scene = scene_shown(snapshot);
    scene.camera = {within(camera.yaw, limits::yaw), within(camera.pitch, limits::pitch), within(camera.distance, limits::distance)};
    return scene;
}

Result<void> save_shown(const Scene& scene, const std::filesystem::path& file) {
    if (auto again = parse_scene(to_toml(scene), file, scene.name); !again)
        return Error{"The scene was not saved, as " + in_quotes(file.string()) + " could not be read back (" + again.message() + ")."};
    return save_scene(scene, file);
}

}  // namespace wobble
