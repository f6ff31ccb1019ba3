// Rational Krylov against the eigenvectors of small bodies: accuracy, cost, what it keeps.
#include "engine/solve/phi/phi_rational.h"
#include "engine/solve/phi/make_phi.h"
#include "engine/solve/phi/phi_dense.h"
#include "tests/solve/boxes.h"
#include "tests/solve/eigenvector_oracle.h"
#include "tests/solve/motion.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

using support::apart;
using support::Boxes;
using support::exact;
using support::Motion;

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
            Boxes body({{40, 1e3, stiff}});  // far more unknowns than solves are allowed
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
            EXPECT_LT(2 * first, v0.size());
        }
    }
}

// However little of the motion a basis can express, and however fast it is: |v|^2 + |x|_K^2 - 2 a.x is what it was.
TEST(RationalPhi, KeepsTheEnergyOfWhatItDoesNotResolve) {
    for (const double stiff : {1e4, 1e7, 1e10}) {
        Boxes body({{12, 1e3, stiff}});
        const VecX v0 = body.random(1, 1), a = body.random(100, 2);
        const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}};
        Motion found(v0.size(), 0.1, 0.9), oracle(v0.size(), 0.1, 0);  // a few steps are enough for that tolerance
        RationalPhi phi;
        const PhiReport report = phi.evaluate(body.linearized(), terms, found.nodes);
        ASSERT_TRUE(report.converged);
        EXPECT_LT(2 * report.dimension, v0.size() / 4) << "a basis that misses much";
        exact(body.linearized(), terms, oracle.nodes);
        const auto energy = [&](const VecX& x, const VecX& v) {
            VecX Kx(x.size());
            body.K->multiply(body.workers, x, Kx);
            return 0.5 * v.dot(body.mass.cwiseProduct(v)) + 0.5 * x.dot(Kx) - x.dot(body.mass.cwiseProduct(a));
        };
        const double before = 0.5 * v0.dot(body.mass.cwiseProduct(v0));
        EXPECT_NEAR(energy(oracle.x, oracle.v), before, 1e-6 * before) << stiff;
        EXPECT_NEAR(energy(found.x, found.v), before, 1e-6 * before) << stiff;
        EXPECT_NEAR(energy(found.x1, found.v1), before, 1e-6 * before) << stiff;
    }
}

// In a short step positions change by h v, far more than velocities do in the same units: these must be right all the same, or a thousand
// such steps are not.
TEST(RationalPhi, ResolvesTheChangeOfVelocityInShortSteps) {
    for (const double h : {1e-4, 1e-3, 1e-2}) {
        Boxes body({{12, 1e3, 1e6}});
        body.beta = 5e-3;
        const VecX v0 = body.smooth([](const Vec3& p) { return Vec3(0, p.x(), 0.3 * p.x() * p.x()); });
        const VecX a = body.smooth([](const Vec3&) { return Vec3(0, -1, 0); });
        const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}};
        Motion found(v0.size(), h, 1e-3), oracle(v0.size(), h, 0);
        RationalPhi phi;
        ASSERT_TRUE(phi.evaluate(body.linearized(), terms, found.nodes).converged);
        exact(body.linearized(), terms, oracle.nodes);
        EXPECT_LT(apart(found.v - v0, oracle.v - v0), 1e-2) << h;
        EXPECT_LT(apart(found.x, oracle.x), 3e-3) << h;
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

// Enough unknowns for several parts of every sum.
TEST(RationalPhi, SameBitsForAnyNumberOfThreads) {
    Boxes body({{120, 1e3, 1e6}});
    body.beta = 1e-3;
    const VecX v0 = body.random(1, 1), a = body.random(10, 2);
    const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}};
    Motion first(v0.size(), 0.02, 1e-2);
    ASSERT_GT(v0.size(), 1200);
    for (int threads = 1; threads <= 3; ++threads) {
        Workers workers(threads);
        Motion found(v0.size(), 0.02, 1e-2);
        const Linearized l = body.linearized();
        RationalPhi phi;
        ASSERT_TRUE(
            phi.evaluate({workers, l.K, l.mass, l.inverse_mass, l.alpha, l.beta}, terms, (threads == 1 ? first : found).nodes).converged);
        if (threads > 1) {
            EXPECT_TRUE(first.x == found.x && first.v == found.v && first.x1 == found.x1) << threads;
        }
    }
}

// Nor do they depend on what the evaluator has done before.
TEST(RationalPhi, SameBitsAfterALargerProblem) {
    Boxes body({{40, 1e3, 1e5}}), large({{60, 1e3, 1e6}});
    const VecX v0 = body.random(1, 1), a = body.random(10, 2), w0 = large.random(1, 3), w1 = large.random(1, 4);
    const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}}, more[] = {{0, &w1, &w0}, {1, nullptr, &w1}, {2, &w0, nullptr}};
    for (const double tolerance : {0.3, 0.1, 0.03, 0.01, 1e-3}) {
        Motion fresh(v0.size(), 0.02, tolerance), later(v0.size(), 0.02, tolerance), other(w0.size(), 0.05, 1e-12);
        RationalPhi new_one, old_one;
        old_one.evaluate(large.linearized(), more, other.nodes);
        ASSERT_TRUE(new_one.evaluate(body.linearized(), terms, fresh.nodes).converged);
        ASSERT_TRUE(old_one.evaluate(body.linearized(), terms, later.nodes).converged);
        EXPECT_TRUE(fresh.x == later.x && fresh.v == later.v) << tolerance;
    }
}

TEST(RationalPhi, BeginsWithTheLastDefiniteShift) {
    Boxes body({{8, 1e3, 1e3}});
    body.beta = 1e-4;
    body.compress(1e6);
    const VecX v0 = body.smooth([](const Vec3& p) { return Vec3(0, p.x(), 0); });
    const PhiTerm terms[] = {{0, nullptr, &v0}};
    Motion found(v0.size(), 0.02, 1e-3);
    RationalPhi phi;
    const PhiReport first = phi.evaluate(body.linearized(), terms, found.nodes);
    ASSERT_TRUE(first.converged);
    EXPECT_GT(first.factorizations, 1);
    body.K->block(body.K->pattern().diagonal.back())[0] += 1;
    EXPECT_EQ(phi.evaluate(body.linearized(), terms, found.nodes).factorizations, 1);
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

}  // namespace
}  // namespace wobble
