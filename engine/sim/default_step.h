#pragma once
// The step size of a method when none is given.
#include "engine/integrate/methods.h"
#include "engine/model/material.h"

namespace wobble {

// As many equal steps per frame_step as the method table says, or as many as keep it below its stability limit for the frequencies of
// the initial tangent, with a margin of 20 % for the stiffening of large deformations.
double default_step(const MethodInfo&, double frame_step, double omega_max, const Material&);

}  // namespace wobble
