#include "engine/solve/phi/phi_dense.h"

#include "engine/solve/jacobian.h"

#include <unsupported/Eigen/MatrixFunctions>

#include <cmath>

namespace wobble {

namespace {

// W A, without the rows and columns of held particles, which neither move nor push.
Eigen::MatrixXd weighted(const Linearized& system, const BlockMatrix& A) {
    const Eigen::Index n = system.mass.size();
    Eigen::MatrixXd WA = Eigen::MatrixXd::Zero(n, n);
    const BlockPattern& pattern = A.pattern();
    for (int i = 0; i < pattern.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
            const int j = pattern.column[k];
            if (system.inverse_mass[3 * i] == 0 || system.inverse_mass[3 * j] == 0) continue;
            WA.block<3, 3>(3 * i, 3 * j) = system.inverse_mass[3 * i] * A.at(k);
        }
    return WA;
}

}  // namespace

Eigen::MatrixXd dense_jacobian(const Linearized& system) {
    const Eigen::Index n = system.mass.size();
    const Eigen::MatrixXd WK = weighted(system, system.K.blocks());
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    Eigen::MatrixXd J(2 * n, 2 * n);
    Eigen::MatrixXd WD = system.alpha * I + system.beta * WK;
    if (const BlockMatrix* D = system.D.blocks()) WD = weighted(system, *D);
    else if (system.D) WD = system.inverse_mass.asDiagonal() * system.D.other()->dense();
    J << 0 * I, I, -WK, -WD;
    return J;
}

// u' = J u + sum_k t^(k-1)/(k-1)! b_k as one linear system: with z_k' = z_{k-1},
//     u(t) is the upper part of   exp( t [ J  b_p .. b_1 ; 0  N ] ) (b_0; 0 .. 0 1)   (N: ones above the diagonal).
// In units s in which the exponential is accurate: positions times a frequency, z_k in units of T^(k-1) over the size of the b_k T^k.
PhiReport DensePhi::evaluate(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
    const Eigen::Index n = system.mass.size();
    PhiReport report{.dimension = static_cast<int>(2 * n), .path = "dense"};
    if (2 * n > max_unknowns) return report.converged = false, report;
    int p = 1;
    for (const PhiTerm& term : terms) p = std::max(p, term.k);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n + p, 2 * n + p);
    Eigen::VectorXd start = Eigen::VectorXd::Zero(2 * n + p);
    start[2 * n + p - 1] = 1;
    A.topLeftCorner(2 * n, 2 * n) = dense_jacobian(system);
    for (const PhiTerm& term : terms) {
        Eigen::Map<Eigen::VectorXd> column(term.k == 0 ? start.data() : A.col(2 * n + p - term.k).data(), 2 * n);
        if (term.x) column.head(n) += *term.x;
        if (term.v) column.tail(n) += *term.v;
    }
    for (int k = 0; k + 1 < p; ++k) A(2 * n + k, 2 * n + k + 1) = 1;
    const double T = nodes.back().t;
    Eigen::VectorXd s = Eigen::VectorXd::Ones(2 * n + p);
    s.head(n).setConstant(frequency_scale(system));
    double largest = 0;
    for (int k = 1; k <= p; ++k) {
        const auto b = A.col(2 * n + p - k).head(2 * n);
        largest = std::max(largest, std::pow(T, k) * s.head(2 * n).cwiseProduct(b).norm());
    }
    for (int k = 1; k <= p; ++k) s[2 * n + p - k] = (largest > 0 ? largest : 1) * std::pow(T, 1 - k);
    A = (s.asDiagonal() * A * s.cwiseInverse().asDiagonal()).eval();
    start = start.cwiseProduct(s).eval();
    if (!A.allFinite() || !start.allFinite()) return report.converged = false, report;
    for (const PhiNode& node : nodes) {
        if (system.workers.stop_requested()) return report.converged = false, report;
        const Eigen::VectorXd u = ((node.t * A).exp() * start).cwiseQuotient(s);
        *node.x = u.head(n);
        *node.v = u.segment(n, n);
        report.converged = report.converged && u.allFinite();
    }
    return report;
}

}  // namespace wobble
