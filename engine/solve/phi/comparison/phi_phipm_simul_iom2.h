#pragma once
// phipm_simul_iom2 (Luan, Pudykiewicz, Reynolds; after phipm/IOM2 of Gaudreault and Pudykiewicz): phipm with
// - incomplete orthogonalisation of length 2,
// - all nodes in one sweep, a substep ending at each of them,
// - no product A w_{j-1} where w_{j-1} = 0: exponential Rosenbrock methods leave out many of the b_k,
// - steps accepted up to omega = 1.4.
#include "engine/solve/phi/comparison/phi_phipm.h"

namespace wobble {

class PhipmSimulIom2Phi final : public PhipmPhi {
public:
    explicit PhipmSimulIom2Phi(int max_dimension = 100);
};

}  // namespace wobble
