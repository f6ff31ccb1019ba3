#include "engine/model/drivers/wind.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wobble {

namespace {
constexpr double stable_share = 0.4;  // of the motion relative to the air that one step may stop
}

Wind::Wind(const TetMesh& mesh, const WindOptions& options)
    : triangles_(mesh.boundary), area_(VecX::Zero(static_cast<Eigen::Index>(mesh.vertices.size()))), options_(options) {
    direction_ = options.direction.normalized();
    across_ = direction_.cross(Vec3::UnitY());
    across_ = across_.norm() > 1e-6 ? across_.normalized() : Vec3(Vec3::UnitX());
    diagonal_ = std::max(bounding_box(mesh.vertices).diagonal(), 1e-6);
    for (const auto& [a, b, c] : triangles_) {
        const double area = 0.5 * (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).norm();
        for (int i : {a, b, c}) area_[i] += area / 3;
    }
    force_ = VecX::Zero(3 * area_.size());
}

Vec3 Wind::velocity(const Vec3& x, double t) const {
    const double turn = 2 * std::numbers::pi, y = across_.dot(x) / diagonal_, g = options_.gusts;
    const double swell = 1 + g * (0.6 * std::sin(turn * 0.45 * t) + 0.4 * std::sin(turn * (1.1 * t - y)));
    return speed_ * (swell * direction_ + 0.5 * g * std::sin(turn * (0.7 * t - y)) * across_);
}

void Wind::begin(MechanicalSystem& system, State& state, double h) {
    force_.setZero();
    if (speed_ == 0) return;
    for (const auto& [a, b, c] : triangles_) {
        const Vec3 xa = particle(state.q, a), xb = particle(state.q, b), xc = particle(state.q, c);
        const Vec3 doubled = (xb - xa).cross(xc - xa);
        const double length = doubled.norm();
        if (!(length > 1e-300)) continue;
        const Vec3 n = doubled / length, v = (particle(state.v, a) + particle(state.v, b) + particle(state.v, c)) / 3;
        double drag = options_.drag;
        for (int i : {a, b, c}) drag = std::min(drag, stable_share / h * system.mass()[3 * i] / area_[i]);
        const Vec3 f = drag * 0.5 * length / 3 * n.dot(velocity((xa + xb + xc) / 3, state.t) - v) * n;
        for (int i : {a, b, c}) particle(force_, i) += f;
    }
    system.constraints().project(force_);
    system.external_force() += force_;
}

double Wind::work(const MechanicalSystem&, const State& before, const State& after) {
    return speed_ == 0 ? 0 : force_.dot(after.q - before.q);
}

}  // namespace wobble
