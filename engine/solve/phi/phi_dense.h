#pragma once
// The oracle: phi-functions from the exponential of one dense augmented matrix. For tests and small bodies (up to
// max_unknowns); every other evaluator is judged against it.
#include "engine/solve/phi/phi_evaluator.h"

namespace wobble {

class DensePhi final : public PhiEvaluator {
public:
    static constexpr int max_unknowns = 3000;  // positions and velocities: a minute and half a gigabyte; more does not converge

    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;
};

Eigen::MatrixXd dense_jacobian(const Linearized&);  // J

}  // namespace wobble
