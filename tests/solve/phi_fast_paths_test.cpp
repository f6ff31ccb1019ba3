// The paths the automatic choice is made of, against dense oracles: islands and the choice itself. Rational Krylov: phi_rational_test.cpp.
#include "engine/solve/phi/make_phi.h"
#include "engine/solve/phi/phi_automatic.h"
#include "engine/solve/phi/phi_components.h"
#include "engine/solve/phi/phi_dense.h"
#include "tests/solve/boxes.h"
#include "tests/solve/eigenvector_oracle.h"
#include "tests/solve/motion.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stop_token>

namespace wobble {
namespace {

using support::apart;
using support::Boxes;
using support::exact;
using support::Motion;

std::vector<Boxes::Box> several(int count) {
    std::vector<Boxes::Box> boxes;
    for (int b = 0; b < count; ++b) boxes.push_back({1 + b % 3, 1e3 * (1 + b), 1e4});
    if (count == 2) boxes[0].length = 2;
    return boxes;
}

TEST(ComponentsPhi, GiveWhatTheWholeGives) {
    for (const int count : {2, 10}) {
        Boxes body(several(count));
        body.beta = 1e-4;
        const VecX v0 = body.random(1, 1), a1 = body.random(20, 2);
        const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a1}, {2, &a1, &v0}};
        Motion found(v0.size(), 0.02, 1e-8), oracle(v0.size(), 0.02, 0);
        DensePhi().evaluate(body.linearized(), terms, oracle.nodes);
        for (const PhiMethod method : {PhiMethod::automatic, PhiMethod::lanczos, PhiMethod::rational}) {
            const auto phi = make_phi(method);
            const PhiReport report = phi->evaluate(body.linearized(), terms, found.nodes);
            ASSERT_TRUE(report.converged);
            EXPECT_EQ(report.islands, count);
            EXPECT_LT(apart(found.x, oracle.x), 1e-7);
            EXPECT_LT(apart(found.v, oracle.v), 1e-6);
            EXPECT_LT(apart(found.x1, oracle.x1), 1e-7);
        }
    }
}

// What an island's evaluator throws arrives where the evaluation was asked for; and it obeys the stop request of the present caller.
TEST(ComponentsPhi, PassOnWhatIsThrownAndTheStop) {
    struct Thrower final : PhiEvaluator {
        PhiReport evaluate(const Linearized&, std::span<const PhiTerm>, std::span<const PhiNode>) override { throw std::bad_alloc(); }
    };
    Boxes body(several(4));
    const VecX v0 = body.random(1, 1);
    const PhiTerm terms[] = {{0, nullptr, &v0}};
    Motion found(v0.size(), 0.02, 1e-6);
    ComponentsPhi throwing([](int) { return std::make_unique<Thrower>(); });
    EXPECT_THROW(throwing.evaluate(body.linearized(), terms, found.nodes), std::bad_alloc);

    struct Listener final : PhiEvaluator {
        std::stop_source& source;
        std::atomic<int>& heard;
        Listener(std::stop_source& s, std::atomic<int>& h) : source(s), heard(h) {}
        PhiReport evaluate(const Linearized& system, std::span<const PhiTerm>, std::span<const PhiNode>) override {
            source.request_stop();
            heard += system.workers.stop_requested();
            return {};
        }
    };
    std::stop_source sources[2];
    std::atomic<int> heard = 0;
    int asked = 0;
    ComponentsPhi listening([&](int) { return std::make_unique<Listener>(sources[1], heard); });
    for (std::stop_source& source : sources) {
        Workers workers(2, source.get_token());
        const Linearized l = body.linearized();
        const PhiReport report = listening.evaluate({workers, l.K, l.mass, l.inverse_mass, 0, 0}, terms, found.nodes);
        EXPECT_EQ(report.converged, asked == 0);
        EXPECT_EQ(heard > 0, asked == 1);
        if (asked++ == 0) sources[1] = std::stop_source();
    }
}

TEST(ComponentsPhi, GiveTheSameBitsForAnyNumberOfThreads) {
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

TEST(ComponentsPhi, NoticeWhenAParticleIsHeldOrLetGo) {
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
    Motion found(v0.size(), 0.2, 1e-8), oracle(v0.size(), 0.2, 0);
    const auto phi = make_phi(PhiMethod::automatic);
    RationalPhi rational;
    EXPECT_FALSE(rational.evaluate(body.linearized(), terms, found.nodes).converged);
    exact(body.linearized(), terms, oracle.nodes);
    const PhiReport report = phi->evaluate(body.linearized(), terms, found.nodes);
    ASSERT_TRUE(report.converged);
    EXPECT_STREQ(report.path, "lanczos");
    EXPECT_EQ(report.loosened, 1);
    EXPECT_LT(apart(found.x, oracle.x), 1e-6);
    int attempts = 0;
    for (int repeat = 0; repeat < 12; ++repeat) attempts += phi->evaluate(body.linearized(), terms, found.nodes).solves > 0;
    EXPECT_LE(attempts, 4) << "it does not try in vain every time";
}

// Oscillation far too fast for Lanczos: all nodes are loosened alike, and it is told. A stage that must be much better than the result is
// not loosened away.
TEST(AutomaticPhi, SaysByHowMuchItLoosened) {
    Boxes body({{52, 1e3, 1e11}});  // too large for all eigenvectors
    const VecX v0 = body.smooth([](const Vec3& p) { return Vec3(0, p.x(), 0.3 * p.x() * p.x()); });
    const VecX a = body.smooth([](const Vec3&) { return Vec3(0, -9.81, 0); });
    const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}};
    for (const double stage : {1.0, 1e-4}) {
        Motion found(v0.size(), 0.02, 1e-9), oracle(v0.size(), 0.02, 0);
        found.nodes[0].tolerance *= stage;
        exact(body.linearized(), terms, oracle.nodes);
        AutomaticPhi phi;
        const PhiReport report = phi.evaluate(body.linearized(), terms, found.nodes);
        if (stage == 1) {
            ASSERT_TRUE(report.converged);
            EXPECT_STREQ(report.path, "rational");
            EXPECT_GE(report.loosened, 0.99e6);
            EXPECT_LT(apart(found.x, oracle.x), 3e-9 * report.loosened);
            EXPECT_LT(apart(found.x1, oracle.x1), 3e-9 * report.loosened);
        } else {
            EXPECT_EQ(report.loosened, 1);
            if (report.converged) {
                EXPECT_LT(apart(found.x, oracle.x), 1e-6);
            }
        }
    }
}

// Two start vectors that nearly cancel: what the tolerance refers to is their sum.
TEST(FastPaths, KeepTheToleranceWhereColumnsCancel) {
    Boxes body({{24, 1e3, 1e4}});
    const VecX a = body.random(1000, 1), b = -a + body.smooth([](const Vec3&p) { return Vec3(0, p.x(), 0); });
    const PhiTerm terms[] = {{1, nullptr, &a}, {1, nullptr, &b}};
    Motion found(a.size(), 0.1, 1e-4), oracle(a.size(), 0.1, 0);
    exact(body.linearized(), terms, oracle.nodes);
    LanczosPhi lanczos;
    RationalPhi rational;
    for (PhiEvaluator* phi : {static_cast<PhiEvaluator*>(&lanczos), static_cast<PhiEvaluator*>(&rational)}) {
        const PhiReport report = phi->evaluate(body.linearized(), terms, found.nodes);
        ASSERT_TRUE(report.converged) << report.path;
        EXPECT_LT(apart(found.x, oracle.x), 3e-4) << report.path << " " << report.dimension;
        EXPECT_LT(apart(found.x1, oracle.x1), 3e-4) << report.path << " " << report.dimension;
    }
}

TEST(FastPaths, DoNotTakeADampingMatrix) {
    Boxes body({{4, 1e3, 1e4}});
    BlockMatrix D = *body.K;
    for (int k = 0; k < D.pattern().blocks(); ++k)
        for (int e = 0; e < 9; ++e) D.block(k)[e] *= 1e-3;
    const Linearized damped{body.workers, *body.K, body.mass, body.inverse_mass, 0, 0, &D};
    const VecX v0 = body.random(1, 1);
    const PhiTerm terms[] = {{0, nullptr, &v0}};
    Motion found(v0.size(), 0.02, 1e-8), oracle(v0.size(), 0.02, 0);
    LanczosPhi lanczos;
    EXPECT_FALSE(lanczos.evaluate(damped, terms, found.nodes).converged);
    EXPECT_STREQ(lanczos.evaluate(damped, terms, found.nodes).path, "lanczos");
    RationalPhi rational;
    EXPECT_FALSE(rational.evaluate(damped, terms, found.nodes).converged);
    EXPECT_STREQ(rational.evaluate(damped, terms, found.nodes).path, "rational");
    // By name they hand over to one that does.
    DensePhi().evaluate(damped, terms, oracle.nodes);
    for (const PhiMethod method : {PhiMethod::automatic, PhiMethod::lanczos, PhiMethod::rational}) {
        const PhiReport report = make_phi(method)->evaluate(damped, terms, found.nodes);
        ASSERT_TRUE(report.converged);
        EXPECT_STREQ(report.path, "kiops");
        EXPECT_LT(apart(found.x, oracle.x), 1e-6);
    }
}

TEST(DensePhi, DoesNotTakeLargeBodies) {
    Boxes body({{130, 1e3, 1e3}});
    const VecX v0 = body.random(1, 1);
    const PhiTerm terms[] = {{0, nullptr, &v0}};
    Motion found(v0.size(), 0.02, 1e-8);
    ASSERT_GT(2 * v0.size(), DensePhi::max_unknowns);
    EXPECT_FALSE(DensePhi().evaluate(body.linearized(), terms, found.nodes).converged);
}

}  // namespace
}  // namespace wobble
