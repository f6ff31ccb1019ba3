// phi-functions: the 2x2 block against closed forms, Lanczos by its defining identity, the fast evaluator against the oracle.
#include "engine/solve/krylov/spectrum.h"
#include "engine/solve/phi/phi_dense.h"
#include "engine/solve/phi/phi_lanczos.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <unsupported/Eigen/MatrixFunctions>

namespace wobble {
namespace {

PhiReport evaluate(PhiEvaluator& phi, const Linearized& linearized, double h, std::span<const PhiTerm> terms, double tolerance, VecX& x,
                   VecX& v) {
    const PhiNode end[] = {{h, tolerance, &x, &v}};
    return phi.evaluate(linearized, terms, end);
}

TEST(SmallPhi, UndampedBlockIsCosineAndSine) {
    Phi2 phi;
    for (double omega : {1e-9, 0.3, 20.0, 3e3})
        for (double h : {1e-3, 0.02, 1.0}) {
            oscillator_phi(h, omega * omega, 0, 0, 1, phi);
            const double tolerance = 1e-14 * (1 + h * omega);
            EXPECT_NEAR(phi[0](0, 0), std::cos(h * omega), tolerance);
            EXPECT_NEAR(phi[0](0, 1) * omega, std::sin(h * omega), tolerance);
            EXPECT_NEAR(phi[0](1, 0) / omega, -std::sin(h * omega), tolerance);
            EXPECT_NEAR(phi[1](1, 1) * h * omega, std::sin(h * omega), tolerance * (1 + h * omega));
        }
}

TEST(SmallPhi, NegativeStiffnessGrowsLikeCosh) {
    Phi2 phi;
    oscillator_phi(0.1, -400, 0, 0, 2, phi);
    EXPECT_NEAR(phi[0](0, 0), std::cosh(2.0), 1e-13);
    EXPECT_NEAR(phi[0](0, 1) * 20, std::sinh(2.0), 1e-13);
}

// z phi_{k+1}(z) = phi_k(z) - 1/k!, for damped, overdamped and undamped blocks.
TEST(SmallPhi, ObeysTheRecurrenceForAnyDamping) {
    Phi2 phi;
    const double factorial[] = {1, 1, 2, 6};
    for (double theta : {0.0, 1.0, 1e4, 1e8})
        for (double alpha : {0.0, 3.0})
            for (double beta : {0.0, 1e-4, 1e-2}) {
                const double h = 0.01, omega = std::max(1.0, std::sqrt(theta));
                oscillator_phi(h, theta, alpha, beta, 4, phi);
                Eigen::Matrix2d z;
                z << 0, h, -h * theta, -h * (alpha + beta * theta);
                for (int k = 0; k < 4; ++k) {
                    Eigen::Matrix2d residual = z * phi[k + 1] - phi[k] + Eigen::Matrix2d::Identity() / factorial[k];
                    residual(0, 1) *= omega, residual(1, 0) /= omega;  // in units in which both rows count the same
                    EXPECT_LT(residual.norm(), 1e-13 * (1 + z.norm() / omega)) << "theta " << theta << " beta " << beta << " k " << k;
                }
            }
}

// Every way of computing a block (oscillating, nearly critical, overdamped, slow) against the exponential of the augmented matrix
// [ z I 0 .. ; 0 0 I .. ; .. ], whose first row holds phi_0(z), phi_1(z), ..
TEST(SmallPhi, EveryDampingRatioAgreesWithTheAugmentedExponential) {
    Phi2 phi;
    const double h = 0.01, omega_h[] = {1e-3, 0.05, 0.4, 0.9, 1.1, 3.0, 9.0};
    for (double z : omega_h)
        for (double ratio : {0.01, 0.3, 0.8, 0.94, 0.96, 1.0, 1.04, 1.07, 1.5, 3.0}) {
            const double omega = z / h, theta = omega * omega, beta = 2 * ratio / omega;
            oscillator_phi(h, theta, 0, beta, max_phi, phi);
            constexpr int size = 2 * (max_phi + 1);
            Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
            A.block<2, 2>(0, 0) << 0, z, -z, -2 * ratio * z;  // balanced by omega
            for (int k = 0; k < max_phi; ++k) A.block<2, 2>(2 * k, 2 * k + 2).setIdentity();
            A.block<2, 2>(0, 2).setIdentity();
            const Eigen::MatrixXd E = A.exp();
            for (int k = 0; k <= max_phi; ++k) {
                Eigen::Matrix2d balanced = phi[k];
                balanced(0, 1) *= omega, balanced(1, 0) /= omega;
                EXPECT_LT((balanced - E.block<2, 2>(0, 2 * k)).norm(), 3e-14 * (1 + z * ratio))
                    << "h omega " << z << ", ratio " << ratio << ", k " << k;
            }
        }
}

// V^T T V = Theta, seen from the ends: the sums over the Ritz values of first theta^k last are the entries (1, m) of T^k, those of
// first^2 theta^k the entries (1, 1); eigenvalues as LAPACK has them.
TEST(TridiagonalEnds, KnowsWhatTheirMatrixKnows) {
    for (int m : {1, 2, 3, 8, 25, 60}) {
        std::vector<double> d(m), e(m);
        for (int i = 0; i < m; ++i) d[i] = 2 + std::sin(3.0 * i), e[i] = i == 4 ? 1e-9 : 1 + 0.5 * std::cos(5.0 * i);
        TridiagonalEnds ends(m);
        TridiagonalEigen all(m);
        ASSERT_TRUE(ends.compute(d, e));
        ASSERT_TRUE(all.compute(d, e));
        Eigen::MatrixXd T = Eigen::MatrixXd::Zero(m, m);
        for (int i = 0; i < m; ++i) T(i, i) = d[i];
        for (int i = 0; i + 1 < m; ++i) T(i, i + 1) = T(i + 1, i) = e[i];
        Eigen::MatrixXd power = Eigen::MatrixXd::Identity(m, m);
        for (int k = 0; k < 6; ++k, power = power * T) {
            double corner = 0, first = 0, last = 0;
            for (int i = 0; i < m; ++i) {
                const double t = std::pow(ends.value(i), k);
                corner += ends.first(i) * t * ends.last(i), first += ends.first(i) * t * ends.first(i),
                    last += ends.last(i) * t * ends.last(i);
            }
            const double near = 1e-13 * power.norm();
            EXPECT_NEAR(corner, power(0, m - 1), near);
            EXPECT_NEAR(first, power(0, 0), near);
            EXPECT_NEAR(last, power(m - 1, m - 1), near);
        }
        std::vector<double> values(m);
        for (int i = 0; i < m; ++i) values[i] = ends.value(i);
        std::sort(values.begin(), values.end());
        for (int i = 0; i < m; ++i) EXPECT_NEAR(values[i], all.value(i), 1e-13 * T.norm());
    }
}

// One eigenvalue far beyond all others, found by Lanczos again and again: noise of its size among the small ones.
TEST(TridiagonalEnds, DoNotChaseNoise) {
    for (const double stiff : {1e6, 1e12, 1e18}) {
        const int n = 300, m = 120;
        Eigen::VectorXd a(n), v = Eigen::VectorXd::Ones(n) / std::sqrt(double(n)), before = Eigen::VectorXd::Zero(n);
        for (int i = 0; i < n; ++i) a[i] = i == 0 ? stiff : 1e-3 * i / n;
        std::vector<double> d(m), e(m);
        for (int j = 0; j < m; ++j) {
            Eigen::VectorXd w = a.cwiseProduct(v) - (j > 0 ? e[j - 1] : 0) * before;
            d[j] = w.dot(v);
            w -= d[j] * v;
            e[j] = w.norm();
            before = v, v = w / e[j];
        }
        TridiagonalEnds ends(m);
        TridiagonalEigen all(m);
        ASSERT_TRUE(all.compute(d, e));
        ASSERT_TRUE(ends.compute(d, e)) << stiff;
        double sum = 0, trace = 0, largest = 0;
        for (int i = 0; i < m; ++i)
            sum += ends.first(i) * ends.first(i), trace += ends.first(i) * ends.value(i) * ends.first(i),
                largest = std::max(largest, ends.value(i));
        EXPECT_NEAR(sum, 1, 1e-13);
        EXPECT_NEAR(trace, d[0], 1e-13 * stiff);
        EXPECT_NEAR(largest, all.value(m - 1), 1e-13 * stiff);
        TridiagonalEnds copied(m);
        copied.set(all);
        for (int i = 0; i < m; ++i) {
            EXPECT_EQ(copied.first(i), all.vector(0, i));
            EXPECT_EQ(copied.last(i), all.vector(m - 1, i));
        }
    }
    TridiagonalEnds ends(3);
    for (const double size : {1e-170, 1e160}) {
        ASSERT_TRUE(ends.compute(std::vector<double>{0, 0, 0}, std::vector<double>{size, size}));
        EXPECT_NEAR(std::abs(ends.value(0) + ends.value(1) + ends.value(2)), 0, 1e-15 * size);
    }
}

TEST(TridiagonalEnds, RefusesNumbersThatAreNone) {
    TridiagonalEnds ends(3);
    EXPECT_FALSE(ends.compute(std::vector<double>{1, NAN, 2}, std::vector<double>{1, 1}));
    EXPECT_FALSE(ends.compute(std::vector<double>{1, 2, 3}, std::vector<double>{INFINITY, 1}));
    EXPECT_TRUE(ends.compute(std::vector<double>{1e300, -1e300, 0}, std::vector<double>{0, 0}));
}

// K read from its edges or from its blocks, with every number of columns that has kernels of its own.
TEST(LanczosPhi, EdgesAndBlocksGiveTheSameMotion) {
    const TetMesh mesh = support::box_tets(6, 2, 2);
    const MechanicalSystem system = support::cantilever(mesh, {.stiffness = 2e4, .damping = 1e-4});
    const VecX q = support::positions(mesh) + support::random_vector(3 * mesh.vertices.size(), 0.02, 3);
    EdgeTangent edges = system.new_tangent();
    system.stiffness(q, edges);
    BlockMatrix K(system.pattern());
    edges.expand(system.workers(), K);
    Linearized by_blocks{system.workers(), K, system.mass(), system.inverse_mass(), 0, system.beta()}, by_edges = by_blocks;
    by_edges.edges = &edges.matrix();
    VecX start[6], x[2], v[2];
    for (int c = 0; c < 6; ++c)
        start[c] = support::random_vector(q.size(), 1, 10 + c).cwiseProduct(system.mass()).cwiseProduct(system.inverse_mass());
    for (VecX& y : x) y.resize(q.size());
    for (VecX& y : v) y.resize(q.size());
    std::vector<PhiTerm> terms;
    for (int columns = 1; columns <= 6; ++columns) {
        const VecX* next = &start[columns - 1];
        if (columns <= 4) terms.push_back({columns - 1, nullptr, next});
        else terms[columns - 5].x = next;
        LanczosPhi phi(128);
        const auto blocks = evaluate(phi, by_blocks, 0.02, terms, 1e-12, x[0], v[0]);
        const auto lines = evaluate(phi, by_edges, 0.02, terms, 1e-12, x[1], v[1]);
        ASSERT_TRUE(blocks.converged && lines.converged);
        ASSERT_GT(x[0].norm(), 0.01);
        EXPECT_LT((x[1] - x[0]).norm(), 1e-10 * x[0].norm()) << columns << " columns";
        EXPECT_LT((v[1] - v[0]).norm(), 1e-10 * v[0].norm()) << columns << " columns";
    }
}

struct Case {
    const char* name;
    double stiffness, alpha, beta, deformation, h;
    int short_basis = 7;
};
class PhiAgainstOracle : public testing::TestWithParam<Case> {
protected:
    TetMesh mesh = support::box_tets(3, 1, 1);
    MechanicalSystem system =
        support::cantilever(mesh, {.stiffness = GetParam().stiffness, .damping = GetParam().beta, .mass_damping = GetParam().alpha});
    BlockMatrix K{system.pattern()};
    VecX q = support::positions(mesh) + support::random_velocity(system, GetParam().deformation, 8);
    Linearized linearized{system.workers(), K, system.mass(), system.inverse_mass(), system.alpha(), system.beta()};
    PhiAgainstOracle() { system.stiffness(q, K); }
    double energy_norm(const VecX& x, const VecX& v) {
        VecX Kx(x.size());
        K.multiply(system.workers(), x, Kx);
        return std::sqrt(std::abs(x.dot(Kx)) + v.dot(system.mass().cwiseProduct(v)));
    }
};

TEST_P(PhiAgainstOracle, LanczosAgreesToItsTolerance) {
    const VecX v1 = support::random_velocity(system, 1, 9), a1 = support::random_velocity(system, 50, 10),
               a2 = support::random_velocity(system, 500, 11);
    const PhiTerm terms[] = {{1, &v1, &a1}, {2, nullptr, &a2}};
    const Eigen::Index n = v1.size();
    VecX x(n), v(n), exact_x(n), exact_v(n);
    DensePhi dense;
    evaluate(dense, linearized, GetParam().h, terms, 0, exact_x, exact_v);
    const double size = energy_norm(exact_x, exact_v);
    ASSERT_GT(size, 0);
    for (double tolerance : {1e-3, 1e-6, 1e-9}) {
        LanczosPhi phi;
        const PhiReport report = evaluate(phi, linearized, GetParam().h, terms, tolerance, x, v);
        ASSERT_TRUE(report.converged);
        EXPECT_LT(energy_norm(x - exact_x, v - exact_v), 3 * tolerance * size + 1e-11 * size) << "dimension " << report.dimension;
    }
}

TEST_P(PhiAgainstOracle, ShortBasesWithSubstepsAgreeToo) {
    const VecX v1 = support::random_velocity(system, 1, 9), a1 = support::random_velocity(system, 50, 10),
               a2 = support::random_velocity(system, 500, 11);
    const PhiTerm terms[] = {{1, &v1, &a1}, {2, nullptr, &a2}};
    VecX x(v1.size()), v(v1.size()), exact_x(v1.size()), exact_v(v1.size());
    DensePhi dense;
    evaluate(dense, linearized, GetParam().h, terms, 0, exact_x, exact_v);
    LanczosPhi phi(GetParam().short_basis);
    const PhiReport report = evaluate(phi, linearized, GetParam().h, terms, 1e-8, x, v);
    ASSERT_TRUE(report.converged);
    EXPECT_GT(report.substeps, 1);
    EXPECT_LE(report.dimension, GetParam().short_basis);
    EXPECT_LT(energy_norm(x - exact_x, v - exact_v), 1e-6 * energy_norm(exact_x, exact_v));
}

INSTANTIATE_TEST_SUITE_P(Tangents, PhiAgainstOracle,
                         testing::Values(Case{"soft", 1e3, 0, 0, 0.01, 0.3}, Case{"stiff", 1e6, 0, 0, 0.001, 0.02},
                                         Case{"indefinite", 1e4, 0, 0, 0.12, 0.02}, Case{"damped", 1e4, 0.5, 5e-4, 0.01, 0.02},
                                         Case{"overdamped", 1e6, 0, 5e-3, 0.001, 0.02, 10}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Lanczos, BasesAreOrthonormalAndFulfilTheirRecurrence) {
    const TetMesh mesh = support::box_tets(4, 2, 2);
    MechanicalSystem system = support::cantilever(mesh, {});
    BlockMatrix K(system.pattern());
    system.stiffness(support::positions(mesh), K);
    const Linearized linearized{system.workers(), K, system.mass(), system.inverse_mass(), 0, 0};
    const VecX b0 = support::random_velocity(system, 1, 1), b1 = support::random_velocity(system, 1, 2);
    const VecX* starts[] = {&b0, &b1};
    constexpr int m = 10;
    Lanczos lanczos(m + 1);
    ASSERT_TRUE(lanczos.start(linearized, starts));
    for (int j = 0; j <= m; ++j) ASSERT_TRUE(lanczos.extend());
    for (int c = 0; c < 2; ++c) {
        Eigen::MatrixXd V(b0.size(), m + 1);
        for (int j = 0; j <= m; ++j) {
            std::vector<double> a(2 * (m + 1), 0.0), none(2 * (m + 1), 0.0);
            a[2 * j + c] = 1;
            VecX column = VecX::Zero(b0.size()), unused = column;
            const Lanczos::Output outputs[] = {{a.data(), none.data(), &column, &unused}};
            lanczos.combine(outputs);
            V.col(j) = column;
        }
        EXPECT_LT((V.transpose() * system.mass().asDiagonal() * V - Eigen::MatrixXd::Identity(m + 1, m + 1)).norm(), 1e-10);
        EXPECT_LT((V.col(0) * lanczos.norm(c) - *starts[c]).norm(), 1e-12 * starts[c]->norm());
        for (int j = 0; j < m; ++j) {  // A v_j = beta_{j-1} v_{j-1} + alpha_j v_j + beta_j v_{j+1}
            VecX Av(b0.size());
            K.multiply(system.workers(), V.col(j), Av);
            Av = system.inverse_mass().cwiseProduct(Av);
            VecX sum = lanczos.diagonal(c)[j] * V.col(j) + lanczos.off_diagonal(c)[j] * V.col(j + 1);
            if (j > 0) sum += lanczos.off_diagonal(c)[j - 1] * V.col(j - 1);
            EXPECT_LT((Av - sum).norm(), 1e-11 * Av.norm());
        }
    }
}

TEST(Spectrum, AgreesWithDenseEigenvalues) {
    const TetMesh mesh = support::box_tets(3, 1, 1);
    MechanicalSystem system = support::cantilever(mesh, {});
    BlockMatrix K(system.pattern());
    system.stiffness(support::positions(mesh), K);
    const Linearized linearized{system.workers(), K, system.mass(), system.inverse_mass(), 0, 0};
    const Eigen::Index n = system.mass().size();
    const Eigen::MatrixXd WK = -dense_jacobian(linearized).bottomLeftCorner(n, n);
    const Eigen::MatrixXd root = system.mass().cwiseSqrt().asDiagonal();
    const Eigen::MatrixXd L = root * WK * root.inverse();
    VecX values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(L).eigenvalues();
    double lowest = 0;
    for (double value : values)
        if (value > 1e-6 && lowest == 0) lowest = value;
    EXPECT_NEAR(highest_frequency(linearized), std::sqrt(values.maxCoeff()), 5e-3 * std::sqrt(values.maxCoeff()));
    EXPECT_NEAR(lowest_frequency(linearized), std::sqrt(lowest), 1e-3 * std::sqrt(lowest));
}

}  // namespace
}  // namespace wobble
