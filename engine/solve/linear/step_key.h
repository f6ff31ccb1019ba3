#pragma once
// What a step's matrix at fixed positions is made of, so that the owner of a factorisation knows when it is out of date.
#include "engine/model/mechanical_system.h"

#include <algorithm>
#include <vector>

namespace wobble {

struct StepKey {
    double g = 0;
    std::vector<Material> materials;
    std::vector<Constraint> constraints;

    StepKey() = default;
    StepKey(const MechanicalSystem& system, double stage)
        : g(stage), materials(system.materials()), constraints(system.constraints().all()) {}

    // `slack`: by how much g may differ, relatively.
    bool describes(const MechanicalSystem& system, double stage, double slack = 0) const {
        const auto same = [](const Constraint& a, const Constraint& b) { return a.particle == b.particle && a.allowed == b.allowed; };
        const auto& now = system.constraints().all();
        return g > 0 && std::abs(stage - g) <= slack * g && materials == system.materials() &&
               std::equal(constraints.begin(), constraints.end(), now.begin(), now.end(), same);
    }
};

}  // namespace wobble
