#pragma once
// What a body is made of and what pulls at it. Plain values, SI units.

namespace wobble {

struct Material {
    double stiffness = 6000;      // N/m; solids: springs from each tet vertex to the centroid of the opposite face; sheets: structural springs
    double edge_stiffness = 600;  // N/m, springs on tet edges
    double damping = 0;           // s, stiffness-proportional Rayleigh (beta)
    double mass_damping = 0;      // 1/s, mass-proportional Rayleigh (alpha)
    double density = 1000;        // kg/m^3
    double gravity = 9.81;        // m/s^2, downward (-y)
    double stiffening = 0;        // c of all springs, f = k (d + c d^3 / l0^2); 0: linear
    double spring_damping = 0;    // s, tau of all springs: each resists its lengthening by tau times its stiffness
    double young = 1e5;           // Pa, Young's modulus of co-rotational tets
    double poisson = 0.35;        // Poisson's ratio of co-rotational tets
    bool operator==(const Material&) const = default;
};

// What makes a body elastic. Values that are not changed while it moves.
struct ElasticModel {
    enum class Kind { springs, corotational };
    Kind kind = Kind::springs;
    double shear = 0.1, bending = 0.01;  // sheets: stiffness of shear and bending springs, as shares of the structural one
    double thickness = 5e-4;             // m, sheets: mass per area is density * thickness
    bool operator==(const ElasticModel&) const = default;
};

}  // namespace wobble
