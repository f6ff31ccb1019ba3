#include "engine/view/obstacle_surface.h"

#include "engine/model/contact/obstacle_mesh.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace wobble {

namespace {

constexpr int sides = 48, rings = 12;  // of a round end
constexpr double pi = std::numbers::pi;

TriMesh box_surface(const Vec3& size) {
    TriMesh mesh;
    for (int bits = 0; bits < 8; ++bits)
        mesh.vertices.push_back(Vec3(bits & 1 ? 0.5 : -0.5, bits & 2 ? 0.5 : -0.5, bits & 4 ? 0.5 : -0.5).cwiseProduct(size));
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

TriMesh plane_surface(const Vec3& size) {
    TriMesh mesh;
    for (const auto& [x, z] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
        mesh.vertices.emplace_back(x * size.x(), 0, z * size.z());
    mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
    return mesh;
}

// The surface that a line in the (rho, y) half plane sweeps about y, from the top pole to the bottom one; both ends lie on the axis.
TriMesh turned(const std::vector<std::pair<double, double>>& line) {
    TriMesh mesh;
    const int inner = static_cast<int>(line.size()) - 2;
    mesh.vertices.emplace_back(0, line.front().second, 0);
    for (int i = 1; i <= inner; ++i)
        for (int k = 0; k < sides; ++k) {
            const double a = 2 * pi * k / sides;
            mesh.vertices.emplace_back(line[i].first * std::sin(a), line[i].second, line[i].first * std::cos(a));
        }
    mesh.vertices.emplace_back(0, line.back().second, 0);
    const int last = static_cast<int>(mesh.vertices.size()) - 1;
    const auto at = [](int ring, int k) { return 1 + ring * sides + k % sides; };
    for (int k = 0; k < sides; ++k) {
        mesh.triangles.push_back({0, at(0, k), at(0, k + 1)});
        for (int i = 0; i + 1 < inner; ++i) {
            mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
            mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
        }
        mesh.triangles.push_back({last, at(inner - 1, k + 1), at(inner - 1, k)});
    }
    return mesh;
}

TriMesh capsule_surface(double radius, double length) {
    std::vector<std::pair<double, double>> line;
    for (const double side : {1.0, -1.0})
        for (int i = 0; i <= rings; ++i) {
            if (side < 0 && i == 0 && length == 0) continue;  // a ball has one equator
            const double a = 0.5 * pi * (side > 0 ? rings - i : i) / rings;
            line.emplace_back(i == (side > 0 ? 0 : rings) ? 0 : radius * std::cos(a), side * (0.5 * length + radius * std::sin(a)));
        }
    return turned(line);
}

}  // namespace

TriMesh obstacle_surface(const Obstacle& o) {
    const double half = 0.5 * o.length;
    switch (o.kind) {
        case Obstacle::Kind::plane:
            return plane_surface(o.size);
        case Obstacle::Kind::sphere:
            return capsule_surface(o.radius, 0);
        case Obstacle::Kind::box:
            return box_surface(o.size);
        case Obstacle::Kind::capsule:
            return capsule_surface(o.radius, o.length);
        case Obstacle::Kind::cylinder:
            return turned({{0, half}, {o.radius, half}, {o.radius, -half}, {0, -half}});
        case Obstacle::Kind::mesh:
            if (o.mesh) return o.mesh->surface();
            break;
    }
    return {};
}

}  // namespace wobble
