#pragma once
// Preconditioned conjugate gradients, filtered for constraints (Hauth 2004, algorithm 4 with its misprints corrected: it goes on
// WHILE the error is large, and rho is renewed in every pass). Solves  P A P x = P b,  (I - P) x = 0  from the start value x = 0:
//     r = P b;   z = P B^-1 r,  rho = r.z,  p = z + (rho / rho_old) p,  q = P A p,  alpha = rho / p.q,  x += alpha p,  r -= alpha q.
//
// When it stops. Not by |r|, whose meaning depends on the stiffness, but by the error of x in the energy norm |e|_A, the norm Newton is
// judged by; so every preconditioner (and Cholesky, whose error is rounding) delivers the same quality. Two estimates, either is enough:
//   - every pass lowers |e|_A^2 by exactly delta = alpha rho (Hestenes, Stiefel 1952), and |x|_A^2 is the sum of all delta so far. The sums
//     S of the newest d deltas and S' of the d before them give theta = S / S' and the rest of the series, S theta / (1 - theta); d grows
//     with the run. It must be small in two passes running: one delta may be small by chance.
//   - |e|_A^2 = r.A^-1 r <= r.W r wherever A >= W^-1, which every step matrix M + g^2 K fulfils with W = M^-1 while K is not negative.
// Passes over vectors are fused, sums do not depend on the number of threads, nothing is allocated after the first call.
#include "engine/linalg/scalar_matrix.h"
#include "engine/model/constraints.h"
#include "engine/solve/linear/preconditioner.h"

namespace wobble {

struct CgReport {
    enum class Outcome { solved, negative_curvature, stagnated, not_finite, stopped } outcome;
    int iterations = 0;  // each is one product with A and one application of B^-1
};

class ConjugateGradient {
public:
    // Until |e|_A <= tolerance |x|_A. Negative curvature: a direction with p.Ap <= 0 came up, x is what was found before it.
    template <class Matrix>
    CgReport solve(Workers&, const Matrix& A, const Constraints&, const VecX& W, Preconditioner&, const VecX& b, double tolerance,
                   int max_iterations, VecX& x);

private:
    bool small_error(double tolerance, int iterations, double residual);

    VecX r_, z_, p_, q_;
    std::vector<double> delta_;  // of each pass
    double fallen_ = 0;          // their sum
    bool small_before_ = false;  // the estimate by them was small enough in the pass before
};

}  // namespace wobble
