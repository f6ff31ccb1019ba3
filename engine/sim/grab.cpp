#include "engine/sim/grab.h"

#include <cmath>

namespace wobble {

namespace {

constexpr double hand_frequency = 60;  // rad/s: firm, yet slower than most steps
constexpr double patch_radius = 0.1;   // of the body's diagonal
constexpr double strength = 3;         // largest force, in weights of the body on Earth

Vec3 surface_point(const BodyMesh& body, const VecX& q, int vertex) {
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < 4; ++k) x += body.embedding.weight[vertex][k] * particle(q, body.embedding.particle[vertex][k]);
    return x;
}

}  // namespace

std::optional<Hand> Hand::take(const BodyMesh& body, const MechanicalSystem& system, const VecX& q, const Grab& grab) {
    if (grab.triangle < 0 || grab.triangle >= static_cast<int>(body.surface.triangles.size()) || !grab.barycentric.allFinite() ||
        !grab.target.allFinite())
        return std::nullopt;
    Hand hand;
    hand.triangle_ = grab.triangle;
    hand.barycentric_ = grab.barycentric;
    hand.target_ = grab.target;

    Vec3 rest_hit = Vec3::Zero();
    for (int k = 0; k < 3; ++k) rest_hit += grab.barycentric[k] * body.surface.vertices[body.surface.triangles[grab.triangle][k]];
    const double radius = patch_radius * bounding_box(body.tets.vertices).diagonal();
    double sum = 0;
    for (int i = 0; i < system.particles(); ++i) {
        const double r = (body.tets.vertices[i] - rest_hit).norm() / radius;
        if (system.pinned()[i] || r >= 1) continue;
        const double w = (1 - r * r) * (1 - r * r);
        hand.patch_.emplace_back(i, w);
        sum += w;
    }
    if (sum <= 0) return std::nullopt;
    for (auto& [i, w] : hand.patch_) w /= sum;
    hand.offset_ = hand.patch_point(q) - hand.hit_point(body, q);
    return hand;
}

Vec3 Hand::hit_point(const BodyMesh& body, const VecX& q) const {
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < 3; ++k) x += barycentric_[k] * surface_point(body, q, body.surface.triangles[triangle_][k]);
    return x;
}

Vec3 Hand::patch_point(const VecX& x) const {
    Vec3 p = Vec3::Zero();
    for (const auto& [i, w] : patch_) p += w * particle(x, i);
    return p;
}

void Hand::pull(MechanicalSystem& system, const State& state, double h) {
    double inverse = 0;
    for (const auto& [i, w] : patch_) inverse += w * w * system.inverse_mass()[3 * i];
    const double omega = std::min(hand_frequency, 0.4 / h), m = 1 / inverse;
    force_ = m * omega * (omega * (target_ + offset_ - patch_point(state.q)) - 2 * patch_point(state.v));
    const double cap = strength * 9.81 * system.total_mass();
    if (force_.norm() > cap) force_ *= cap / force_.norm();
    system.external_force().setZero();
    for (const auto& [i, w] : patch_) particle(system.external_force(), i) = w * force_;
    system.constraints().project(system.external_force());
}

double Hand::work(const VecX& before, const VecX& after) const { return force_.dot(patch_point(after) - patch_point(before)); }

void Hand::let_go(MechanicalSystem& system) { system.external_force().setZero(); }

}  // namespace wobble
