#pragma once
// What a picture shows; a plain value.
#include "engine/core/types.h"

namespace wobble {

struct ViewOptions {
    bool wireframe = false;
    bool ground = true;
    bool shadow = true;
    bool highlight_pins = true;
    int samples = 4;                              // per pixel: 1 is faster, 4 has smooth edges
    Vec3f colour = Vec3f(0.78f, 0.175f, 0.075f);  // of the body, linear
    bool operator==(const ViewOptions&) const = default;
};

}  // namespace wobble
