#pragma once
// The equations of motion as a first-order system u' = F(u), for the methods that evaluate it:
//     u = (q; v),     F(u) = (v; a),     a(q, v) = P W ( f(q) + f_ext - D(q) v ).
// Forbidden directions (constraints.h) have a = 0 and keep their velocity, so moving pins need nothing else.
#include "engine/integrate/report.h"
#include "engine/model/mechanical_system.h"

namespace wobble {

inline void acceleration(const MechanicalSystem& system, const VecX& q, const VecX& v, VecX& a, StepReport& report) {
    const VecX& W = system.inverse_mass();
    a.resize(q.size());
    system.force(q, v, a);
    system.workers().ranges(static_cast<int>(a.size()), [&](int begin, int end) {
        for (int k = begin; k < end; ++k) a[k] *= W[k];
    });
    system.constraints().project(a);
    ++report.force_evaluations;
}

}  // namespace wobble
