#include "engine/model/drivers/hand.h"

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

bool Hand::take(const BodyMesh& body, const MechanicalSystem& system, const VecX& q, const GripPoint& grip) {
    if (grip.triangle < 0 || grip.triangle >= static_cast<int>(body.surface.triangles.size()) || !grip.barycentric.allFinite() ||
        !grip.target.allFinite())
        return false;
    std::vector<std::pair<int, double>> patch;
    Vec3 rest_hit = Vec3::Zero();
    for (int k = 0; k < 3; ++k) rest_hit += grip.barycentric[k] * body.surface.vertices[body.surface.triangles[grip.triangle][k]];
    const double radius = patch_radius * bounding_box(body.tets.vertices).diagonal();
    double sum = 0;
    for (int i = 0; i < system.particles(); ++i) {
        const double r = (body.tets.vertices[i] - rest_hit).norm() / radius;
        if (system.pinned()[i] || r >= 1) continue;
        const double w = (1 - r * r) * (1 - r * r);
        patch.emplace_back(i, w);
        sum += w;
    }
    if (sum <= 0) return false;
    for (auto& [i, w] : patch) w /= sum;
    grip_ = grip;
    patch_ = std::move(patch);
    force_ = Vec3::Zero();
    offset_ = patch_point(q) - hit_point(body, q);
    return true;
}

Vec3 Hand::hit_point(const BodyMesh& body, const VecX& q) const {
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < 3; ++k) x += grip_.barycentric[k] * surface_point(body, q, body.surface.triangles[grip_.triangle][k]);
    return x;
}

Vec3 Hand::patch_point(const VecX& x) const {
    Vec3 p = Vec3::Zero();
    for (const auto& [i, w] : patch_) p += w * particle(x, i);
    return p;
}

void Hand::begin(MechanicalSystem& system, State& state, double h) {
    if (patch_.empty()) return;
    double inverse = 0;
    for (const auto& [i, w] : patch_) inverse += w * w * system.inverse_mass()[3 * i];
    const double omega = std::min(hand_frequency, 0.4 / h), m = 1 / inverse;
    force_ = m * omega * (omega * (grip_.target + offset_ - patch_point(state.q)) - 2 * patch_point(state.v));
    const double cap = strength * 9.81 * system.total_mass();
    if (force_.norm() > cap) force_ *= cap / force_.norm();
    for (const auto& [i, w] : patch_) particle(system.external_force(), i) = w * force_;
    system.constraints().project(system.external_force());
}

double Hand::work(const MechanicalSystem&, const State& before, const State& after) {
    return patch_.empty() ? 0 : force_.dot(patch_point(after.q) - patch_point(before.q));
}

}  // namespace wobble
