#pragma once
// phi-functions from Krylov spaces in the energy inner product (energy_krylov.h, phi_bases.h): those of the papers' reformulated variables
// (Omega x, v), without the square root, for any size. Undamped and K >= 0: three-term recurrence, symmetric tridiagonal eigenproblem.
// Where x^T K x < 0 is met, the substep begins again with K + sigma M, sigma = 4 |x^T K x| / x^T M x or four times the last shift if that
// is more, and with long orthogonalisation; the shift is forgotten after the evaluation.
#include "engine/solve/phi/comparison/energy_krylov.h"
#include "engine/solve/phi/phi_bases.h"

namespace wobble {

class EnergyPhi final : public BasesPhi {
public:
    explicit EnergyPhi(int max_dimension = 128) : BasesPhi(max_dimension, "energy") {}

private:
    bool prepare(const Linearized&) override;
    std::unique_ptr<KrylovProcess> make_process() override;
    bool mend(KrylovProcess&) override;
    bool energy_norm() const override { return sigma_ == 0; }

    double sigma_ = 0;
    int mended_ = 0;
    std::vector<EnergyKrylov*> processes_;
};

}  // namespace wobble
