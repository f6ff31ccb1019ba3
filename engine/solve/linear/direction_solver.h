#pragma once
// The linear solver inside Newton's method: at the iterate q with gradient G it finds a direction p with A p = -G, A positive definite.
#include "engine/core/types.h"

namespace wobble {

struct LinearReport {
    enum class Outcome { solved, indefinite, stagnated, not_finite, stopped } outcome = Outcome::solved;
    int iterations = 0;  // of conjugate gradients
    int factorizations = 0;
    double shift = 0;  // positive: A was indefinite and p belongs to A with its diagonal this much larger; it descends but is not Newton's
};

class DirectionSolver {
public:
    virtual ~DirectionSolver() = default;
    // G has no part in forbidden directions, nor has p. `error`: how large the error of p may be beside p, in the norm |p|_A.
    virtual LinearReport direction(const VecX& q, const VecX& G, double error, VecX& p) = 0;
};

}  // namespace wobble
