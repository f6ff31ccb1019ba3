#pragma once
// Where the lamps and the ground of a picture are.
#include "app/viewer/camera.h"
#include "engine/sim/snapshot.h"

namespace wobble {

// Towards the key light, fixed to the camera's azimuth at a slow rate so that the lit side is always in view.
Vec3f key_light(const Camera&);
Vec3f fill_light(const Camera&);

// Height of the ground under the bodies: of the obstacle "floor", or where there is none that of the scene, see ground_under().
float ground_height(const Snapshot&);

}  // namespace wobble
