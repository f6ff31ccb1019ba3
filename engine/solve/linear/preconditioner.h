#pragma once
// A preconditioner of conjugate gradients: a symmetric positive definite B ~ A with a cheap inverse. How it is made from A is each one's
// own affair (`update`); CG only applies it. B works on all directions; CG itself filters the forbidden ones.
#include "engine/core/types.h"

namespace wobble {

class Preconditioner {
public:
    virtual ~Preconditioner() = default;
    virtual double apply(const VecX& r, VecX& z) = 0;  // z = B^-1 r; returns r . z, which is summed on the way
};

}  // namespace wobble
