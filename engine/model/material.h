#pragma once
// What a body is made of and what pulls at it. Plain values, SI units.

namespace wobble {

struct Material {
    double stiffness = 6000;      // N/m, springs from each tet vertex to the centroid of the opposite face
    double edge_stiffness = 600;  // N/m, springs on tet edges
    double damping = 0;           // s, stiffness-proportional Rayleigh (beta)
    double mass_damping = 0;      // 1/s, mass-proportional Rayleigh (alpha)
    double density = 1000;        // kg/m^3
    double gravity = 9.81;        // m/s^2, downward (-y)
    bool operator==(const Material&) const = default;
};

}  // namespace wobble
