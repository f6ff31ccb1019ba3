// The same motion of a constrained body by elimination (Cholesky) and inside conjugate gradients (filtered), through the real method.
#include "engine/integrate/methods.h"
#include "tests/solve/step_problem.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct Motion {
    MechanicalSystem system =
        support::constrained_box(support::Held::and_sliding, {.stiffness = 2e4, .edge_stiffness = 2e3, .damping = 1e-4});
    State start;
    Motion() {
        start.q = system.rest();
        start.v = support::random_vector(start.q.size(), 0.05, 1);
        for (int i = 0; i < system.particles(); ++i) particle(start.v, i) += start.q[3 * i] * Vec3(0, 1, 0.5);
        system.constraints().project(start.v);
        // The held end is carried along: forbidden directions keep the velocity they are given.
        for (int i = 0; i < system.particles(); ++i)
            if (system.pinned()[i]) particle(start.v, i) = Vec3(0.1, 0.2, -0.1);
    }

    State run(const SolverOptions& options, int steps, double h) const {
        const auto method = find_method("implicit-euler")->make({.solver = options});
        State state = start, next = start;
        for (int n = 0; n < steps; ++n) {
            const StepReport report = method->step(system, state, h, next);
            EXPECT_TRUE(report.ok()) << report.message;
            std::swap(state, next);
        }
        return state;
    }
};

class ConstrainedMotion : public testing::TestWithParam<SolverInfo<LinearSolver>> {};

TEST_P(ConstrainedMotion, IsTheSameWithEverySolver) {
    const Motion motion;
    const int steps = 15;
    const double h = 0.01;
    const State direct = motion.run({.tolerance = 1e-10}, steps, h);
    const State state = motion.run({.tolerance = 1e-10, .nonlinear = NonlinearSolver::superlinear, .linear = GetParam().kind}, steps, h);
    const double moved = (direct.q - motion.start.q).norm();
    EXPECT_LT((state.q - direct.q).norm(), 1e-7 * moved);
    EXPECT_LT((state.v - direct.v).norm(), 1e-6 * direct.v.norm());
    for (int i = 0; i < motion.system.particles(); ++i) {
        const Constraint* constraint = motion.system.constraints().of(i);
        if (!constraint) continue;
        const Mat3 forbidden = Mat3::Identity() - constraint->allowed;
        const Vec3 straight = particle(motion.start.q, i) + steps * h * particle(motion.start.v, i);
        EXPECT_LT((forbidden * (particle(state.q, i) - straight)).norm(), 1e-13);
        EXPECT_LT((forbidden * (particle(state.v, i) - particle(motion.start.v, i))).norm(), 1e-13);
    }
}

INSTANTIATE_TEST_SUITE_P(EverySolver, ConstrainedMotion, testing::ValuesIn(linear_solvers().begin(), linear_solvers().end()),
                         [](const auto& test) { return support::identifier(test.param.id); });

}  // namespace
}  // namespace wobble
