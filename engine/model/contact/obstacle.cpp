// Signed distances of the shapes (Quilez, "Distance functions"; Ericson, Real-Time Collision Detection, chapter 5), all exact, with the
// gradient as normal. Where it is not unique (the middle of a ball, the axis of a capsule) one of the directions is taken.
#include "engine/model/contact/obstacle.h"

#include "engine/core/types.h"
#include "engine/model/contact/obstacle_mesh.h"

#include <algorithm>

namespace wobble {

namespace {

Nearest round(const Vec3& from_axis, double radius, const Vec3& otherwise) {
    const double r = from_axis.norm();
    return {r - radius, r > 0 ? Vec3(from_axis / r) : otherwise};
}

// |X_k| <= half_k. Inside the nearest face counts; of equally near ones the first.
Nearest of_box(const Vec3& X, const Vec3& half) {
    const Vec3 beyond = X.cwiseAbs() - half;
    int axis = 0;
    if (const double most = beyond.maxCoeff(&axis); most <= 0) {
        Vec3 n = Vec3::Zero();
        n[axis] = X[axis] < 0 ? -1 : 1;
        return {most, n};
    }
    const Vec3 away = X - X.cwiseMin(half).cwiseMax(-half);
    return round(away, 0, Vec3::UnitY());
}

Nearest of_cylinder(const Vec3& X, double radius, double half) {
    const double rho = std::hypot(X.x(), X.z());
    const Vec3 outward = rho > 0 ? Vec3(X.x() / rho, 0, X.z() / rho) : Vec3(Vec3::UnitX());
    const Vec3 along(0, X.y() < 0 ? -1 : 1, 0);
    const double a = rho - radius, b = std::abs(X.y()) - half;
    if (a <= 0 || b <= 0) return a > b ? Nearest{a, outward} : Nearest{b, along};
    const double d = std::hypot(a, b);
    return {d, (a * outward + b * along) / d};
}

Nearest in_own_frame(const Obstacle& o, const Vec3& X) {
    switch (o.kind) {
        case Obstacle::Kind::plane:
            return {X.y(), Vec3::UnitY()};
        case Obstacle::Kind::sphere:
            return round(X, o.radius, Vec3::UnitY());
        case Obstacle::Kind::box:
            return of_box(X, 0.5 * o.size);
        case Obstacle::Kind::capsule: {
            const double half = 0.5 * o.length;
            return round(X - Vec3(0, std::clamp(X.y(), -half, half), 0), o.radius, Vec3::UnitX());
        }
        case Obstacle::Kind::cylinder:
            return of_cylinder(X, o.radius, 0.5 * o.length);
        case Obstacle::Kind::mesh:
            return o.mesh ? o.mesh->nearest(X) : Nearest{};
    }
    return {};
}

}  // namespace

std::span<const ObstacleKind> obstacle_kinds() {
    using K = Obstacle::Kind;
    static constexpr ObstacleKind table[] = {
        {K::plane, "plane", "Plane", false, false, true},
        {K::sphere, "sphere", "Ball", true, false, false},
        {K::box, "box", "Box", false, false, true},
        {K::capsule, "capsule", "Capsule", true, true, false},
        {K::cylinder, "cylinder", "Cylinder", true, true, false},
        {K::mesh, "mesh", "Mesh", false, false, true},
    };
    return table;
}

Obstacle make_obstacle(Obstacle::Kind kind) {
    Obstacle o;
    o.kind = kind;
    if (kind == Obstacle::Kind::plane) o.size = Vec3(4, 4, 4);
    if (kind == Obstacle::Kind::mesh) o.size = Vec3(1, 1, 1);
    return o;
}

std::string obstacle_name(std::span<const Obstacle> all, int index) {
    const std::string& name = all[static_cast<std::size_t>(index)].name;
    return name.empty() ? "obstacle " + std::to_string(index + 1) : name;
}

Nearest nearest(const Obstacle& o, const Pose& p, const Vec3& x) {
    const Nearest own = in_own_frame(o, p.to_own(x));
    return {own.distance, p.turn * own.normal};
}

}  // namespace wobble
