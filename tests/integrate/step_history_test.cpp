// The protocol of Integrator: steps may be rejected and repeated with another size, the past may be forgotten, pins may move.
#include "engine/integrate/methods.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace wobble {
namespace {

struct Body {
    TetMesh mesh = support::box_tets(2, 1, 1);
    MechanicalSystem system;
    State start;
    explicit Body(double gravity = 9.81)
        : system(support::cantilever(mesh, {.stiffness = 3e3, .edge_stiffness = 3e2, .gravity = gravity}, 1)) {
        start.q = support::positions(mesh);
        start.v = support::random_velocity(system, 0.5, 3);
    }
};

constexpr double h = 1e-3;
const IntegratorOptions exact{.solver = {.tolerance = 1e-12}};

double difference(const State& a, const State& b) { return (a.q - b.q).norm() + h * (a.v - b.v).norm() + std::abs(a.t - b.t); }

State after(Integrator& integrator, const MechanicalSystem& system, State state, int steps, double step = h) {
    State next = state;
    for (int n = 0; n < steps; ++n) {
        EXPECT_TRUE(integrator.step(system, state, step, next).ok());
        std::swap(state, next);
    }
    return state;
}

TEST(StepHistory, ARejectedStepLeavesNoTrace) {
    const Body body;
    for (const Method& method : methods()) {
        const auto plain = method.make(exact), disturbed = method.make(exact);
        State a = body.start, b = body.start, next = b;
        for (int n = 0; n < 12; ++n) {
            a = after(*plain, body.system, a, 1);
            for (int attempt = 0; attempt < n % 3; ++attempt) {
                ASSERT_TRUE(disturbed->step(body.system, b, attempt == 0 ? 0.5 * h : 1.3 * h, next).ok());
                disturbed->rejected();
            }
            b = after(*disturbed, body.system, b, 1);
            EXPECT_LT(difference(a, b), 1e-12) << method.info.id << ", step " << n;
        }
    }
}

TEST(StepHistory, ResetIsANewBeginning) {
    const Body body;
    for (const Method& method : methods()) {
        const auto used = method.make(exact), fresh = method.make(exact);
        State state = after(*used, body.system, body.start, 9);
        used->reset();
        EXPECT_LT(difference(after(*used, body.system, state, 8), after(*fresh, body.system, state, 8)), 1e-12) << method.info.id;
    }
}

// Multistep methods notice by themselves that a state is not the one they returned.
TEST(StepHistory, AForeignStateIsANewBeginning) {
    const Body body;
    for (const char* id : {"adams2", "adams4", "bdf2", "bdf3", "bdf6", "epi3", "epi3-leapfrog", "euler", "rk4", "rk45", "v-imex", "imex"}) {
        const Method& method = *find_method(id);
        const auto used = method.make(exact), fresh = method.make(exact);
        State state = after(*used, body.system, body.start, 9);
        state.v *= 0.5;
        EXPECT_LT(difference(after(*used, body.system, state, 8), after(*fresh, body.system, state, 8)), 1e-12) << id;
    }
}

// Landing on a frame rounds the time; that is no foreign state. A new beginning would show in the number of solves.
TEST(StepHistory, ATimeThatWasRoundedIsNoNewBeginning) {
    const Body body;
    const auto bdf = find_method("bdf4")->make(exact);
    State state = after(*bdf, body.system, body.start, 6), next = state;
    state.t *= 1 + 1e-12;
    const StepReport report = bdf->step(body.system, state, h, next);
    EXPECT_LE(report.newton_iterations, 6) << "six stages of extrapolation take more";
}

TEST(StepHistory, PinsKeepTheirVelocityDuringAStepAndTheMethodItsPast) {
    const Body body;
    for (const Method& method : methods()) {
        const auto integrator = method.make(exact);
        State state = body.start, next = state;
        for (int n = 0; n < 12; ++n) {
            const Vec3 u(0.3 * std::sin(n), 0.2, -0.1 * n);
            for (int i = 0; i < body.system.particles(); ++i)
                if (body.system.pinned()[i]) particle(state.v, i) = u;
            ASSERT_TRUE(integrator->step(body.system, state, h, next).ok()) << method.info.id;
            for (int i = 0; i < body.system.particles(); ++i)
                if (body.system.pinned()[i]) {
                    EXPECT_LT((particle(next.q, i) - particle(state.q, i) - h * u).norm(), 1e-14) << method.info.id;
                    EXPECT_LT((particle(next.v, i) - u).norm(), 1e-12) << method.info.id;
                }
            std::swap(state, next);
        }
    }
}

// A body carried along by its pins moves on a straight line.
TEST(StepHistory, ABodyCarriedAlongIsNotDisturbed) {
    const Body body(0);
    for (const Method& method : methods()) {
        const Vec3 u(1, 2, -0.5);
        State state{0, body.system.rest(), VecX(body.start.v.size())};
        for (int i = 0; i < body.system.particles(); ++i) particle(state.v, i) = u;
        const auto integrator = method.make(exact);
        const State end = after(*integrator, body.system, state, 10);
        // Linearly implicit Euler linearises where the pins are at the end of the step and the body at its beginning.
        const double slack = method.info.id == std::string("linear-implicit-euler") ? 1e6 : 1;
        for (int i = 0; i < body.system.particles(); ++i) {
            EXPECT_LT((particle(end.q, i) - particle(state.q, i) - 10 * h * u).norm(), 1e-11 * slack) << method.info.id;
            EXPECT_LT((particle(end.v, i) - u).norm(), 1e-8 * slack) << method.info.id;
        }
    }
}

// A force from outside that changes between steps acts at once, also where forces are remembered.
TEST(StepHistory, AChangedExternalForceActsAtOnce) {
    for (const Method& method : methods()) {
        Body body;
        const auto used = method.make(exact);
        const State state = after(*used, body.system, body.start, 9);
        State with = state, without = state;
        const auto remembered = method.make(exact);
        ASSERT_LT(difference(after(*remembered, body.system, body.start, 9), state), 1e-12);
        used->step(body.system, state, h, without);
        body.system.external_force().tail<3>() = Vec3(50, 0, 0);
        remembered->step(body.system, state, h, with);
        const double gained = (with.v - without.v)[with.v.size() - 3], whole = h * 50 * body.system.inverse_mass().tail<1>()[0];
        EXPECT_GT(gained, 0.3 * whole) << method.info.id;
        EXPECT_LT(gained, 2.5 * whole) << method.info.id;
    }
}

TEST(Threads, EveryMethodGivesTheSameBitsForAnyNumberOfThem) {
    const TetMesh mesh = support::box_tets(5, 2, 2);
    for (const Method& method : methods()) {
        State end[3];
        for (int threads = 1; threads <= 3; ++threads) {
            const MechanicalSystem system = support::cantilever(mesh, {.stiffness = 3e3, .damping = 1e-4}, threads);
            const auto integrator = method.make({});
            end[threads - 1] = after(*integrator, system, {0, support::positions(mesh), support::random_velocity(system, 0.5, 3)}, 4, 2e-4);
        }
        for (const int other : {1, 2}) EXPECT_TRUE(end[0].q == end[other].q && end[0].v == end[other].v) << method.info.id;
    }
}

// (M + h D + h^2 K) (v+ - v) = h (f - D v - h K v), with dense matrices.
TEST(LinearImplicitEuler, SolvesTheEquationOfBaraffAndWitkin) {
    const TetMesh mesh = support::box_tets(2, 1, 1);
    const MechanicalSystem system =
        support::cantilever(mesh, {.stiffness = 3e3, .edge_stiffness = 3e2, .damping = 2e-3, .mass_damping = 0.5}, 1);
    State in{0, support::positions(mesh) + 0.02 * support::random_velocity(system, 1, 5), support::random_velocity(system, 0.5, 3)},
        out = in;
    const double step = 0.02;
    ASSERT_TRUE(find_method("linear-implicit-euler")->make(exact)->step(system, in, step, out).ok());

    const int n = static_cast<int>(in.q.size());
    BlockMatrix block(system.pattern());
    system.stiffness(in.q, block);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    const BlockPattern& pattern = block.pattern();
    for (int i = 0; i < pattern.rows(); ++i)
        for (int k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) K.block<3, 3>(3 * i, 3 * pattern.column[k]) = block.at(k);
    const Eigen::MatrixXd M = system.mass().asDiagonal(), D = system.alpha() * M + system.beta() * K;
    VecX f(n);
    system.elastic_force(in.q, f);
    const Eigen::MatrixXd A = M + step * D + step * step * K;
    const VecX b = step * (f - D * in.v - step * K * in.v);
    std::vector<int> free;
    for (int k = 0; k < n; ++k)
        if (system.inverse_mass()[k] > 0) free.push_back(k);
    const VecX dv = A(free, free).ldlt().solve(b(free));
    EXPECT_LT((out.v(free) - in.v(free) - dv).norm(), 1e-9 * dv.norm());
    EXPECT_LT((out.q - in.q - step * out.v).norm(), 1e-12);
}

}  // namespace
}  // namespace wobble
