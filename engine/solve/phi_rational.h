#pragma once
// phi-functions by rational (shift-invert) Krylov: for every start vector an M-orthonormal basis V of  span { b, S b, .., S^(m-1) b },
//     S = (M + c^2 K)^-1 M = (1 + c^2 L)^-1,    L = M^-1 K,    c about gamma h,
// in which S is the tridiagonal T (shift_invert_lanczos.h). L is replaced by  c^-2 (T^-1 - 1): with the eigenvalues s of T the Ritz values
//     theta = (1/s - 1) / c^2,
// on which phi_k are 2x2 functions (ritz_phi.h). (Moret, Novati 2004; van den Eshof, Hochbruck 2006.) Rayleigh-Ritz, V^T K V in place of
// c^-2 (T^-1 - 1), was measured to be as accurate and needs products with K, too. One sparse Cholesky factorisation, m solves per vector, m
// hardly depending on the stiffness; no product with K. gamma = 0.1, and 0.05 for tolerances below 2e-3: it begins later and ends earlier
// (bunny, 2366 vertices, h omega = 40, position error at m = 12, 24, 48: 1.3e-3, 2e-4, 1e-7 with 0.1; 1.1e-3, 4e-6, 8e-14 with 0.05).
// c lies on a grid of powers of two.
//
// Error. Slow modes (c omega < 1) come first; the velocity of fast ones, which oscillate or decay within a fraction of the step, is not
// reproduced, while their positions, smaller by 1/omega, are. So the measure of an error (x; v) and of the motion is
//     |x / c|_M  +  |S v|_M,
// velocities as seen through S. Judged by the difference of two approximations of dimensions m' < m, in coefficients of one basis and so
// free, times r / (1 - r), r the factor by which it has fallen since the check before, held to [1/2, 9/10]: a small difference by chance,
// or slow convergence, is not taken for the end. Asked for a relative error of `tolerance` of the increment at every node. The increment
// is first taken to be the sum of the columns' own; when that is satisfied the result is formed, and where the columns have cancelled to
// less than a tenth (in |x|_M) the bases grow on.
//
// Indefinite M + c^2 K (strong compression): c is halved up to four times, then it has not converged. The next evaluation begins where
// this one ended, and every eighth one tries twice that.
//
// Needs Rayleigh damping: with a D it does not converge.
#include "engine/solve/ritz_phi.h"
#include "engine/solve/shift_invert_lanczos.h"
#include "engine/solve/shifted_factor.h"
#include "engine/solve/tridiagonal.h"

namespace wobble {

class RationalPhi final : public PhiEvaluator {
public:
    explicit RationalPhi(int max_dimension = ShiftInvertLanczos::largest);
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;
    void learnt(Learnt&) override;

    ShiftedFactor& factor() { return factor_; }  // for whoever wants to know its size beforehand

private:
    struct Measure {
        double difference = 0, size = 0;
        double position = 0;  // sum of the columns' |x - x(0)|_M
    };
    bool factorize(const Linearized&, std::span<const PhiNode>, PhiReport&);
    bool grow(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>);
    bool small(std::span<const PhiNode>);
    bool cancelled(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>);  // true: shrunk_ has become smaller
    bool decompose();
    void coefficients(const Linearized&, int node, double s);
    Measure measure(int node) const;
    void write(const Linearized&, int node, VecX& x, VecX& v) const;

    static constexpr int max_halvings = 4, try_again = 8;

    double c_ = 0;
    int halvings_ = 0, since_halved_ = 0;  // of c, where the last evaluation ended
    int max_dimension_, nodes_ = 0, checked_ = 0, checked_before_ = 0;
    ShiftedFactor factor_;
    ShiftInvertLanczos lanczos_;
    std::vector<PhiColumn> columns_;
    std::vector<const VecX*> starts_;
    std::vector<int> basis_of_;  // column -> start
    std::vector<TridiagonalEigen> eigen_;
    // Coefficients in the basis of each column: [((node * columns + column) * 2 + part) * largest + j].
    std::vector<double> now_, before_;
    std::vector<double> last_difference_;  // per node
    std::vector<double> shrunk_;           // per node: the increment over the sum of the columns', where that is below a tenth; else 1
    VecX x0_, v0_;
};

}  // namespace wobble
