#pragma once
// The linear problem behind every exponential method. At a frozen state, with W = M^-1 (zero for held particles),
//     J = [ 0  I ; -W K  -W D ],   D = alpha M + beta K,
// acting on (x; v). K is symmetric, possibly indefinite.
#include "engine/core/block_matrix.h"
#include "engine/core/types.h"
#include "engine/core/workers.h"

namespace wobble {

struct Linearized {
    Workers& workers;
    const BlockMatrix& K;
    const VecX& mass;
    const VecX& inverse_mass;
    double alpha, beta;
};

}  // namespace wobble
