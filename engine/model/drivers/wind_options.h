#pragma once
#include "engine/core/types.h"

namespace wobble {

// How the wind blows, but for its speed, which is a parameter. Formula in wind.h.
struct WindOptions {
    Vec3 direction = Vec3::UnitZ();
    double drag = 2;     // N s/m^3: force per area and speed across a triangle
    double gusts = 0.3;  // how much it swells and turns; 0: steady
    bool operator==(const WindOptions&) const = default;
};

}  // namespace wobble
