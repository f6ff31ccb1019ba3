#pragma once
// What an exponential method needs from linear algebra, and all it knows of it:
//     u = sum_k h^k phi_k(hJ) b_k,     b_k = (x_k; v_k),  k >= 1,
// which is u(h) for u' = J u + sum_k t^(k-1)/(k-1)! b_k, u(0) = 0.
#include "engine/solve/linearized.h"

#include <span>

namespace wobble {

struct PhiTerm {
    int k;
    const VecX* x;  // null: zero
    const VecX* v;  // null: zero
};

struct PhiReport {
    bool converged = true;
    int dimension = 0;  // largest Krylov dimension
    int substeps = 1;
    long products = 0;  // with K, one per column
};

class PhiEvaluator {
public:
    virtual ~PhiEvaluator() = default;
    // Tolerance: error in the energy norm sqrt(|x|_K^2 + |v|_M^2) relative to that of u. Vectors vanish on held particles.
    virtual PhiReport apply(const Linearized&, double h, std::span<const PhiTerm>, double tolerance, VecX& x, VecX& v) = 0;
};

}  // namespace wobble
