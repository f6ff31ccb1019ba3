#pragma once
// The hand that pulls at a body: a critically damped spring with capped force between a soft patch around the hit point and
// the hand's target.
//     p = sum_i w_i x_i,   1/m = sum_i w_i^2 / m_i,   F = k (target - p) - c p',   k = m w^2, c = 2 m w,   |F| <= cap
// F acts on particle i as w_i F and is held constant during a step, so that every integrator sees a plain external force;
// w (the hand's frequency) is limited to 0.4 / h, which keeps that stable at any step size. The patch, instead of the single
// triangle that was hit, is what keeps a pull from tearing one light particle out of a stiff mesh.
#include "engine/mesh/mesh.h"
#include "engine/model/drivers/driver.h"

#include <utility>
#include <vector>

namespace wobble {

// A point of the drawn surface, and where the hand wants it.
struct GripPoint {
    int triangle;
    Vec3 barycentric, target;
};

// The first in a list of drivers: it sets the external force of its patch, those after it add.
class Hand final : public Driver {
public:
    // False, and nothing changes, if no free particle is near the point. `q` is the present configuration.
    bool take(const BodyMesh&, const MechanicalSystem&, const VecX& q, const GripPoint&);
    void let_go() override { patch_.clear(); }
    void move_to(const Vec3& target) { grip_.target = target; }
    const Vec3& target() const { return grip_.target; }
    Vec3 hit_point(const BodyMesh&, const VecX& q) const;  // the grabbed point of the drawn surface

    std::unique_ptr<Driver> clone() const override { return std::make_unique<Hand>(*this); }
    bool active() const override { return !patch_.empty(); }
    void begin(MechanicalSystem&, State&, double h) override;
    double work(const MechanicalSystem&, const State& before, const State& after) override;

private:
    Vec3 patch_point(const VecX& x) const;

    GripPoint grip_{0, Vec3::Zero(), Vec3::Zero()};
    Vec3 offset_ = Vec3::Zero();  // from the hit point to the patch's point when taken
    Vec3 force_ = Vec3::Zero();
    std::vector<std::pair<int, double>> patch_;  // particle, w_i; empty: nothing is held
};

}  // namespace wobble
