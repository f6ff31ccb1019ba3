#pragma once
// The slowest vibration of a body that may be free: the smallest w > 0 with K x = w^2 M x on the allowed directions (constraints.h),
// motions that deform nothing left out. Those are the rigid motions that the constraints admit: combinations r of the three translations
// and three rotations with P r = r. Lanczos (Ruhe 1984 calls it spectral transformation) with
//     (K + s M)^-1 M,   orthogonal in the M-product to the rigid ones and to all before,
// s = 0 where there are none, else far below w^2, so that the factor exists.
#include "engine/model/mechanical_system.h"

namespace wobble {

// rad/s, of the tangent at q, to about 0.01 %; 0 if K is not positive on the other motions.
double lowest_elastic_frequency(const MechanicalSystem&, const VecX& q);

}  // namespace wobble
