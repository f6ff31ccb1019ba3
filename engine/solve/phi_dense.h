#pragma once
// The oracle: phi-functions from the exponential of one dense augmented matrix. For tests and small bodies (up to a few
// hundred particles); every other evaluator is judged against it.
#include "engine/solve/phi_evaluator.h"

namespace wobble {

class DensePhi final : public PhiEvaluator {
public:
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;
};

Eigen::MatrixXd dense_jacobian(const Linearized&);  // J

}  // namespace wobble
