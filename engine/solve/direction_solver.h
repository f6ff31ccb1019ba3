#pragma once
// The linear solver inside Newton's method: at the iterate q with gradient G it finds a direction p with A p = -G, A positive definite.
#include "engine/core/types.h"

namespace wobble {

struct LinearReport {
    enum class Outcome { solved, indefinite, stagnated, not_finite, stopped } outcome = Outcome::solved;
    int iterations = 0;  // of conjugate gradients
    int factorizations = 0;
    bool corrected = false;  // A was indefinite: p belongs to A with a larger diagonal, it descends but is no Newton direction
};

class DirectionSolver {
public:
    virtual ~DirectionSolver() = default;
    // G has no part in forbidden directions, nor has p. `error`: how large the error of p may be beside p, in the norm |p|_A.
    virtual LinearReport direction(const VecX& q, const VecX& G, double error, VecX& p) = 0;
};

}  // namespace wobble
