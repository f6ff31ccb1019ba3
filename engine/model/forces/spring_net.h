#pragma once
// Particles and springs given one by one: for examples, studies and tests (one particle on a spring, many independent oscillators,
// chains). Masses, stiffnesses and rest lengths are what is written here: of the Material only gravity, both Rayleigh dampings,
// stiffening and spring_damping act on a net.
//     SpringNet net{.rest = {{0, 0, 0}, {0, -1, 0}}, .mass = {1, 0.1}, .springs = {{0, 1, 100, 1}}};
//     MechanicalSystem system(net, Constraints(2, {Constraint::held(0)}), {.gravity = 10}, std::make_shared<Workers>(1));
#include "engine/core/types.h"
#include "engine/mesh/mesh.h"

#include <vector>

namespace wobble {

struct NetSpring {
    int i, j;            // i != j; several springs between the same two particles add up
    double stiffness;    // k, N/m
    double rest_length;  // l0, m; may be 0, and need not be the distance of the rest positions
    LinkKind kind = LinkKind::structural;
};

struct SpringNet {
    std::vector<Vec3> rest;    // m, where particles start
    std::vector<double> mass;  // kg, one per particle, positive
    std::vector<NetSpring> springs;
};

}  // namespace wobble
