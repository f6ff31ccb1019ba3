// The paths the automatic choice is made of, against dense oracles: rational Krylov, islands, and the choice itself.
#include "engine/solve/make_phi.h"
#include "engine/solve/phi_automatic.h"
#include "engine/solve/phi_dense.h"
#include "engine/solve/phi_islands.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <set>

namespace wobble {
namespace {

// Boxes of springs on their edges, next to each other and not touching, each held at its left end; soft left halves, stiff right halves.
struct Boxes {
    Workers workers;
    std::vector<Vec3> rest;
    std::unique_ptr<BlockMatrix> K;
    VecX mass, inverse_mass;
    double alpha = 0, beta = 0;

    struct Box {
        int length;
        double soft, stiff;
    };
    explicit Boxes(const std::vector<Box>& boxes, int threads = 2, bool hold = true) : workers(threads) {
        std::vector<std::pair<int, int>> pairs;
        std::vector<double> stiffness;
        for (const Box& box : boxes) {
            const TetMesh mesh = support::box_tets(box.length, 1, 1);
            const int offset = static_cast<int>(rest.size());
            std::set<std::pair<int, int>> edges;
            for (const Tet& tet : mesh.tets)
                for (int a = 0; a < 4; ++a)
                    for (int b = a + 1; b < 4; ++b) edges.insert(std::minmax(tet[a], tet[b]));
            rest.insert(rest.end(), mesh.vertices.begin(), mesh.vertices.end());
            for (const auto& [i, j] : edges) {
                pairs.emplace_back(offset + i, offset + j);
                stiffness.push_back(mesh.vertices[i].x() + mesh.vertices[j].x() < 0.25 * box.length ? box.soft : box.stiff);
            }
        }
        const int n = static_cast<int>(rest.size());
        const auto pattern = std::make_shared<BlockPattern>(n, pairs);
        K = std::make_unique<BlockMatrix>(pattern);
        for (std::size_t s = 0; s < pairs.size(); ++s) {
            const auto [i, j] = pairs[s];
            const Vec3 d = (rest[j] - rest[i]).normalized();
            const Mat3 block = stiffness[s] * d * d.transpose();
            for (const auto& [r, c, sign] : {std::tuple(i, i, 1), std::tuple(j, j, 1), std::tuple(i, j, -1), std::tuple(j, i, -1)})
                Eigen::Map<Mat3>(K->block(pattern->find(r, c))) += sign * block;
        }
        mass.resize(3 * n);
        for (int i = 0; i < n; ++i) particle(mass, i).setConstant(0.4 + 0.02 * (i % 7));
        inverse_mass = mass.cwiseInverse();
        for (int i = 0; hold && i < n; ++i)
            if (rest[i].x() < 1e-9) particle(inverse_mass, i).setZero();
    }
    Linearized linearized() { return {workers, *K, mass, inverse_mass, alpha, beta}; }
    VecX free(VecX v) const {
        for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = inverse_mass[k] == 0 ? 0 : v[k];
        return v;
    }
    VecX random(double size, unsigned seed) const { return free(support::random_vector(mass.size(), size, seed)); }
    VecX smooth(const std::function<Vec3(const Vec3&)>& f) const {
        VecX v(mass.size());
        for (std::size_t i = 0; i < rest.size(); ++i) particle(v, static_cast<int>(i)) = f(rest[i]);
        return free(v);
    }
    void compress(double by) {  // K - by: some directions are unstable
        for (int i = 0; i < K->rows(); ++i) Eigen::Map<Mat3>(K->block(K->pattern().diagonal[i])).diagonal().array() -= by;
    }
};

// The oracle at any stiffness: eigenvectors of the dense M^-1/2 K M^-1/2. (The dense exponential squares dozens of times at 1e10.)
void exact(const Linearized& system, std::span<const PhiTerm> terms, std::span<const PhiNode> nodes) {
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

struct Motion {  // at h/3 and h
    VecX x1, v1, x, v;
    std::array<PhiNode, 2> nodes;
    Motion(Eigen::Index n, double h, double tolerance)
        : x1(n), v1(n), x(n), v(n), nodes{{{h / 3, tolerance, &x1, &v1}, {h, tolerance, &x, &v}}} {}
    Motion(const Motion&) = delete;
};

double apart(const VecX& a, const VecX& b) { return (a - b).norm() / b.norm(); }

struct Case {
    const char* name;
    double soft, stiff, alpha, beta, compress, tolerance;
    bool random;
};
class RationalAgainstOracle : public testing::TestWithParam<Case> {};

TEST_P(RationalAgainstOracle, PositionsAgreeToTheTolerance) {
    const Case& test = GetParam();
    const double h = 0.02;
    Boxes body({{8, test.soft, test.stiff}});
    body.alpha = test.alpha, body.beta = test.beta;
    if (test.compress != 0) body.compress(test.compress);
    const VecX v0 = test.random ? body.random(1, 1) : body.smooth([](const Vec3& p) { return Vec3(0, p.x(), 0.3 * p.x() * p.x()); });
    const VecX a1 = test.random ? body.random(50, 2) : body.smooth([](const Vec3&) { return Vec3(0, -9.81, 0); });
    const VecX a2 = body.smooth([](const Vec3& p) { return Vec3(10 * p.x(), 0, 5); });
    const VecX x1 = body.smooth([](const Vec3& p) { return Vec3(0, 0, p.x()); });
    const PhiTerm terms[] = {{0, nullptr, &v0}, {1, &x1, &a1}, {2, nullptr, &a2}, {3, nullptr, &v0}, {4, &a2, nullptr}};
    Motion found(v0.size(), h, test.tolerance), oracle(v0.size(), h, 0);
    exact(body.linearized(), terms, oracle.nodes);
    RationalPhi phi;
    const PhiReport report = phi.evaluate(body.linearized(), terms, found.nodes);
    ASSERT_TRUE(report.converged) << report.dimension;
    EXPECT_LT(apart(found.x, oracle.x), 3 * test.tolerance) << "dimension " << report.dimension;
    EXPECT_LT(apart(found.x1, oracle.x1), 3 * test.tolerance);
    if (test.beta > 0 || test.stiff < 1e5) {  // else there is motion that it does not resolve
        EXPECT_LT(apart(found.v, oracle.v), 30 * test.tolerance);
    }
    if (test.stiff < 1e5) {  // the oracle of the oracle
        Motion dense(v0.size(), h, 0);
        DensePhi().evaluate(body.linearized(), terms, dense.nodes);
        EXPECT_LT(apart(dense.x, oracle.x), 1e-9);
        EXPECT_LT(apart(dense.v1, oracle.v1), 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Tangents, RationalAgainstOracle,
                         testing::Values(Case{"soft", 1e3, 1e3, 0, 0, 0, 1e-6, true}, Case{"stiff", 1e3, 1e8, 0, 0, 0, 1e-2, false},
                                         Case{"very_stiff", 1e3, 1e10, 0, 0, 0, 1e-3, false},
                                         Case{"damped", 1e3, 1e7, 0.5, 5e-4, 0, 1e-4, true},
                                         Case{"overdamped", 1e3, 1e10, 0, 5e-3, 0, 1e-4, true},
                                         Case{"indefinite", 1e3, 1e4, 0, 0, 400, 1e-3, false},
                                         Case{"very_indefinite", 1e3, 1e3, 0, 1e-4, 3e5, 1e-3, false}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(RationalPhi, SolvesHardlyGrowWithTheStiffness) {
    for (const double beta : {0.0, 1e-3}) {
        long first = 0;
        for (const double stiff : {1e6, 1e7, 1e8, 1e9, 1e10}) {
            Boxes body({{8, 1e3, stiff}});
            body.beta = beta;
            const VecX v0 = body.smooth([](const Vec3& p) { return Vec3(0, p.x(), 0); });
            const VecX a = body.smooth([](const Vec3&) { return Vec3(0, -9.81, 0); });
            const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}};
            Motion found(v0.size(), 0.02, 1e-2), oracle(v0.size(), 0.02, 0);
            RationalPhi phi;
            const PhiReport report = phi.evaluate(body.linearized(), terms, found.nodes);
            exact(body.linearized(), terms, oracle.nodes);
            ASSERT_TRUE(report.converged);
            EXPECT_LT(apart(found.x, oracle.x), 1e-2) << stiff;
            if (first == 0) first = report.solves;
            EXPECT_LT(report.solves, 2 * first) << stiff;
        }
    }
}

TEST(RationalPhi, AKeptFactorGivesTheSameBits) {
    Boxes body({{6, 1e3, 1e6}});
    body.beta = 1e-3;
    const VecX v0 = body.random(1, 1);
    const PhiTerm terms[] = {{0, nullptr, &v0}};
    Motion first(v0.size(), 0.02, 1e-4), second(v0.size(), 0.02, 1e-4), fresh(v0.size(), 0.021, 1e-4), kept(v0.size(), 0.021, 1e-4);
    RationalPhi phi, other;
    EXPECT_EQ(phi.evaluate(body.linearized(), terms, first.nodes).factorizations, 1);
    EXPECT_EQ(phi.evaluate(body.linearized(), terms, second.nodes).factorizations, 0);
    EXPECT_EQ(first.x, second.x);
    EXPECT_EQ(phi.evaluate(body.linearized(), terms, kept.nodes).factorizations, 0) << "a slightly longer step needs no other factor";
    EXPECT_EQ(other.evaluate(body.linearized(), terms, fresh.nodes).factorizations, 1);
    EXPECT_EQ(kept.x, fresh.x);
    Motion half(v0.size(), 0.011, 1e-4), oracle(v0.size(), 0.011, 0);
    EXPECT_EQ(phi.evaluate(body.linearized(), terms, half.nodes).factorizations, 0) << "nor does a step of half the length";
    exact(body.linearized(), terms, oracle.nodes);
    EXPECT_LT(apart(half.x, oracle.x), 3e-4);
    body.K->block(body.K->pattern().diagonal.back())[0] += 10;
    EXPECT_EQ(phi.evaluate(body.linearized(), terms, second.nodes).factorizations, 1);
    EXPECT_NE(first.x, second.x);
}

TEST(RationalPhi, ZeroVectorsAndHeldParticlesStayZero) {
    Boxes body({{4, 1e3, 1e5}});
    const VecX zero = VecX::Zero(body.mass.size()), v0 = body.random(1, 3);
    for (const PhiMethod method : {PhiMethod::rational, PhiMethod::automatic}) {
        const auto phi = make_phi(method);
        Motion found(zero.size(), 0.02, 1e-6);
        const PhiTerm nothing[] = {{0, nullptr, &zero}, {1, &zero, nullptr}};
        ASSERT_TRUE(phi->evaluate(body.linearized(), nothing, found.nodes).converged);
        EXPECT_TRUE(found.x.isZero(0) && found.v.isZero(0));
        const PhiTerm some[] = {{0, nullptr, &zero}, {1, nullptr, &v0}};
        ASSERT_TRUE(phi->evaluate(body.linearized(), some, found.nodes).converged);
        EXPECT_GT(found.x.norm(), 0);
        EXPECT_EQ(found.x, body.free(found.x));
        EXPECT_EQ(found.v, body.free(found.v));
    }
}

std::vector<Boxes::Box> several(int count) {
    std::vector<Boxes::Box> boxes;
    for (int b = 0; b < count; ++b) boxes.push_back({1 + b % 3, 1e3 * (1 + b), 1e4});
    if (count == 2) boxes[0].length = 2;
    return boxes;
}

TEST(IslandsPhi, GiveWhatTheWholeGives) {
    for (const int count : {2, 10}) {
        Boxes body(several(count));
        body.beta = 1e-4;
        const VecX v0 = body.random(1, 1), a1 = body.random(20, 2);
        const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a1}, {2, &a1, &v0}};
        Motion found(v0.size(), 0.02, 1e-8), oracle(v0.size(), 0.02, 0);
        DensePhi().evaluate(body.linearized(), terms, oracle.nodes);
        const auto phi = make_phi(PhiMethod::automatic);
        const PhiReport report = phi->evaluate(body.linearized(), terms, found.nodes);
        ASSERT_TRUE(report.converged);
        EXPECT_EQ(report.islands, count);
        EXPECT_LT(apart(found.x, oracle.x), 1e-7);
        EXPECT_LT(apart(found.v, oracle.v), 1e-6);
        EXPECT_LT(apart(found.x1, oracle.x1), 1e-7);
    }
}

TEST(IslandsPhi, GiveTheSameBitsForAnyNumberOfThreads) {
    std::vector<VecX> results;
    std::vector<long> counts;
    for (const int threads : {1, 2, 3}) {
        Boxes body(several(10), threads);
        const auto phi = make_phi(PhiMethod::automatic);
        const VecX v0 = body.random(1, 1), a1 = body.random(20, 2);
        const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a1}};
        Motion found(v0.size(), 0.05, 1e-5);
        for (int repeat = 0; repeat < 3; ++repeat) {
            *body.K->block(0) += 1;  // as a moving body would
            const PhiReport report = phi->evaluate(body.linearized(), terms, found.nodes);
            ASSERT_TRUE(report.converged);
            counts.push_back(1000 * report.products + report.solves);
        }
        results.push_back(found.x);
        results.push_back(found.v);
    }
    for (std::size_t k = 2; k < results.size(); ++k) EXPECT_EQ(results[k], results[k % 2]);
    for (std::size_t k = 3; k < counts.size(); ++k) EXPECT_EQ(counts[k], counts[k % 3]);
}

TEST(IslandsPhi, NoticeWhenAParticleIsHeldOrLetGo) {
    Boxes body({{4, 1e3, 1e3}});
    const auto phi = make_phi(PhiMethod::automatic);
    const auto islands = [&] {
        const VecX v0 = body.random(1, 1);
        const PhiTerm terms[] = {{0, nullptr, &v0}};
        Motion found(v0.size(), 0.02, 1e-6), oracle(v0.size(), 0.02, 0);
        const PhiReport report = phi->evaluate(body.linearized(), terms, found.nodes);
        DensePhi().evaluate(body.linearized(), terms, oracle.nodes);
        EXPECT_LT(apart(found.x, oracle.x), 1e-5);
        return report.islands;
    };
    EXPECT_EQ(islands(), 1);
    const VecX before = body.inverse_mass;
    for (std::size_t i = 0; i < body.rest.size(); ++i)
        if (std::abs(body.rest[i].x() - 0.5) < 1e-9) particle(body.inverse_mass, static_cast<int>(i)).setZero();
    EXPECT_EQ(islands(), 2);
    body.inverse_mass = before;
    EXPECT_EQ(islands(), 1);
}

TEST(AutomaticPhi, TakesLanczosForSoftAndRationalForVeryStiff) {
    for (const double beta : {0.0, 1e-3})
        for (const double stiff : {1e3, 1e9}) {
            Boxes body({{8, 1e3, stiff}});
            body.beta = beta;
            const VecX v0 = body.smooth([](const Vec3& p) { return Vec3(0, p.x(), 0); });
            const VecX a = body.smooth([](const Vec3&) { return Vec3(0, -9.81, 0); });
            const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}};
            Motion found(v0.size(), 0.02, 1e-2), oracle(v0.size(), 0.02, 0);
            const auto phi = make_phi(PhiMethod::automatic);
            exact(body.linearized(), terms, oracle.nodes);
            for (int repeat = 0; repeat < 3; ++repeat) {
                const PhiReport report = phi->evaluate(body.linearized(), terms, found.nodes);
                ASSERT_TRUE(report.converged);
                EXPECT_STREQ(report.path, stiff < 1e5 ? "lanczos" : "rational");
                EXPECT_LT(apart(found.x, oracle.x), 1e-2);
                EXPECT_GT(report.predicted_dimension, 0);
            }
        }
}

// Undamped random motion of a stiff body, to eight digits: rational Krylov does not get there.
TEST(AutomaticPhi, TriesTheOtherOneBeforeGivingUp) {
    Boxes body({{24, 1e5, 1e6}});
    const VecX v0 = body.random(1, 1);
    const PhiTerm terms[] = {{0, nullptr, &v0}};
    Motion found(v0.size(), 0.4, 1e-8), oracle(v0.size(), 0.4, 0);
    const auto phi = make_phi(PhiMethod::automatic);
    RationalPhi rational;
    EXPECT_FALSE(rational.evaluate(body.linearized(), terms, found.nodes).converged);
    exact(body.linearized(), terms, oracle.nodes);
    const PhiReport report = phi->evaluate(body.linearized(), terms, found.nodes);
    ASSERT_TRUE(report.converged);
    EXPECT_STREQ(report.path, "lanczos");
    EXPECT_LT(apart(found.x, oracle.x), 1e-6);
    int attempts = 0;
    for (int repeat = 0; repeat < 12; ++repeat) attempts += phi->evaluate(body.linearized(), terms, found.nodes).solves > 0;
    EXPECT_LE(attempts, 4) << "it does not try in vain every time";
}

}  // namespace
}  // namespace wobble
