#pragma once
// The oracle at any stiffness: eigenvectors of the dense M^-1/2 K M^-1/2, on which J is made of 2x2 blocks. (The dense exponential squares
// dozens of times where h omega is 1e10.) For Rayleigh damping and some hundred unknowns.
#include "engine/solve/phi/phi_dense.h"
#include "engine/solve/phi/ritz_phi.h"

#include <Eigen/Eigenvalues>

namespace wobble::support {

inline void exact(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    const Eigen::Index n = system.mass.size();
    const Linearized undamped{system.workers, system.K, system.mass, system.inverse_mass, 0, 0};
    const VecX root = system.mass.cwiseSqrt();
    const Eigen::MatrixXd WK = -dense_jacobian(undamped).bottomLeftCorner(n, n);
    const Eigen::MatrixXd L = root.asDiagonal() * WK * root.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (L + L.transpose()));
    const Eigen::MatrixXd& U = eigen.eigenvectors();
    std::vector<PhiColumn> columns;
    collect_columns(terms, columns);
    for (const PhiNode& node : nodes) {
        node.x->setZero(n), node.v->setZero(n);
        for (const PhiColumn& column : columns) {
            VecX x = U.transpose() * root.cwiseProduct(*column.start), v = x;
            for (Eigen::Index i = 0; i < n; ++i) {
                const Eigen::Vector2d p = ritz_motion(system, column, node.t, eigen.eigenvalues()[i]);
                x[i] *= p[0], v[i] *= p[1];
            }
            *node.x += (U * x).cwiseQuotient(root);
            *node.v += (U * v).cwiseQuotient(root);
        }
    }
}

}  // namespace wobble::support
