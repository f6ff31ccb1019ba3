#pragma once
#include "engine/core/types.h"

namespace wobble {

// Time, positions and velocities of ALL particles. Held particles stay in the vectors with velocity zero and inverse mass
// zero: simpler than renumbering free ones (pinning and releasing costs nothing, meshes keep their indices), same motion.
struct State {
    double t = 0;  // s
    VecX q, v;     // m, m/s; three entries per particle
    // What forces remember from step to step besides positions: rest lengths, active contacts, friction anchors. Constant within a step; a
    // force changes its own at the end of one. Empty for elastic bodies.
    VecX internal = {};
};

}  // namespace wobble
