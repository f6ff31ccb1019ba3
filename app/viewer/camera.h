#pragma once
// The orbit camera: looks at a target from yaw and pitch around the vertical axis y. A plain value.
#include "engine/core/types.h"
#include "engine/scene/loaded_scene.h"
#include "engine/scene/scene.h"

#include <optional>

namespace wobble {

using Mat4f = Eigen::Matrix4f;

struct Ray {
    Vec3f origin, direction;
};  // direction has length 1

struct Camera {
    Vec3f target = Vec3f::Zero();
    float yaw = 0.6f, pitch = 0.3f;  // radians
    float distance = 3;              // m, eye to target
    float size = 1;                  // m, diagonal of what is looked at: scales clipping planes and zoom limits
    float field_of_view = 0.436f;    // radians, of the smaller side of the picture
    bool operator==(const Camera&) const = default;

    Vec3f eye() const;
    Vec3f right() const;
    Vec3f up() const;
    Vec3f forward() const;
    Mat4f view() const;
    Mat4f projection(float aspect) const;  // aspect: width / height

    // Pixel coordinates start at the top left corner of a picture of width x height.
    Ray ray(float x, float y, int width, int height) const;
    std::optional<Eigen::Vector2f> project(const Vec3f& point, int width, int height) const;  // none behind the eye

    void orbit(float pixels_x, float pixels_y, int height);
    void pan(float pixels_x, float pixels_y, int width, int height);
    void zoom(float notches);  // positive: closer
};

Camera make_camera(const CameraView&, const Box& body_at_rest);

}  // namespace wobble
