#include "engine/integrate/extrapolation.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct Path {
    TetMesh mesh = support::box_tets(2, 1, 1);
    MechanicalSystem system = support::cantilever(mesh, {});
    VecX a = support::random_velocity(system, 1, 1), b = support::random_velocity(system, 1, 2), c = support::random_velocity(system, 1, 3);

    State at(double t) const { return {t, system.rest() + t * a + t * t * b + t * t * t * c, a + 2 * t * b + 3 * t * t * c}; }
    // Walks along the path with steps of changing size; returns the last time.
    double walk(Extrapolation& extrapolation, int steps) const {
        double t = 0;
        VecX q;
        for (int n = 0; n < steps; ++n, t += n % 2 ? 0.01 : 0.017) extrapolation.predict(system, at(t), 0.01, q);
        return t;
    }
};

TEST(Extrapolation, FollowsACubicExactlyWithChangingSteps) {
    const Path path;
    Extrapolation extrapolation;
    const double t = path.walk(extrapolation, 6);
    VecX q;
    for (const double after : {0.02, 0.005, 0.013}) {  // stages of one step
        extrapolation.predict(path.system, path.at(t), after, q);
        EXPECT_LT((q - path.at(t + after).q).norm(), 1e-12);
    }
}

TEST(Extrapolation, IsALineWithoutAPast) {
    const Path path;
    Extrapolation extrapolation;
    VecX q;
    const State state = path.at(0.3);
    extrapolation.predict(path.system, state, 0.1, q);
    EXPECT_LT((q - state.q - 0.1 * state.v).norm(), 1e-14);
    path.walk(extrapolation, 6);
    extrapolation.reset();
    extrapolation.predict(path.system, state, 0.1, q);
    EXPECT_LT((q - state.q - 0.1 * state.v).norm(), 1e-14);
}

TEST(Extrapolation, ForgetsWhatLiesAheadWhenTimeGoesBack) {
    const Path path;
    Extrapolation extrapolation;
    path.walk(extrapolation, 6);
    VecX q;
    const State state = path.at(0.0);
    extrapolation.predict(path.system, state, 0.1, q);
    EXPECT_LT((q - state.q - 0.1 * state.v).norm(), 1e-14);
}

TEST(Extrapolation, LeavesForbiddenDirectionsOnTheLine) {
    Path path;
    for (int i = 0; i < path.system.particles(); ++i) particle(path.b, i) = Vec3(1, 2, 3);  // the held ones, too
    Extrapolation extrapolation;
    const double t = path.walk(extrapolation, 6);
    const State state = path.at(t);
    VecX q;
    extrapolation.predict(path.system, state, 0.1, q);
    int held = 0;
    for (int i = 0; i < path.system.particles(); ++i) {
        if (!path.system.pinned()[i]) continue;
        EXPECT_LT((particle(q, i) - particle(state.q, i) - 0.1 * particle(state.v, i)).norm(), 1e-14);
        ++held;
    }
    EXPECT_GT(held, 0);
}

// Positions that jump to and fro, as stiff modes do under the midpoint rule: polynomials would amplify them.
TEST(Extrapolation, FallsBackToTheLineWhenPolynomialsMislead) {
    const Path path;
    Extrapolation extrapolation;
    VecX q;
    State state = path.at(0);
    for (int n = 0; n < 8; ++n) {
        state.t = 0.01 * n;
        state.q = path.system.rest() + (n % 2 ? 1e-3 : -1e-3) * path.a;
        state.v.setZero();
        extrapolation.predict(path.system, state, 0.01, q);
        EXPECT_EQ(q, state.q) << n;
    }
}

}  // namespace
}  // namespace wobble
