#pragma once
// What phi evaluators are asked for in tests: the motion at a third of a step and at its end.
#include "engine/solve/phi/phi_evaluator.h"

#include <array>

namespace wobble::support {

struct Motion {  // at h/3 and h
    VecX x1, v1, x, v;
    std::array<PhiNode, 2> nodes;
    Motion(Eigen::Index n, double h, double tolerance)
        : x1(n), v1(n), x(n), v(n), nodes{{{h / 3, tolerance, &x1, &v1}, {h, tolerance, &x, &v}}} {}
    Motion(const Motion&) = delete;
};

inline double apart(const VecX& a, const VecX& b) { return (a - b).norm() / b.norm(); }

}  // namespace wobble::support
