#include "app/viewer/overlay.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

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

std::vector<OverlayVertex> contact_overlay(const std::vector<ContactView>& contacts, const Camera& camera, int width, int height) {
    constexpr Colour force{0.13f, 0.42f, 0.80f, 0.85f};
    constexpr std::size_t most = 4000;  // drawn: more are a solid patch
    Canvas canvas{{}, static_cast<float>(width), static_cast<float>(height)};
    const float unit = std::max(1.0f, static_cast<float>(std::min(width, height)) / 720);
    float strongest = 0;
    for (const ContactView& c : contacts)
        if (c.force.allFinite()) strongest = std::max(strongest, c.force.norm());
    const float metres_per_newton = strongest > 0 ? 0.25f * camera.size / strongest : 0;
    const std::size_t stride = contacts.size() / most + 1;
    for (std::size_t i = 0; i < contacts.size(); i += stride) {
        const ContactView& c = contacts[i];
        const auto from = camera.project(c.point, width, height), to = camera.project(c.point + metres_per_newton * c.force, width, height);
        if (!from || !from->allFinite()) continue;
        if (to && to->allFinite()) canvas.line(*from, *to, 1.8f * unit, force);
        canvas.disc(*from, 0, 3.0f * unit, dark);
        canvas.disc(*from, 0, 2.0f * unit, light);
    }
    return std::move(canvas.vertices);
}

std::vector<OverlayVertex> fault_overlay(const TriMesh& mesh, const std::vector<std::uint8_t>& marked_faces, const Camera& camera,
                                         int width, int height) {
    Canvas canvas{{}, static_cast<float>(width), static_cast<float>(height)};
    const float unit = std::max(1.0f, static_cast<float>(std::min(width, height)) / 720), place = 12 * unit;
    std::set<std::pair<int, int>> places;
    constexpr std::size_t most = 400;
    for (std::size_t t = 0; t < std::min(marked_faces.size(), mesh.triangles.size()) && places.size() < most; ++t) {
        if (!marked_faces[t]) continue;
        Vec2f low(1e30f, 1e30f), high = -low;
        bool seen = true;
        for (const int i : mesh.triangles[t]) {
            seen = seen && i >= 0 && static_cast<std::size_t>(i) < mesh.vertices.size();
            const auto at = seen ? camera.project(mesh.vertices[static_cast<std::size_t>(i)].cast<float>(), width, height) : std::nullopt;
            seen = seen && at && at->allFinite();
            if (!seen) break;
            low = low.cwiseMin(*at);
            high = high.cwiseMax(*at);
        }
        const Vec2f centre = 0.5f * (low + high);
        if (!seen || (high - low).minCoeff() > 4 * unit) continue;
        if (centre.x() < 0 || centre.y() < 0 || centre.x() > canvas.width || centre.y() > canvas.height) continue;
        if (!places.insert({static_cast<int>(centre.x() / place), static_cast<int>(centre.y() / place)}).second) continue;
        canvas.disc(centre, 5.0f * unit, 8.6f * unit, {1, 1, 1, 0.75f});
        canvas.disc(centre, 5.8f * unit, 7.8f * unit, {0.93f, 0.06f, 0.30f, 1});
    }
    return std::move(canvas.vertices);
}

}  // namespace wobble
