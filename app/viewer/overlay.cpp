#include "app/viewer/overlay.h"

#include <cmath>
#include <numbers>

namespace wobble {

namespace {

using Vec2f = Eigen::Vector2f;
struct Colour {
    float r, g, b, a;
};
constexpr Colour dark{0.06f, 0.09f, 0.14f, 0.55f}, light{1.0f, 0.98f, 0.94f, 1.0f};

struct Canvas {
    std::vector<OverlayVertex> vertices;
    float width, height;

    void triangle(const Vec2f& a, const Vec2f& b, const Vec2f& c, const Colour& k) {
        for (const Vec2f& p : {a, b, c}) vertices.push_back({2 * p.x() / width - 1, 1 - 2 * p.y() / height, k.r, k.g, k.b, k.a});
    }
    void line(const Vec2f& a, const Vec2f& b, float thickness, const Colour& k) {
        const Vec2f along = b - a;
        const float length = along.norm();
        if (!(length > 1e-3f)) return;
        const Vec2f side = Vec2f(-along.y(), along.x()) * (0.5f * thickness / length);
        triangle(a - side, b - side, b + side, k);
        triangle(a - side, b + side, a + side, k);
    }
    void disc(const Vec2f& centre, float inner, float outer, const Colour& k) {
        constexpr int sides = 40;
        const auto rim = [&](int i, float radius) -> Vec2f {
            const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / sides;
            return centre + radius * Vec2f(std::cos(angle), std::sin(angle));
        };
        for (int i = 0; i < sides; ++i) {
            triangle(rim(i, inner), rim(i, outer), rim(i + 1, outer), k);
            triangle(rim(i, inner), rim(i + 1, outer), rim(i + 1, inner), k);
        }
    }
};

}  // namespace

std::vector<OverlayVertex> grab_overlay(const GrabView& grab, const Camera& camera, int width, int height) {
    Canvas canvas{{}, static_cast<float>(width), static_cast<float>(height)};
    const auto from = camera.project(grab.point, width, height), to = camera.project(grab.target, width, height);
    if (!from || !to || !from->allFinite() || !to->allFinite()) return {};
    const float unit = std::max(1.0f, static_cast<float>(std::min(width, height)) / 720);  // thicker on finer pictures
    const Vec2f gap = *to - *from;
    const Vec2f end = gap.norm() > 8 * unit ? Vec2f(*to - gap.normalized() * 7 * unit) : *from;
    canvas.line(*from, end, 4.5f * unit, dark);
    canvas.line(*from, end, 2.2f * unit, light);
    canvas.disc(*from, 0, 5.0f * unit, dark);
    canvas.disc(*from, 0, 3.6f * unit, light);
    canvas.disc(*to, 5.4f * unit, 9.6f * unit, dark);
    canvas.disc(*to, 6.4f * unit, 8.6f * unit, light);
    return std::move(canvas.vertices);
}

}  // namespace wobble
