#include "engine/solve/phi_dense.h"

#include <unsupported/Eigen/MatrixFunctions>

namespace wobble {

Eigen::MatrixXd dense_jacobian(const Linearized& system) {
    const Eigen::Index n = system.mass.size();
    Eigen::MatrixXd WK = Eigen::MatrixXd::Zero(n, n);
    const BlockPattern& pattern = system.K.pattern();
    for (int i = 0; i < pattern.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
            const int j = pattern.column[k];
            // Held particles neither move nor push: their rows and columns vanish.
            if (system.inverse_mass[3 * i] == 0 || system.inverse_mass[3 * j] == 0) continue;
            WK.block<3, 3>(3 * i, 3 * j) = system.inverse_mass[3 * i] * system.K.at(k);
        }
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    Eigen::MatrixXd J(2 * n, 2 * n);
    J << 0 * I, I, -WK, -system.alpha * I - system.beta * WK;
    return J;
}

// u' = J u + sum_k t^(k-1)/(k-1)! b_k as one linear system: with z_k' = z_{k-1}, the last column of
//     exp( h [ J  b_p .. b_1 ; 0  N ] )   holds u(h)   (N: ones above the diagonal).
PhiReport DensePhi::apply(const Linearized& system, double h, std::span<const PhiTerm> terms, double, VecX& x, VecX& v) {
    const Eigen::Index n = system.mass.size();
    int p = 1;
    for (const PhiTerm& term : terms) p = std::max(p, term.k);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n + p, 2 * n + p);
    A.topLeftCorner(2 * n, 2 * n) = dense_jacobian(system);
    for (const PhiTerm& term : terms) {
        const Eigen::Index column = 2 * n + p - term.k;
        if (term.x) A.block(0, column, n, 1) += *term.x;
        if (term.v) A.block(n, column, n, 1) += *term.v;
    }
    for (int k = 0; k + 1 < p; ++k) A(2 * n + k, 2 * n + k + 1) = 1;
    const Eigen::MatrixXd E = (h * A).exp();
    x = E.block(0, 2 * n + p - 1, n, 1);
    v = E.block(n, 2 * n + p - 1, n, 1);
    return {};
}

}  // namespace wobble
