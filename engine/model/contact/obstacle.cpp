#include "engine/model/contact/obstacle.h"

#include "engine/core/types.h"

#include <numbers>

namespace wobble {

namespace {

Eigen::Quaterniond turn(const Vec3& axis, double degrees) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()));
}

}  // namespace

Pose pose(const Obstacle& o, double t) {
    Pose p{o.position, turn(o.axis, o.angle)};
    p.position += o.amplitude * std::sin(2 * std::numbers::pi * o.frequency * t);
    if (o.spin != 0) p.turn = turn(o.spin_axis, o.spin * t) * p.turn;
    return p;
}

Vec3 velocity(const Obstacle& o, double t, const Vec3& x) {
    const double dt = 1e-6;
    const Pose before = pose(o, t - dt), after = pose(o, t + dt);
    const Vec3 X = pose(o, t).to_own(x);
    return (after.to_world(X) - before.to_world(X)) / (2 * dt);
}

Nearest nearest(const Obstacle& o, const Pose& p, const Vec3& x) {
    const Vec3 X = p.to_own(x);
    switch (o.kind) {
        case Obstacle::Kind::plane:
            return {X.y(), p.turn * Vec3::UnitY()};
        case Obstacle::Kind::sphere: {
            const double r = X.norm();
            return {r - o.radius, r > 0 ? Vec3(p.turn * (X / r)) : Vec3(Vec3::UnitY())};
        }
        default:
            return {};
    }
}

}  // namespace wobble
