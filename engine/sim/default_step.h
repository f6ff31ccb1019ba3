#pragma once
// The step size a method takes when nobody asks for one.
#include "engine/integrate/methods.h"
#include "engine/model/material.h"

namespace wobble {

// Methods limited by stability stay below their limit for the frequencies of the initial tangent, with a margin for the
// stiffening of large deformations, and divide frame_step evenly; the others take as many steps as the method table says.
double default_step(const MethodInfo&, double frame_step, double omega_max, const Material&);

}  // namespace wobble
