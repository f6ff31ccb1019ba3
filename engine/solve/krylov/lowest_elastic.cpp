#include "engine/solve/krylov/lowest_elastic.h"

#include "engine/linalg/cholesky.h"
#include "engine/solve/jacobian.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace wobble {

namespace {

// M-orthonormal rigid motions at q that the constraints admit, as columns.
Eigen::MatrixXd rigid_motions(const MechanicalSystem& system, const VecX& q) {
    Vec3 centre = Vec3::Zero();
    const int n = system.particles();
    for (int i = 0; i < n; ++i) centre += particle(q, i) / n;
    double size = 1e-300;
    for (int i = 0; i < n; ++i) size = std::max(size, (particle(q, i) - centre).norm());
    Eigen::MatrixXd R(3 * n, 6), forbidden;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) {
            R.block<3, 1>(3 * i, k) = Vec3::Unit(k);
            R.block<3, 1>(3 * i, 3 + k) = Vec3::Unit(k).cross(Vec3(particle(q, i) - centre)) / size;
        }
    forbidden = R;
    for (int k = 0; k < 6; ++k) {
        VecX allowed = R.col(k);
        system.constraints().project(allowed);
        forbidden.col(k) -= allowed;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(forbidden.transpose() * forbidden);
    int count = 0;
    while (count < 6 && eigen.eigenvalues()[count] < 1e-9) ++count;
    Eigen::MatrixXd rigid = R * eigen.eigenvectors().leftCols(count);
    for (int k = 0; k < count; ++k)
        for (int pass = 0; pass < 2; ++pass) {
            for (int j = 0; j < k; ++j) rigid.col(k) -= rigid.col(j) * rigid.col(j).dot(system.mass().cwiseProduct(rigid.col(k)));
            rigid.col(k) /= std::sqrt(rigid.col(k).dot(system.mass().cwiseProduct(rigid.col(k))));
        }
    return rigid;
}

}  // namespace

double lowest_elastic_frequency(const MechanicalSystem& system, const VecX& q) {
    constexpr int most = 60;
    const Eigen::MatrixXd rigid = rigid_motions(system, q);
    BlockMatrix A(system.pattern());
    system.stiffness(q, A);
    const double scale = diagonal_scale({system.workers(), A, system.mass(), system.inverse_mass(), 0, 0});
    const double shift = rigid.cols() > 0 ? 1e-9 * scale : 0;
    for (int i = 0; i < A.rows(); ++i)
        for (int e = 0; e < 9; e += 4) A.block(A.pattern().diagonal[i])[e] += shift * system.mass()[3 * i];
    system.constraints().eliminate(system.workers(), A);
    SparseCholesky cholesky(A.pattern());
    if (!cholesky.factorize(A)) return 0;

    const VecX& mass = system.mass();
    Eigen::MatrixXd basis(mass.size(), most + 1), T = Eigen::MatrixXd::Zero(most, most);
    const auto make_orthogonal = [&](VecX& x, int count) {
        for (int pass = 0; pass < 2; ++pass) {
            const VecX Mx = mass.cwiseProduct(x);
            x -= rigid * (rigid.transpose() * Mx) + basis.leftCols(count) * (basis.leftCols(count).transpose() * Mx);
        }
        return std::sqrt(x.dot(mass.cwiseProduct(x)));
    };
    VecX x(mass.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = std::sin(1 + 1.7 * static_cast<double>(k));  // without a pattern of the body's own
    system.constraints().project(x);
    const double first = make_orthogonal(x, 0);
    if (!(first > 0)) return 0;
    basis.col(0) = x / first;
    double value = 0;  // of 1 / (w^2 + s)
    for (int m = 0; m < most; ++m) {
        x = mass.cwiseProduct(basis.col(m));
        cholesky.solve(x, x);
        system.constraints().project(x);
        T(m, m) = x.dot(mass.cwiseProduct(basis.col(m)));
        const double next = make_orthogonal(x, m + 1);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz(T.topLeftCorner(m + 1, m + 1));
        value = ritz.eigenvalues()[m];
        if (!(value > 0)) return 0;
        // The error of the value is of the order of the squared residual.
        const double residual = next * std::abs(ritz.eigenvectors()(m, m)) / value;
        if (residual < 1e-3 || !(next > 1e-12 * value) || m + 1 == most) break;
        T(m, m + 1) = T(m + 1, m) = next;
        basis.col(m + 1) = x / next;
    }
    return std::sqrt(std::max(0.0, 1 / value - shift));
}

}  // namespace wobble
