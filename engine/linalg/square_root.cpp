#include "engine/linalg/square_root.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <cmath>

namespace wobble {

bool square_root_by_eigenvectors(const Eigen::MatrixXd& L, Eigen::MatrixXd& Omega, Eigen::MatrixXd& inverse) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(L);
    if (eigen.info() != Eigen::Success) return false;
    const Eigen::VectorXd& values = eigen.eigenvalues();
    if (!(values.minCoeff() > 1e-13 * values.maxCoeff())) return false;
    const Eigen::MatrixXd& Q = eigen.eigenvectors();
    const Eigen::VectorXd roots = values.cwiseSqrt();
    Omega = Q * roots.asDiagonal() * Q.transpose();
    inverse = Q * roots.cwiseInverse().asDiagonal() * Q.transpose();
    return true;
}

bool square_root_by_newton(const Eigen::MatrixXd& L, Eigen::MatrixXd& Y, Eigen::MatrixXd& Z) {
    const Eigen::Index n = L.rows();
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    Y = L;
    Z = I;
    bool scaling = true;
    Eigen::MatrixXd next_Y, next_Z;
    for (int iteration = 0; iteration < 60; ++iteration) {
        const Eigen::LLT<Eigen::MatrixXd> factor_Y(Y), factor_Z(Z);
        if (factor_Y.info() != Eigen::Success || factor_Z.info() != Eigen::Success) return false;
        double c = 1;
        if (scaling) {
            const auto log_det = [](const auto& factor) { return 2 * factor.matrixLLT().diagonal().array().log().sum(); };
            c = std::exp(-(log_det(factor_Y) + log_det(factor_Z)) / (2.0 * static_cast<double>(n)));
            if (!std::isfinite(c)) return false;
        }
        next_Y = 0.5 * (c * Y + factor_Z.solve(I) / c);
        next_Z = 0.5 * (c * Z + factor_Y.solve(I) / c);
        const double change = (next_Y - Y).norm() / next_Y.norm();
        Y = 0.5 * (next_Y + next_Y.transpose());  // rounding must not leave the symmetric matrices
        Z = 0.5 * (next_Z + next_Z.transpose());
        if (!std::isfinite(change)) return false;
        if (change < 1e-2) scaling = false;
        if (!scaling && change < 1e-13) break;
    }
    return (Y * Y - L).norm() < 1e-9 * L.norm();
}

}  // namespace wobble
