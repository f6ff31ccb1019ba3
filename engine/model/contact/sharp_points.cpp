#include "engine/model/contact/sharp_points.h"

#include "engine/mesh/surface/triangle_adjacency.h"
#include "engine/model/contact/obstacle_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wobble {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double cos_sharp = 0.866;  // of a bend of 30 degrees

Vec3 on_circle(double radius, double y, int k, int n) {
    const double a = 2 * pi * k / n;
    return {radius * std::cos(a), y, radius * std::sin(a)};
}

void add_ring(SharpFeatures& f, double radius, double y, int n) {
    for (int k = 0; k < n; ++k) f.points.push_back(on_circle(radius, y, k, n));
}

void of_box(SharpFeatures& f, const Vec3& size) {
    const auto corner = [&](int bits) {
        return Vec3(Vec3(bits & 1 ? 0.5 : -0.5, bits & 2 ? 0.5 : -0.5, bits & 4 ? 0.5 : -0.5).cwiseProduct(size));
    };
    for (int bits = 0; bits < 8; ++bits) {
        f.points.push_back(corner(bits));
        for (int axis = 1; axis <= 4; axis *= 2)
            if (!(bits & axis)) f.edges.push_back({corner(bits), corner(bits | axis)});
    }
}

// A capsule of length 0 is a ball. Rings of the axis and of both round ends.
void of_capsule(SharpFeatures& f, double radius, double length, double spacing) {
    if (radius >= spacing) return;
    constexpr int around = 8, ends = 3;
    const int along = std::clamp(static_cast<int>(std::ceil(length / std::max(radius, 0.25 * spacing))), 1, 512);
    for (int k = 0; k <= along; ++k) add_ring(f, radius, length * (static_cast<double>(k) / along - 0.5), around);
    for (const double side : {-1.0, 1.0}) {
        for (int k = 1; k < ends; ++k) {
            const double a = 0.5 * pi * k / ends;
            add_ring(f, radius * std::cos(a), side * (0.5 * length + radius * std::sin(a)), around);
        }
        f.points.emplace_back(0, side * (0.5 * length + radius), 0);
    }
}

void of_cylinder(SharpFeatures& f, double radius, double length, double spacing) {
    const int around = std::clamp(static_cast<int>(std::ceil(2 * pi * radius / (0.5 * spacing))), 16, 128);
    for (const double y : {-0.5 * length, 0.5 * length})
        for (int k = 0; k < around; ++k) f.edges.push_back({on_circle(radius, y, k, around), on_circle(radius, y, k + 1, around)});
    if (radius >= spacing) return;
    const int along = std::clamp(static_cast<int>(std::ceil(length / std::max(radius, 0.25 * spacing))), 1, 512);
    for (int k = 0; k <= along; ++k) add_ring(f, radius, length * (static_cast<double>(k) / along - 0.5), 8);
    f.points.emplace_back(0, -0.5 * length, 0), f.points.emplace_back(0, 0.5 * length, 0);
}

void of_mesh(SharpFeatures& f, const TriMesh& mesh, double spacing) {
    const auto normal_times_two_areas = [&](int face) {
        const auto& [a, b, c] = mesh.triangles[face];
        return Vec3((mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]));
    };
    std::vector<bool> sharp(mesh.vertices.size(), false);
    for_each_edge(edge_uses(mesh), [&](const EdgeUse* begin, const EdgeUse* end) {
        const Vec3 &a = mesh.vertices[begin->low], &b = mesh.vertices[begin->high];
        if (end - begin == 2) {
            const Vec3 m = normal_times_two_areas(begin[0].face), n = normal_times_two_areas(begin[1].face);
            const double length = (b - a).norm(), cosine = std::clamp(m.dot(n) / (m.norm() * n.norm()), -1.0, 1.0);
            const Triangle& other = mesh.triangles[begin[1].face];
            double beyond = -1e300;  // of the other face's corner in front of this one: a hollow
            for (int v : other) {
                if (v == begin->low || v == begin->high) continue;
                beyond = (mesh.vertices[v] - a).dot(m.normalized());
            }
            const double bend = std::acos(cosine), across = 0.5 * (m.norm() + n.norm()) / length;
            const bool flat = bend < 1e-6;
            if (beyond > 0 || flat || (cosine > cos_sharp && across > spacing * bend)) return;
        }
        f.edges.push_back({a, b});
        sharp[begin->low] = sharp[begin->high] = true;
    });
    for (std::size_t v = 0; v < sharp.size(); ++v)
        if (sharp[v]) f.points.push_back(mesh.vertices[v]);
}

}  // namespace

SharpFeatures sharp_features(const Obstacle& o, double spacing) {
    SharpFeatures f;
    switch (o.kind) {
        case Obstacle::Kind::plane:
            break;
        case Obstacle::Kind::sphere:
            of_capsule(f, o.radius, 0, spacing);
            break;
        case Obstacle::Kind::box:
            of_box(f, o.size);
            break;
        case Obstacle::Kind::capsule:
            of_capsule(f, o.radius, o.length, spacing);
            break;
        case Obstacle::Kind::cylinder:
            of_cylinder(f, o.radius, o.length, spacing);
            break;
        case Obstacle::Kind::mesh:
            if (o.mesh) of_mesh(f, o.mesh->surface(), spacing);
            break;
    }
    return f;
}

std::vector<Vec3> sharp_points(const Obstacle& o, double spacing, int most) {
    SharpFeatures f = sharp_features(o, spacing);
    std::vector<Vec3>& points = f.points;
    if (static_cast<int>(points.size()) > most) {  // every so many of them
        const std::size_t stride = (points.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
        for (std::size_t i = 0; i * stride < points.size(); ++i) points[i] = points[i * stride];
        points.resize((points.size() + stride - 1) / stride);
    }
    double length = 0;
    for (const auto& [a, b] : f.edges) length += (b - a).norm();
    const double room = std::max(1.0, static_cast<double>(most) - static_cast<double>(points.size()));
    const double apart = std::max(0.5 * spacing, length / room);
    for (const auto& [a, b] : f.edges) {
        const int pieces = std::max(1, static_cast<int>(std::ceil((b - a).norm() / apart)));
        for (int k = 1; k < pieces && static_cast<int>(points.size()) < most; ++k)
            points.push_back(a + static_cast<double>(k) / pieces * (b - a));
    }
    if (o.kind == Obstacle::Kind::cylinder)  // its rims have no corners
        for (const auto& edge : f.edges) points.push_back(edge[0]);
    return std::move(f.points);
}

}  // namespace wobble
