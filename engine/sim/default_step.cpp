#include "engine/sim/default_step.h"

#include <algorithm>
#include <cmath>

namespace wobble {

double default_step(const MethodInfo& method, double frame_step, double omega_max, const Material& material) {
    // Stiffness damping gives high frequencies the larger ratio d / (2 omega) = beta omega / 2: the highest that it does not make safe
    // decides, in most cases the highest of all.
    const double alpha = material.mass_damping, beta = material.damping;
    const double highest = std::min(omega_max, beta > 0 ? 2 * method.needed_damping / beta : omega_max);
    const double omega = highest / method.imaginary_limit;
    const double d = (alpha + (beta + material.spring_damping) * highest * highest) / method.real_limit;
    const double own = frame_step / method.steps_per_frame;
    if (d == 0 && omega == 0) return own;
    // h d + (h omega)^2 = 1, with a margin
    const double limit = 0.8 * 2 / (d + std::sqrt(d * d + 4 * omega * omega));
    return limit < own ? frame_step / std::ceil(frame_step / limit) : own;
}

}  // namespace wobble
