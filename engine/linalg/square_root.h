#pragma once
// Omega = sqrt(L) of a dense symmetric positive definite matrix, and its inverse, in two ways:
// by eigenvectors, L = Q Lambda Q^T, and by Newton's iteration in the coupled form of Denman and Beavers,
//     Y_{k+1} = (c Y_k + (c Z_k)^-1) / 2,   Z_{k+1} = (c Z_k + (c Y_k)^-1) / 2,   Y_0 = L, Z_0 = I:    Y -> Omega, Z -> Omega^-1,
// inverses by Cholesky (all iterates are positive definite, or L was not), c = (det Y det Z)^(-1/2n) until it has nearly converged.
#include <Eigen/Core>

namespace wobble {

// False if L is not positive definite.
bool square_root_by_eigenvectors(const Eigen::MatrixXd& L, Eigen::MatrixXd& Omega, Eigen::MatrixXd& inverse);
bool square_root_by_newton(const Eigen::MatrixXd& L, Eigen::MatrixXd& Omega, Eigen::MatrixXd& inverse);

}  // namespace wobble
