#pragma once
// The hand that pulls at a body: a critically damped spring with capped force between a soft patch around the hit point and
// the hand's target.
//     p = sum_i w_i x_i,   1/m = sum_i w_i^2 / m_i,   F = k (target - p) - c p',   k = m w^2, c = 2 m w,   |F| <= cap
// F acts on particle i as w_i F and is held constant during a step, so that every integrator sees a plain external force;
// w (the hand's frequency) is limited to 0.4 / h, which keeps that stable at any step size. The patch, instead of the single
// triangle that was hit, is what keeps a pull from tearing one light particle out of a stiff mesh.
#include "engine/mesh/mesh.h"
#include "engine/model/mechanical_system.h"
#include "engine/sim/command.h"

#include <optional>
#include <vector>

namespace wobble {

class Hand {
public:
    // Nothing if no free particle is near the hit point. `q` is the present configuration.
    static std::optional<Hand> take(const BodyMesh&, const MechanicalSystem&, const VecX& q, const Grab&);

    void move_to(const Vec3& target) { target_ = target; }
    const Vec3& target() const { return target_; }
    Vec3 hit_point(const BodyMesh&, const VecX& q) const;  // the grabbed point of the drawn surface

    void pull(MechanicalSystem&, const State&, double h);   // sets the external force for the next step
    double work(const VecX& before, const VecX& after) const;  // J, done by the last pull
    static void let_go(MechanicalSystem&);                  // removes the external force

private:
    Vec3 patch_point(const VecX& x) const;

    int triangle_ = 0;
    Vec3 barycentric_ = Vec3::Zero(), target_ = Vec3::Zero();
    Vec3 offset_ = Vec3::Zero();  // from the hit point to the patch's point when taken
    Vec3 force_ = Vec3::Zero();
    std::vector<std::pair<int, double>> patch_;  // particle, w_i
};

}  // namespace wobble
