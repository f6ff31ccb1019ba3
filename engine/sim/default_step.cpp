#include "engine/sim/default_step.h"

#include <cmath>

namespace wobble {

double default_step(const MethodInfo& method, double frame_step, double omega_max, const Material& material) {
    if (method.family != Family::explicit_classical || omega_max <= 0) return frame_step / method.steps_per_frame;
    // Verlet with lagged damping d is stable for h d + (h omega)^2 / 4 < 1, that is h < 2 / (d + sqrt(d^2 + omega^2)).
    const double d = material.mass_damping + (material.damping + material.spring_damping) * omega_max * omega_max;
    const double limit = 0.8 * 2 / (d + std::sqrt(d * d + omega_max * omega_max));
    return frame_step / std::ceil(frame_step / limit);
}

}  // namespace wobble
