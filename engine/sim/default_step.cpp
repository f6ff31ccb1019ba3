#include "engine/sim/default_step.h"

#include <cmath>

namespace wobble {

double default_step(const MethodInfo& method, double frame_step, double omega_max, const Material& material) {
    // d and omega grow together (Rayleigh): the highest frequency decides.
    const double d = (material.mass_damping + (material.damping + material.spring_damping) * omega_max * omega_max) / method.real_limit;
    const double omega = omega_max / method.imaginary_limit;
    const double own = frame_step / method.steps_per_frame;
    if (d == 0 && omega == 0) return own;
    // h d + (h omega)^2 = 1, with a margin
    const double limit = 0.8 * 2 / (d + std::sqrt(d * d + 4 * omega * omega));
    return limit < own ? frame_step / std::ceil(frame_step / limit) : own;
}

}  // namespace wobble
