#pragma once
// The hand that grabs the body, as triangles on the picture: a line of even width, a ring at its end, a dot on the body.
#include "app/viewer/camera.h"
#include "engine/sim/snapshot.h"

#include <vector>

namespace wobble {

struct OverlayVertex {
    float x, y;
    float r, g, b, a;
};  // normalised device coordinates

std::vector<OverlayVertex> grab_overlay(const GrabView&, const Camera&, int width, int height);

}  // namespace wobble
