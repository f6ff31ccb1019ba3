#pragma once
// What a body is made of and what pulls at it. Plain values, SI units.
#include "engine/core/types.h"

#include <vector>

namespace wobble {

struct Material {
    double stiffness = 6000;  // N/m; solids: springs from each tet vertex to the centroid of the opposite face; sheets: structural springs
    double edge_stiffness = 600;   // N/m, springs on tet edges
    double damping = 0;            // s, stiffness-proportional Rayleigh (beta)
    double mass_damping = 0;       // 1/s, mass-proportional Rayleigh (alpha)
    double density = 1000;         // kg/m^3
    double gravity = 9.81;         // m/s^2, downward (-y)
    double stiffening = 0;         // c of all springs, f = k (d + c d^3 / l0^2); 0: linear
    double spring_damping = 0;     // s, tau of all springs: each resists its lengthening by tau times its stiffness
    double young = 1e5;            // Pa, Young's modulus of co-rotational and neo-Hookean tets
    double poisson = 0.35;         // Poisson's ratio of co-rotational and neo-Hookean tets
    double friction = 0.5;         // Coulomb's mu, where surfaces touch
    double restitution = 0;        // share of the approaching normal velocity that a touching vertex has afterwards
    double contact_thickness = 0;  // m: surfaces nearer than that repel each other; 0: a hundredth of the body's size
    bool operator==(const Material&) const = default;
};

// A part of a body in which all springs, or Young's modulus, are stiffer by a factor. Which elements it has: stiff_regions.h.
struct StiffRegion {
    Vec3 low = Vec3::Zero(), high = Vec3::Ones();  // the box, in shares of the body's extents at rest, 0 to 1
    double factor = 1;                             // positive
    bool operator==(const StiffRegion&) const = default;
};

// What makes a body elastic. Values that are not changed while it moves.
struct ElasticModel {
    enum class Kind { springs, corotational, neo_hookean };  // see elastic_models.h
    Kind kind = Kind::springs;
    bool continuum() const { return kind != Kind::springs; }  // of Young's modulus and Poisson's ratio
    double shear = 0.1, bending = 0.01;     // sheets: stiffness of shear and bending springs, as shares of the structural one
    double thickness = 5e-4;                // m, sheets: mass per area is density * thickness
    std::vector<StiffRegion> regions = {};  // of two that have an element in common the later one counts
    bool operator==(const ElasticModel&) const = default;
};

}  // namespace wobble
