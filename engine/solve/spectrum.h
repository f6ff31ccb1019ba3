#pragma once
// The highest and the lowest natural frequency of M^-1 K: what limits explicit steps, and what one sees.
#include "engine/solve/linearized.h"

namespace wobble {

// Largest eigenvalue of M^-1 K by Lanczos from a fixed pseudo-random start, to about 0.1 %; returns its square root, rad/s.
double highest_frequency(const Linearized&);

// Lowest one by inverse iteration with a sparse Cholesky factor, rad/s; 0 if K is not positive definite on the free particles.
double lowest_frequency(const Linearized&);

}  // namespace wobble
