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
    }

    // The velocity of the held end during step n: at rest, carried along, turned round.
    static Vec3 pull(int n) { return n < 3 ? Vec3::Zero().eval() : n < 9 ? Vec3(0.1, 0.2, -0.1) : Vec3(-0.3, 0.1, 0.2); }
    static Vec3 stop(int n) { return n < 2 ? Vec3(0.1, 0.2, -0.1) : Vec3::Zero().eval(); }

    State run(const char* id, const SolverOptions& options, int steps, double h, int parts = 1, Vec3 (*pull_at)(int) = pull) const {
        const auto method = find_method(id)->make({.solver = options});
        State state = start, next = start;
        for (int n = 0; n < steps * parts; ++n) {
            for (int i = 0; i < system.particles(); ++i)
                if (system.pinned()[i]) particle(state.v, i) = pull_at(n / parts);
            const StepReport report = method->step(system, state, h / parts, next);
            EXPECT_TRUE(report.ok()) << report.message;
            std::swap(state, next);
        }
        return state;
    }

    // Forbidden directions have gone where they were pulled to, and nowhere else.
    void expect_constraints_kept(const State& state, int steps, double h, const char* id) const {
        Vec3 way = Vec3::Zero();
        for (int n = 0; n < steps; ++n) way += h * pull(n);
        for (int i = 0; i < system.particles(); ++i) {
            const Constraint* constraint = system.constraints().of(i);
            if (!constraint) continue;
            const Mat3 forbidden = Mat3::Identity() - constraint->allowed;
            const bool held = system.pinned()[i];
            const Vec3 straight = particle(start.q, i) + (held ? way : Vec3::Zero().eval()),
                       u = held ? pull(steps - 1) : Vec3::Zero().eval();
            EXPECT_LT((forbidden * (particle(state.q, i) - straight)).norm(), 1e-13) << id;
            EXPECT_LT((forbidden * (particle(state.v, i) - u)).norm(), 1e-12) << id;
        }
    }
};

class ConstrainedMotion : public testing::TestWithParam<SolverInfo<LinearSolver>> {};

TEST_P(ConstrainedMotion, IsTheSameWithEverySolver) {
    const Motion motion;
    const int steps = 15;
    const double h = 0.01;
    for (const char* id : {"implicit-euler", "implicit-midpoint", "tr-bdf2", "bdf2"}) {
        const State direct = motion.run(id, {.tolerance = 1e-10}, steps, h);
        const State state =
            motion.run(id, {.tolerance = 1e-10, .nonlinear = NonlinearSolver::superlinear, .linear = GetParam().kind}, steps, h);
        const double moved = (direct.q - motion.start.q).norm();
        EXPECT_LT((state.q - direct.q).norm(), 1e-7 * moved) << id;
        EXPECT_LT((state.v - direct.v).norm(), 1e-6 * direct.v.norm()) << id;
        motion.expect_constraints_kept(state, steps, h, id);
    }
}

// A method with a matrix of its own and the general ones: the same constrained motion in the limit of small steps.
TEST(ConstrainedMotion, IsThatOfAnExplicitMethodWithSmallSteps) {
    const Motion motion;
    const int steps = 15;
    const double h = 0.01;
    const State exact = motion.run("rk4", {}, steps, h, 80);
    for (const char* id : {"implicit-midpoint", "tr-bdf2", "bdf2", "v-imex"}) {
        const State coarse = motion.run(id, {.tolerance = 1e-10}, steps, h, 40), fine = motion.run(id, {.tolerance = 1e-10}, steps, h, 80);
        motion.expect_constraints_kept(fine, steps, h, id);
        const double moved = (exact.q - motion.start.q).norm();
        EXPECT_LT((fine.q - exact.q).norm(), 0.01 * moved) << id;
        EXPECT_LT((fine.q - exact.q).norm(), 0.35 * (coarse.q - exact.q).norm()) << id << ": second order";
    }
}

// Moving pins and sliding particles in exponential methods: the same motion, and at least second order.
TEST(ConstrainedMotion, OfExponentialMethodsIsThatOfAnExplicitOne) {
    const Motion motion;
    const int steps = 15;
    const double h = 0.01;
    const State exact = motion.run("rk4", {}, steps, h, 80);
    const double moved = (exact.q - motion.start.q).norm();
    for (const char* id : {"exprb2", "epi3", "epi3-leapfrog", "exprb42", "pexprb43", "epirk4s3", "gautschi"}) {
        const State coarse = motion.run(id, {.tolerance = 1e-9}, steps, h, 4), fine = motion.run(id, {.tolerance = 1e-9}, steps, h, 8);
        motion.expect_constraints_kept(fine, steps, h, id);
        EXPECT_LT((fine.q - exact.q).norm(), 0.01 * moved) << id;
        EXPECT_LT((fine.q - exact.q).norm(), 0.35 * (coarse.q - exact.q).norm() + 1e-7 * moved) << id << ": second order";
    }
}

// Looking back one step, past sliding particles, and past pins that have stopped.
TEST(ConstrainedMotion, OfTwoStepsHasItsOrder) {
    const Motion motion;
    const double h = 0.01;
    struct Case {
        Vec3 (*pull)(int);
        int steps;
        double ratio, of_exprb2;  // while pins move, its steps are exprb2's
    };
    for (const auto& [pull, steps, ratio, of_exprb2] : {Case{Motion::pull, 3, 0.17, 0.2}, Case{Motion::stop, 6, 0.3, 1}}) {
        const State exact = motion.run("rk4", {}, steps, h, 160, pull);
        const auto error = [&](const char* id, int parts) {
            return (motion.run(id, {.tolerance = 1e-10}, steps, h, parts, pull).q - exact.q).norm();
        };
        const double coarse = error("epi3", 16), fine = error("epi3", 32);
        EXPECT_LT(fine, ratio * coarse) << "errors " << coarse << " " << fine;
        EXPECT_LT(fine, of_exprb2 * error("exprb2", 32));
    }
}

INSTANTIATE_TEST_SUITE_P(EverySolver, ConstrainedMotion, testing::ValuesIn(linear_solvers().begin(), linear_solvers().end()),
                         [](const auto& test) { return support::identifier(test.param.id); });

}  // namespace
}  // namespace wobble
