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
#include "engine/model/drivers/driver.h"
#include "engine/model/drivers/wind_options.h"

#include <vector>

namespace wobble {

class Wind final : public Driver {
public:
    Wind() = default;
    Wind(const TetMesh&, const WindOptions&);  // blows on the mesh's boundary

    void set_speed(double speed) { speed_ = speed; }  // W, m/s
    Vec3 velocity(const Vec3& x, double t) const;     // w

    std::unique_ptr<Driver> clone() const override { return std::make_unique<Wind>(*this); }
    bool active() const override { return speed_ != 0; }
    void begin(MechanicalSystem&, State&, double h) override;
    double work(const MechanicalSystem&, const State& before, const State& after) override;

private:
    std::vector<Triangle> triangles_;
    VecX area_;  // per particle at rest, a third of its triangles'
    WindOptions options_;
    Vec3 direction_ = Vec3::UnitZ(), across_ = Vec3::UnitX();
    double diagonal_ = 1, speed_ = 0;
    VecX force_;
};

}  // namespace wobble
