#pragma once
// phi-functions by half-size Lanczos: on every eigenvector of M^-1 K the matrix J acts as the 2x2 block of small_phi.h, so
//     phi_k(hJ) (x; v) = sum over the Ritz pairs of Lanczos(M^-1 K, x) and Lanczos(M^-1 K, v) of columns of phi_k(h B(theta)).
// One symmetric basis of half the size per start vector, all of them sharing each product with K.
//
// Error: the approximation u_m(s) solves the linear problem up to the residual
//     r(s) = -beta_m v_{m+1} [ x_m(s) + beta v_m(s) ]   (last coefficients; velocity equation only),
// and errors do not grow in the energy norm (K >= 0), so |error| <= int |r| ds, which is sharp: 1.1 times the error undamped, 2 to 5 times
// with strong damping. It is sampled over the step; r grows like a high power of time, so that the largest |r| times the step would be 10
// to 40 times the error and cost up to a quarter more products. (That the last coefficient x_m(s) is small says nothing of the error: with
// strong damping it is small long before the basis knows the slow motion.)
//
// One basis per start vector serves every term with that vector and every node. If the largest dimension does not suffice, the bases are
// used for a shorter time tau and the linear problem is continued from there (ritz_phi.h), at a cost proportional to t omega_max (to
// t beta omega_max^2 with strong stiffness damping); beyond max_substeps it gives up: another evaluator is the better tool there.
//
// Tolerance: a node at t grants a substep tau / t of its own, so that all of them together keep it. The increment u(t) - u(0) it refers to
// is first taken to be the sum of the columns' own; when that is satisfied the result is formed, and where the columns have cancelled to
// less than a quarter the bases grow on. (One column needs no such look: it cannot cancel. Nor is a product spent on it where the change of
// the velocities alone is more than that.) In later substeps it is the largest one measured so far, or that sum if larger: the size at a
// time to come is not known, and u may return to where it began.
// Nothing is asked below rounding, 1e-15 (1 + tau omega_max) times the motion.
//
// Needs Rayleigh damping: with a D it does not converge.
#include "engine/linalg/tridiagonal.h"
#include "engine/solve/jacobian.h"
#include "engine/solve/krylov/lanczos.h"
#include "engine/solve/phi/phi_evaluator.h"
#include "engine/solve/phi/ritz_phi.h"

#include <algorithm>
#include <vector>

namespace wobble {

class LanczosPhi final : public PhiEvaluator {
public:
    static constexpr int max_substeps = 400;

    explicit LanczosPhi(int max_dimension = 128);
    // For problems of that many unknowns; a few more than those, since rounding repeats vectors.
    static int dimension_for(int unknowns) { return std::min(128, std::max(48, unknowns)); }
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;

private:
    struct Estimate {
        double residual = 0;  // |r(s)|
        double size = 0;      // sum of the columns' increments
        double rounding = 0;  // what no basis gets below
    };
    struct Substep {
        double begin = 0, end = 0;       // s
        std::span<const PhiNode> nodes;  // with times in (begin, end]
        std::span<const PhiNode> later;  // beyond
    };

    void collect(std::span<const PhiTerm>, double t);
    bool grow(const Linearized&, Substep&, double end);
    bool good(const Linearized&, const Substep&);
    bool form(const Linearized&, const Substep&, double h);
    void measure(const Linearized&, std::span<const PhiTerm>, PhiReport&);
    bool cancelled();  // true: shrunk_ has become smaller
    bool surely_uncancelled(const Linearized&, std::span<const PhiTerm>) const;
    bool decompose_ends(Workers&);
    bool decompose(Workers&);
    template <class Each>
    bool every_column(Workers&, Each&&) const;
    Estimate estimate(const Linearized&, double s) const;  // at time s of the substep, from ends_
    void write(const Linearized&, double s, VecX& x, VecX& v);
    void flush();

    Lanczos lanczos_;
    std::vector<PhiColumn> columns_;
    std::vector<const VecX*> starts_;
    std::vector<TridiagonalEnds> ends_;    // one per column: for estimates
    std::vector<TridiagonalEigen> eigen_;  // one per column: for results
    std::vector<double> weights_;          // basis coefficients of the outputs to come
    std::vector<Lanczos::Output> outputs_;
    std::vector<EnergyState> formed_;      // results of this substep: its nodes, and its end if that is none
    std::vector<double> guessed_, sizes_;  // |u - u(0)| of these, as taken for and as measured
    double moved_ = 0;                     // the largest of those measured at the ends of earlier substeps
    double distance_ = 0;                  // of good(): the error over what is allowed, at the last node it looked at
    double shrunk_ = 1;                    // the increment over the sum of the columns', where that is below a quarter; else 1
    VecX x_, v_, x_next_, v_next_;         // u at the beginning and the end of a substep
    VecX x0_, v0_, work_;
};

}  // namespace wobble
