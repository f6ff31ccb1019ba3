#pragma once
// phi-functions by rational (shift-invert) Krylov (Ruhe 1984; Guettel 2013): a basis V of the start vectors and S b, S^2 b, ..,
// S = (M + c^2 K)^-1 M, c about h / 5 (rational_basis.h), and the body held to the shapes in it: with the eigenvalues theta and
// eigenvectors y of V^T K V (Rayleigh-Ritz) every start vector moves on V y as a 2x2 function of theta (ritz_phi.h). One sparse Cholesky
// factorisation, one solve and one product per vector, whose number hardly depends on the stiffness. c lies on a grid of powers of two. (c
// = h / 10 and h / 20 need 1.5 and 2.7 times as many vectors with stiffness damping; without, h / 20 half as many where h omega_max is
// about 100 and as many where it is thousands.)
//
// One basis for all start vectors and V^T K V itself, because then the energy of the linear problem is kept whatever V is missing. A basis
// per vector, with c^-2 (T^-1 - 1) for K in it, T = V^T M S V (Moret, Novati 2004; van den Eshof, Hochbruck 2006), needs no product and a
// smaller eigenproblem, but leaves errors in fast modes that are small as positions and, times omega^2, huge as forces: undamped bodies
// gained energy without limit from h omega_max of some thousands on.
//
// Error. Slow modes come first; fast ones, which oscillate or decay within a fraction of the step, are not reproduced where it takes more
// than the tolerance to see them. The measure of an error (x; v) and of the motion is energy as it is seen,
//     sqrt( |x|_K^2 + |v|_M^2 )   of   (1 + (h/10)^2 M^-1 K)^-1 (x; v).
// (Not |x| / c in place of |x|_K: in short steps that is larger than the whole change of the velocity, which then may have any error.)
// Looks at bases that grow by a fifth; d1 and d2 are the differences between the last three. Where they fall, r = d1 / d2 < 1/2 (0.3 at
// least), the error is taken to be d1 r / (1 - r), else the difference to the look before the last. All in coefficients of one basis and so
// free. Asked for a relative error of `tolerance` of the increment at every node.
//
// Indefinite M + c^2 K (strong compression): c is halved up to four times, then it has not converged. The next evaluation begins where
// this one ended, and every eighth one tries twice that.
//
// Needs Rayleigh damping: with a D it does not converge.
#include "engine/linalg/symmetric_eigen.h"
#include "engine/solve/krylov/rational_basis.h"
#include "engine/solve/linear/shifted_factor.h"
#include "engine/solve/phi/ritz_phi.h"

namespace wobble {

class RationalPhi final : public PhiEvaluator {
public:
    explicit RationalPhi(int max_steps = RationalBasis::max_dimension);
    PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override;
    void solver_state(SavedSolverState&) override;
    void begin_anew();  // nothing learnt and nothing kept but memory and the order of the factor

    ShiftedFactor& factor() { return factor_; }  // to predict its size

private:
    bool factorize(const Linearized&, std::span<const PhiNode>, PhiReport&);
    bool grow(const Linearized&, std::span<const PhiNode>);
    bool approximate(const Linearized&, std::span<const PhiNode>);
    bool small(std::span<const PhiNode>);
    void write(const Linearized&, int node, VecX& x, VecX& v) const;

    static constexpr int max_halvings = 4, try_again = 8;

    int halvings_ = 0, since_halved_ = 0;  // of c, where the last evaluation ended
    int max_steps_;
    ShiftedFactor factor_;
    RationalBasis basis_;
    std::vector<PhiColumn> columns_;
    std::vector<const VecX*> starts_;
    std::vector<int> start_of_;  // column -> start
    SymmetricEigen eigen_;
    // Coefficients in V, as columns x and v of every node: now, at the last look and at the one before.
    struct Look {
        Eigen::MatrixXd motion;
        int dimension = 0;
    };
    Look now_, last_, before_;
    Eigen::MatrixXd initial_;         // of u(0)
    Eigen::MatrixXd turned_, modes_;  // in the eigenvectors: the starts; one (x, v)
    Eigen::MatrixXd difference_;      // of two (x, v), in V
};

}  // namespace wobble
