#pragma once
// Wind on the outside of a body. Each triangle of area A, unit normal n and velocity v (mean of its corners) feels
//     f = c A ( n . (w(x, t) - v) ) n,       a third of it at each corner,
// c the drag in N s/m^3, w the wind at its centre: the wind speed along the wind's direction, swelling and turning gently,
//     w = W [ d (1 + g (0.6 sin(2 pi 0.45 t) + 0.4 sin(2 pi (1.1 t - y/L)))) + e g/2 sin(2 pi (0.7 t - y/L)) ],
// d the direction, e horizontal and across it, y the place along e, L the body's diagonal, g the strength of the gusts. A formula
// of t and x: the same run twice gives the same bits.
// Like the hand's pull f is constant within a step, so that every integrator sees a plain external force. So that this stays
// stable at any step, c is limited to 0.4/h times the least mass per area of the triangle's corners.
#include "engine/mesh/mesh.h"
#include "engine/model/mechanical_system.h"
#include "engine/scene/scene.h"

#include <vector>

namespace wobble {

class Wind {
public:
    Wind() = default;
    Wind(const TetMesh&, const WindOptions&);  // blows on the mesh's boundary

    void set_speed(double speed) { speed_ = speed; }  // W, m/s
    double speed() const { return speed_; }
    void blow(MechanicalSystem&, const State&, double h);      // adds to the external force for the next step
    double work(const VecX& before, const VecX& after) const;  // J, done by the last blow
    Vec3 velocity(const Vec3& x, double t) const;              // w

private:
    std::vector<Triangle> triangles_;
    VecX area_;  // per particle at rest, a third of its triangles'
    WindOptions options_;
    Vec3 direction_ = Vec3::UnitZ(), across_ = Vec3::UnitX();
    double diagonal_ = 1, speed_ = 0;
    VecX force_;
};

}  // namespace wobble
