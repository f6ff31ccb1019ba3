#pragma once
// b_0 of a list of terms (phi_evaluator.h): (x; v) = the sum of those with k = 0.
#include "engine/solve/phi/phi_evaluator.h"

namespace wobble {

inline void initial_value(const Linearized& system, std::span<const PhiTerm> terms, VecX& x, VecX& v) {
    x.setZero(system.mass.size());
    v.setZero(system.mass.size());
    for (const PhiTerm& term : terms) {
        if (term.k != 0) continue;
        if (term.x) x += *term.x;
        if (term.v) v += *term.v;
    }
}

}  // namespace wobble
