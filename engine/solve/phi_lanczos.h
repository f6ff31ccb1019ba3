#pragma once
// phi-functions by half-size Lanczos: on every eigenvector of M^-1 K the matrix J acts as the 2x2 block of small_phi.h, so
//     phi_k(hJ) (x; v) = sum over the Ritz pairs of Lanczos(M^-1 K, x) and Lanczos(M^-1 K, v) of columns of phi_k(h B(theta)).
// One symmetric basis of half the size per start vector, all of them sharing each product with K.
//
// Error: the approximation u_m(s) solves the linear problem up to the residual
//     r(s) = -beta_m v_{m+1} [ x_m(s) + beta v_m(s) ]   (last coefficients; velocity equation only),
// and errors do not grow in the energy norm (K >= 0), so |error| <= int |r| ds. It is sampled over the step. (That the last coefficient
// x_m(s) is small says nothing of the error: with strong damping it is small long before the basis knows the slow motion.)
//
// One basis per start vector serves every term with that vector and every node. If the largest dimension does not suffice, the bases are
// used for a shorter time tau and the linear problem is continued from there (ritz_phi.h), at a cost proportional to t omega_max (to t beta omega_max^2 with strong stiffness damping); beyond max_substeps it gives up: another
// evaluator is the better tool there.
#include "engine/solve/lanczos.h"
#include "engine/solve/phi_evaluator.h"
#include "engine/solve/ritz_phi.h"
#include "engine/solve/tridiagonal.h"

#include <vector>

namespace wobble {

class LanczosPhi final : public PhiEvaluator {
public:
    static constexpr int max_substeps = 400;

    explicit LanczosPhi(int max_dimension = 128);
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;

private:
    struct Estimate {
        double error = 0, size = 0;
    };
    struct Substep {
        double begin = 0, end = 0;      // s
        std::span<const PhiNode> nodes;  // with times in (begin, end]
    };

    void collect(std::span<const PhiTerm>, double t);
    bool grow(const Linearized&, Substep&, double end, double tolerance);
    bool good(const Linearized&, const Substep&, double tolerance);
    bool decompose(Workers&);
    // Leaves the Ritz coefficients at time s of the substep in position_ and velocity_.
    Estimate estimate(const Linearized&, double s, double worst_before, double& worst);
    void write(const Linearized&, double s, VecX& x, VecX& v);
    void flush();

    Lanczos lanczos_;
    std::vector<PhiColumn> columns_;
    std::vector<const VecX*> starts_;
    std::vector<TridiagonalEigen> eigen_;      // one per column
    std::vector<double> position_, velocity_;  // Ritz coefficients, [i * columns + c]
    std::vector<double> weights_;              // basis coefficients of the outputs to come
    std::vector<Lanczos::Output> outputs_;
    double moved_ = 0;              // largest increment of the earlier substeps: what theirs are small against
    VecX x_, v_, x_next_, v_next_;  // u at the beginning and the end of a substep
};

}  // namespace wobble
