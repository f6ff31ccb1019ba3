#pragma once
// What an exponential method needs from linear algebra, and all it knows of it: the solution of
//     u' = J u + sum_{k >= 1} t^(k-1)/(k-1)! b_k,   u(0) = b_0,   b_k = (x_k; v_k),      at a few times t,
// which is   u(t) = sum_{k >= 0} t^k phi_k(tJ) b_k.
// With b_1 = F alone these are the stages c h phi_1(c h J) F and the step itself, t = h. With F = J (0; v) + (0; a) the same numbers come
// from b_0 = (0; v), b_1 = (0; a): then no start vector contains -W D v, which strong damping makes huge, only to cancel in the sum.
#include "engine/core/saved_solver_state.h"
#include "engine/solve/linearized.h"

#include <span>

namespace wobble {

struct PhiTerm {
    int k;          // 0 .. max_phi (small_phi.h)
    const VecX* x;  // null: zero
    const VecX* v;  // null: zero
    // Where v is a multiple of another term's: v = factor *along. For evaluators that make one basis per start vector.
    const VecX* along = nullptr;
    double factor = 1;
    const VecX* rate = nullptr;  // k = 0: v' at t = 0 of all the terms together, with the system's K and damping, where it is known already
};

struct PhiNode {
    double t;  // s, positive
    // Error in the energy norm sqrt(|x|_K^2 + |v|_M^2) relative to that of u(t) - u(0); up to twice that where terms cancel.
    double tolerance;
    VecX *x, *v;  // u(t) is written here; of the right size already
};

struct PhiReport {
    bool converged = true;
    int dimension = 0;            // largest Krylov dimension: steps taken from every start vector
    int predicted_dimension = 0;  // by the code that chose the evaluator; 0: no prediction
    int substeps = 1;
    long products = 0;  // with K, one per column
    long solves = 0;    // with a factor of M + c^2 K, one per column
    long factorizations = 0;
    double loosened = 1;        // largest factor by which a node's tolerance was raised to reach an answer at all; 1: kept
    int islands = 1;            // independent parts that were evaluated each for itself (phi_components.h)
    const char* declined = "";  // why the evaluator does not take such a problem at all (then not converged)
    const char* path = "";      // id of the evaluator that did the work (phi_methods() in solver_options.h)
};

class PhiEvaluator {
public:
    virtual ~PhiEvaluator() = default;
    // Vectors vanish on held particles. Nodes ascend; their vectors are distinct and none of the terms'. Not converged: they are
    // unspecified.
    virtual PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) = 0;
    virtual void solver_state(SavedSolverState&) {}  // for those whose next evaluation depends on earlier ones
};

}  // namespace wobble
