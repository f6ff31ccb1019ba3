#include "engine/sim/default_step.h"

#include <algorithm>
#include <cmath>

namespace wobble {

double default_step(const MethodInfo& method, double frame_step, double omega_max, const Material& material) {
    if (method.family != Family::explicit_classical || omega_max <= 0) return frame_step / method.steps_per_frame;
    const double damping = material.mass_damping + material.damping * omega_max * omega_max;
    double limit = 1.6 / omega_max;                              // stable below 2
    if (damping > 0) limit = std::min(limit, 0.8 / damping);     // lagged damping: stable below about 1
    return frame_step / std::ceil(frame_step / limit);
}

}  // namespace wobble
