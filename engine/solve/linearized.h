#pragma once
// The linear problem behind every exponential method. At a frozen state, with W = M^-1 (zero for held particles),
//     J = [ 0  I ; -W K  -W D ],
// acting on (x; v). K is symmetric, possibly indefinite. Damping is Rayleigh's, D = alpha M + beta K, which keeps J made of 2x2 blocks
// in the eigenvectors of M^-1 K; or any matrix (dashpots along springs) or operator, which does not: only general evaluators take it.
#include "engine/core/types.h"
#include "engine/core/workers.h"
#include "engine/linalg/block_matrix.h"
#include "engine/linalg/edge_matrix.h"
#include "engine/model/edge_tangent.h"
#include "engine/solve/damping_operator.h"

namespace wobble {

// K as blocks, which are made on first request where it exists as edges.
class Stiffness {
public:
    Stiffness(const BlockMatrix& K) : made_(&K) {}
    Stiffness(TangentBlocks& K, Workers& workers) : to_make_(&K), workers_(&workers) {}

    const BlockPattern& pattern() const { return made_ ? made_->pattern() : to_make_->pattern(); }
    int rows() const { return pattern().rows(); }
    std::size_t bytes() const { return BlockMatrix::bytes(pattern()); }
    const BlockMatrix& blocks() const { return made_ ? *made_ : to_make_->blocks(*workers_); }  // not from inside a loop of the workers

private:
    const BlockMatrix* made_ = nullptr;
    TangentBlocks* to_make_ = nullptr;
    Workers* workers_ = nullptr;
};

struct Linearized {
    Workers& workers;
    Stiffness K;
    const VecX& mass;
    const VecX& inverse_mass;
    double alpha, beta;                 // mean nothing where there is a D
    Damping D = nullptr;                // all of the damping; null: alpha M + beta K
    const EdgeMatrix* edges = nullptr;  // K once more, half of it
    // P, where particles slide: K is P (edges) P, whose first P means nothing to vectors within its range; null: K is the edges.
    const Constraints* projector = nullptr;

    bool rayleigh() const { return !D; }
    bool damped() const { return D || alpha != 0 || beta != 0; }
};

}  // namespace wobble
