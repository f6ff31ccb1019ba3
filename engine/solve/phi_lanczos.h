#pragma once
// phi-functions by half-size Lanczos: on every eigenvector of M^-1 K the matrix J acts as the 2x2 block of small_phi.h, so
//     phi_k(hJ) (x; v) = sum over the Ritz pairs of Lanczos(M^-1 K, x) and Lanczos(M^-1 K, v) of columns of phi_k(h B(theta)).
// One symmetric basis of half the size per start vector, all of them sharing each product with K.
//
// Error: the approximation u_m(s) solves the linear problem up to the residual
//     r(s) = -beta_m v_{m+1} [ x_m(s) + beta v_m(s) ]   (last coefficients; velocity equation only),
// and errors do not grow in the energy norm (K >= 0), so |error| <= int |r| ds. It is sampled over the step.
//
// If the largest dimension does not suffice, the same basis is used for a shorter time and the linear problem continued from
// there, at a cost proportional to h omega_max (to h beta omega_max^2 with strong stiffness damping); beyond max_substeps it
// gives up: another method is the better tool there.
#include "engine/solve/lanczos.h"
#include "engine/solve/phi_evaluator.h"
#include "engine/solve/small_phi.h"
#include "engine/solve/tridiagonal.h"

#include <vector>

namespace wobble {

class LanczosPhi final : public PhiEvaluator {
public:
    static constexpr int max_substeps = 400;

    explicit LanczosPhi(int max_dimension = 128);
    PhiReport apply(const Linearized&, double h, std::span<const PhiTerm>, double tolerance, VecX& x, VecX& v) override;

private:
    struct Column { int k; int part; };  // of which phi; part 0: position, 1: velocity
    struct Estimate { double error, size; };

    void reserve(std::span<const PhiTerm>, Eigen::Index n);
    bool grow(const Linearized&, double& tau, double tolerance);
    bool decompose();
    Estimate estimate(const Linearized&, double tau);
    void add_substep(VecX& x, VecX& v);
    void right_hand_sides(const Linearized&, std::span<const PhiTerm>, double t, const VecX& x, const VecX& v);

    Lanczos lanczos_;
    std::vector<Column> columns_;
    std::vector<const VecX*> starts_;
    std::vector<TridiagonalEigen> eigen_;             // one per column
    std::vector<double> position_, velocity_;         // Ritz coefficients at the end of the substep, [i * columns + c]
    std::vector<double> position_weights_, velocity_weights_;  // basis coefficients, [j * columns + c]
    std::vector<VecX> moved_;                         // right-hand sides of later substeps
    VecX argument_, product_;
};

}  // namespace wobble
