#pragma once
// What every evaluator on Ritz values shares. u(s) = sum_k s^k phi_k(sJ) b_k is linear in the start vectors; a vector that is the position
// (part 0) or velocity (part 1) of several b_k is one column, with its factors, and moves on each Ritz value theta of M^-1 K as
//     (px; pv) = sum_k factor_k s^k phi_k(s B(theta)) e_part,      B of small_phi.h.
#include "engine/solve/phi/phi_evaluator.h"
#include "engine/solve/phi/small_phi.h"

#include <array>
#include <vector>

namespace wobble {

struct PhiColumn {
    const VecX* start;
    int part;  // 0: position, 1: velocity
    std::array<double, max_phi + 1> factor;

    int top() const;                                                           // highest k with a factor
    double initial(int which) const { return which == part ? factor[0] : 0; }  // (px; pv) at s = 0
};

void collect_columns(std::span<const PhiTerm>, std::vector<PhiColumn>&);
// Of the same problem as it goes on from u(t) = (x; v):
//     u(t + s) = phi_0(sJ) u(t) + sum_{k >= 1} s^k phi_k(sJ) g_k,      g_k = sum_{l >= 0} t^l / l! b_{k+l}.
void collect_columns(std::span<const PhiTerm>, double t, const VecX& x, const VecX& v, std::vector<PhiColumn>&);

Eigen::Vector2d ritz_motion(const Linearized&, const PhiColumn&, double s, double theta);

}  // namespace wobble
