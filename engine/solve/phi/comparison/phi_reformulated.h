#pragma once
// The papers' reformulation taken literally, the ground truth of phi_energy.h: dense Omega = sqrt(M^-1/2 K M^-1/2), then Krylov spaces on
// (Omega y, w) (reformulated_krylov.h, phi_bases.h). O(N^3) time and N^2 memory: for up to max_unknowns free coordinates. Does not converge
// if K is not positive definite. The root is kept while K, M and the damping stay the same, bit by bit.
#include "engine/solve/phi/comparison/reformulated_krylov.h"
#include "engine/solve/phi/phi_bases.h"

namespace wobble {

class ReformulatedPhi final : public BasesPhi {
public:
    enum class Root { eigenvectors, newton };
    static constexpr int max_unknowns = 3000;

    explicit ReformulatedPhi(Root root, int max_dimension = 128)
        : BasesPhi(max_dimension, root == Root::newton ? "reformulated-newton" : "reformulated"), root_(root) {}
    const Reformulation& reformulation() const { return shared_; }

private:
    bool prepare(const Linearized&) override;
    std::unique_ptr<KrylovProcess> make_process() override;

    Root root_;
    Reformulation shared_;
    std::vector<double> described_;  // what shared_ was made of
    bool valid_ = false;
};

}  // namespace wobble
