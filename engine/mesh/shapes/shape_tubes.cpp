// Tubes along a curve: rings of vertices, each turned by half a step against the one before, so that the triangles are nearly equilateral.
#include "engine/mesh/shapes/shapes.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace wobble {
namespace {

// Joins two rings of equal size; `odd` says that the first one is the turned one.
void join_rings(TriMesh& mesh, int first, int second, int count, bool odd) {
    for (int k = 0; k < count; ++k) {
        const int next = (k + 1) % count;
        if (odd) {
            mesh.triangles.push_back({first + k, first + next, second + next});
            mesh.triangles.push_back({first + k, second + next, second + k});
        } else {
            mesh.triangles.push_back({first + k, first + next, second + k});
            mesh.triangles.push_back({first + next, second + next, second + k});
        }
    }
}

// A ring has the area of the circle, not its corners on it: a coarse tube keeps its mass and stiffness.
void add_ring(TriMesh& mesh, const Vec3& centre, const Vec3& u, const Vec3& v, double radius, int count, bool odd) {
    radius *= std::sqrt(2 * M_PI / count / std::sin(2 * M_PI / count));
    for (int k = 0; k < count; ++k) {
        const double angle = 2 * M_PI * (k + (odd ? 0.5 : 0)) / count;
        mesh.vertices.push_back(centre + radius * (std::cos(angle) * u + std::sin(angle) * v));
    }
}

// Height over the ground, as a fraction of the rise, along a spring whose first and last `flat` of a turn lie flat (smooth in between).
double rise(double turn, double turns, double flat) {
    const auto ramp = [](double x, double blend) { return x <= 0 ? 0 : x < blend ? x * x / (2 * blend) : x - blend / 2; };
    const double whole = turns - 2 * flat, blend = std::min(0.25, 0.25 * whole);
    const double x = turn - flat, total = whole - blend;
    return std::clamp((ramp(x, blend) - ramp(x - (whole - blend), blend)) / total, 0.0, 1.0);
}

}  // namespace

TriMesh make_torus(const ShapeParameters& p, double edge) {
    const double radius = p.at("radius"), tube = p.at("tube");
    const int around = std::max(5, static_cast<int>(std::lround(2 * M_PI * tube / edge)));
    const int along = 2 * std::max(4, static_cast<int>(std::lround(M_PI * radius / (0.87 * edge))));
    TriMesh mesh;
    for (int i = 0; i < along; ++i) {
        const double angle = 2 * M_PI * i / along;
        const Vec3 out(std::cos(angle), std::sin(angle), 0);
        add_ring(mesh, radius * out + Vec3(0, radius + tube, 0), out, Vec3::UnitZ(), tube, around, i % 2 == 1);
    }
    for (int i = 0; i < along; ++i) join_rings(mesh, i * around, (i + 1) % along * around, around, i % 2 == 1);
    if (signed_volume(mesh) < 0)
        for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

TriMesh make_coil(const ShapeParameters& p, double edge) {
    const double height = p.at("height"), radius = p.at("radius"), tube = p.at("tube"), turns = p.at("turns"),
                 flat = std::min(0.4, 0.25 * turns);
    const auto curve = [&](double turn) {
        const double angle = 2 * M_PI * turn;
        return Vec3(radius * std::cos(angle), tube + (height - 2 * tube) * rise(turn, turns, flat), radius * std::sin(angle));
    };
    const int around = std::max(5, static_cast<int>(std::lround(2 * M_PI * tube / edge)));
    const int along = std::max(8, static_cast<int>(std::lround(2 * M_PI * radius * turns / (0.87 * edge))));
    const int cap = std::max(1, static_cast<int>(std::lround(0.5 * M_PI * tube / edge)));  // rings of a rounded end
    TriMesh mesh;
    int rings = 0;
    const auto frame_ring = [&](double turn, double shift, double r) {
        const double h = 1e-4;
        const Vec3 tangent = (curve(turn + h) - curve(turn - h)).normalized();
        const Vec3 out = Vec3(curve(turn).x(), 0, curve(turn).z()).normalized();
        const Vec3 u = (out - out.dot(tangent) * tangent).normalized();
        add_ring(mesh, curve(turn) + shift * tangent, u, tangent.cross(u), r, around, rings % 2 == 1);
        ++rings;
    };
    const int bottom_tip = 0;
    mesh.vertices.push_back(curve(0) - tube * (curve(1e-4) - curve(-1e-4)).normalized());
    for (int k = 1; k < cap; ++k) frame_ring(0, -tube * std::cos(0.5 * M_PI * k / cap), tube * std::sin(0.5 * M_PI * k / cap));
    for (int i = 0; i <= along; ++i) frame_ring(turns * i / along, 0, tube);
    for (int k = cap - 1; k >= 1; --k) frame_ring(turns, tube * std::cos(0.5 * M_PI * k / cap), tube * std::sin(0.5 * M_PI * k / cap));
    const int top_tip = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(curve(turns) + tube * (curve(turns + 1e-4) - curve(turns - 1e-4)).normalized());

    for (int i = 0; i + 1 < rings; ++i) join_rings(mesh, 1 + i * around, 1 + (i + 1) * around, around, i % 2 == 1);
    for (int k = 0; k < around; ++k) {
        const int next = (k + 1) % around, last = 1 + (rings - 1) * around;
        mesh.triangles.push_back({bottom_tip, 1 + next, 1 + k});
        mesh.triangles.push_back({top_tip, last + k, last + next});
    }
    if (signed_volume(mesh) < 0)
        for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

}  // namespace wobble
