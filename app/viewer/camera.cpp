#include "app/viewer/camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace wobble {

namespace {
constexpr float pitch_limit = 1.55f;  // just short of the pole, where `up` would flip

float half_height(const Camera& camera, float aspect) {  // tangent of half the vertical field of view
    const float t = std::tan(0.5f * camera.field_of_view);
    return aspect < 1 ? t / aspect : t;
}
}  // namespace

Vec3f Camera::forward() const { return -Vec3f(std::cos(pitch) * std::sin(yaw), std::sin(pitch), std::cos(pitch) * std::cos(yaw)); }
Vec3f Camera::right() const { return Vec3f(std::cos(yaw), 0, -std::sin(yaw)); }
Vec3f Camera::up() const { return right().cross(forward()); }
Vec3f Camera::eye() const { return target - distance * forward(); }

Mat4f Camera::view() const {
    Eigen::Matrix3f rotation;
    rotation << right().transpose(), up().transpose(), -forward().transpose();
    Mat4f m = Mat4f::Identity();
    m.topLeftCorner<3, 3>() = rotation;
    m.topRightCorner<3, 1>() = -rotation * eye();
    return m;
}

Mat4f Camera::projection(float aspect) const {
    const float near = 0.02f * distance, far = distance + 60 * size, t = half_height(*this, aspect);
    Mat4f m = Mat4f::Zero();
    m(0, 0) = 1 / (t * aspect);
    m(1, 1) = 1 / t;
    m(2, 2) = -(far + near) / (far - near);
    m(2, 3) = -2 * far * near / (far - near);
    m(3, 2) = -1;
    return m;
}

Ray Camera::ray(float x, float y, int width, int height) const {
    const float aspect = static_cast<float>(width) / static_cast<float>(height), t = half_height(*this, aspect);
    const float sx = (2 * x / static_cast<float>(width) - 1) * t * aspect, sy = (1 - 2 * y / static_cast<float>(height)) * t;
    return {eye(), (forward() + sx * right() + sy * up()).normalized()};
}

std::optional<Eigen::Vector2f> Camera::project(const Vec3f& point, int width, int height) const {
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    const Eigen::Vector4f clip = projection(w / h) * view() * Eigen::Vector4f(point.x(), point.y(), point.z(), 1);
    if (clip.w() <= 0) return std::nullopt;
    return Eigen::Vector2f(0.5f * w * (1 + clip.x() / clip.w()), 0.5f * h * (1 - clip.y() / clip.w()));
}

void Camera::orbit(float pixels_x, float pixels_y, int height) {
    const float per_pixel = 3.5f / static_cast<float>(std::max(height, 1));  // a drag over the whole height turns by about 200 degrees
    yaw = std::remainder(yaw - per_pixel * pixels_x, 2 * std::numbers::pi_v<float>);
    pitch = std::clamp(pitch + per_pixel * pixels_y, -pitch_limit, pitch_limit);
}

void Camera::pan(float pixels_x, float pixels_y, int width, int height) {
    const float aspect = static_cast<float>(width) / static_cast<float>(std::max(height, 1));
    const float metres_per_pixel = 2 * distance * half_height(*this, aspect) / static_cast<float>(std::max(height, 1));
    target += metres_per_pixel * (pixels_y * up() - pixels_x * right());
}

void Camera::zoom(float notches) { distance = std::clamp(distance * std::pow(0.88f, notches), 0.05f * size, 30 * size); }

Camera make_camera(const CameraView& view, const Box& body_at_rest) {
    constexpr float radians = std::numbers::pi_v<float> / 180;
    Camera camera;
    camera.size = std::max(1e-6f, static_cast<float>(body_at_rest.diagonal()));
    camera.target = body_at_rest.centre().cast<float>();
    camera.yaw = radians * static_cast<float>(view.yaw);
    camera.pitch = std::clamp(radians * static_cast<float>(view.pitch), -pitch_limit, pitch_limit);
    camera.distance = camera.size * std::clamp(static_cast<float>(view.distance), 0.05f, 30.0f);
    return camera;
}

}  // namespace wobble
