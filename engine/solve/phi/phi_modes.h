#pragma once
// phi-functions from all eigenvectors of a small body: with L = M^-1/2 K M^-1/2 = Q diag(theta) Q^T over the free coordinates
//     phi_k(tJ) (x; v) = M^-1/2 Q [ phi_k(t B(theta_i)) ] Q^T M^1/2 (x; v),      B of small_phi.h.
// Exact for any stiffness, step and tolerance, at a cost that depends on none of them: about 10 n^3 operations (LAPACK dsyevd). For bodies
// so small that it costs less than the thousands of Krylov steps that fast oscillation wants. Kept while K and M stay the same, bit by bit.
// Needs Rayleigh damping: with a D it does not converge. In reports its name is that of its kind, "dense".
#include "engine/linalg/symmetric_eigen.h"
#include "engine/solve/phi/phi_evaluator.h"
#include "engine/solve/phi/ritz_phi.h"

#include <vector>

namespace wobble {

class ModesPhi final : public PhiEvaluator {
public:
    static constexpr int max_unknowns = 600;  // free coordinates, a third of a second that nothing can interrupt; more does not converge

    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;

private:
    bool decompose(const Linearized&);
    void describe(const Linearized&);

    std::vector<int> free_, at_;  // coordinates; their number in the small problem, per particle
    std::vector<double> root_;    // M^1/2 of these
    SymmetricEigen eigen_;
    std::vector<double> described_, described_before_;  // what they were made of
    bool valid_ = false;
    std::vector<PhiColumn> columns_;
    Eigen::MatrixXd scaled_, starts_;  // M^1/2 of the columns; times Q^T
    Eigen::MatrixXd now_, motion_;     // coefficients (x, v); times Q
};

}  // namespace wobble
