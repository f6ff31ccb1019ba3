#pragma once
// Arnoldi, with the ordinary scalar product, on the papers' reformulated variables X = (Omega y, w), y = M^1/2 x, w = M^1/2 v of the free
// particles, Omega = sqrt(M^-1/2 K M^-1/2):
//     X' = [ 0  Omega ; -Omega  -D' ] X,      D' = M^-1/2 D M^-1/2.
// Dense. Results are transformed back by Omega^-1. Counted as one product per application of the matrix.
#include "engine/solve/krylov/krylov_process.h"

namespace wobble {

// What the processes of one evaluation share.
struct Reformulation {
    std::vector<int> free;  // coordinates
    Eigen::VectorXd root_mass;
    Eigen::MatrixXd L, Omega, inverse;
    Eigen::MatrixXd D;  // D', empty without damping
};

class ReformulatedKrylov final : public KrylovProcess {
public:
    ReformulatedKrylov(int max_dimension, const Reformulation& shared) : KrylovProcess(max_dimension), shared_(shared) {}

    Outcome start(const Linearized&, const VecX& x, const VecX& v) override;
    Outcome extend() override;
    void add(std::span<const double> weights, double next_weight, VecX& x, VecX& v) const override;

private:
    const Reformulation& shared_;
    Workers* workers_ = nullptr;
    Eigen::MatrixXd U_;  // columns u_1 .. ; the last one is h_{m+1,m} u_{m+1} until it is used
};

}  // namespace wobble
