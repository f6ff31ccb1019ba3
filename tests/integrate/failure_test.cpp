// Steps that fail, through the interface of the methods and with options the interface allows: the status, the remedy in the message, and
// that the next good step gives the same result as if nothing had happened.
#include "engine/integrate/methods.h"
#include "tests/solve/step_problem.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct Body {
    MechanicalSystem system;
    State start;
    explicit Body(const Material& material, std::shared_ptr<Workers> workers = std::make_shared<Workers>(1))
        : system(support::constrained_box(support::Held::end, material, std::move(workers))),
          start{0, system.rest(), VecX::Zero(3 * system.particles())} {
        for (int i = 0; i < system.particles(); ++i) particle(start.v, i) = start.q[3 * i] * Vec3(0.1, 1, 0.4);
    }
};

constexpr double h = 0.01;

struct Case {
    const char* name;
    const char* method;
    SolverOptions solver;
    double stiffness;
    double failing_step;
    StepStatus status;
    const char* remedy;
};

const Case cases[] = {
    {"ForcesOverflow", "implicit-euler", {}, 1e5, 1e160, StepStatus::not_finite, "try a smaller step"},
    {"ForcesOverflowInBdf", "bdf2", {}, 1e5, 1e160, StepStatus::not_finite, "try a smaller step"},
    {"SimplifiedNewtonDoesNotConvergeInBdf",
     "bdf3",
     {.tolerance = 1e-10, .nonlinear = NonlinearSolver::simplified},
     1e5,
     3,
     StepStatus::newton_diverged,
     "inexact Newton instead of simplified Newton"},
    {"NewtonDoesNotConverge", "implicit-midpoint", {}, 1e5, 1e4, StepStatus::newton_diverged, "try a smaller step"},
};

class FailedStep : public testing::TestWithParam<Case> {};

TEST_P(FailedStep, IsExplainedAndLeavesNoTrace) {
    const Case& c = GetParam();
    const Body body({.stiffness = c.stiffness, .edge_stiffness = c.stiffness / 10});
    const auto plain = find_method(c.method)->make({.solver = c.solver}), disturbed = find_method(c.method)->make({.solver = c.solver});
    State a = body.start, b = body.start, next = body.start;
    for (int n = 0; n < 6; ++n) {
        ASSERT_TRUE(plain->step(body.system, a, h, next).ok());
        std::swap(a, next);
        if (n % 2 == 1) {  // after a good step, and once more after one that followed a failure
            const StepReport failed = disturbed->step(body.system, b, c.failing_step, next);
            EXPECT_EQ(failed.status, c.status) << static_cast<int>(failed.status) << " " << failed.message;
            EXPECT_NE(failed.message.find(c.remedy), std::string::npos) << failed.message;
            disturbed->rejected();
        }
        const StepReport good = disturbed->step(body.system, b, h, next);
        ASSERT_TRUE(good.ok()) << good.message;
        std::swap(b, next);
        EXPECT_LT((a.q - b.q).norm(), 10 * c.solver.tolerance * h * a.v.norm()) << "step " << n;
        EXPECT_LT((a.v - b.v).norm(), 10 * c.solver.tolerance * a.v.norm()) << "step " << n;
        EXPECT_EQ(a.t, b.t);
    }
}

INSTANTIATE_TEST_SUITE_P(Every, FailedStep, testing::ValuesIn(cases), [](const auto& test) { return std::string(test.param.name); });

// A body pressed together to a third of its size gives way: a method of one iteration cannot live with its indefinite matrix.
TEST(FailedStep, OfAnIndefiniteMatrixIsSaidAndForgotten) {
    const Body body({.stiffness = 1e6, .edge_stiffness = 1e6});
    State pressed = body.start, next = pressed;
    pressed.q *= 0.3;
    for (const LinearSolver linear : {LinearSolver::cholesky, LinearSolver::cg_block, LinearSolver::cg_ssor}) {
        const auto used = find_method("linear-implicit-euler")->make({.solver = {.linear = linear}}),
                   fresh = find_method("linear-implicit-euler")->make({.solver = {.linear = linear}});
        const StepReport failed = used->step(body.system, pressed, 0.1, next);
        EXPECT_EQ(failed.status, StepStatus::factorization_failed) << failed.message;
        EXPECT_NE(failed.message.find("try a smaller step"), std::string::npos) << failed.message;
        used->rejected();
        State a = body.start, b = body.start;
        ASSERT_TRUE(used->step(body.system, body.start, h, a).ok());
        ASSERT_TRUE(fresh->step(body.system, body.start, h, b).ok());
        EXPECT_TRUE(a.q == b.q && a.v == b.v);
        const StepReport smaller = used->step(body.system, pressed, 1e-5, next);
        EXPECT_TRUE(smaller.ok()) << "the remedy helps: " << smaller.message;
    }
}

TEST(FailedStep, OfAStopRequestSaysSo) {
    std::stop_source source;
    const Body body({.stiffness = 1e5, .edge_stiffness = 1e4}, std::make_shared<Workers>(2, source.get_token()));
    const auto method = find_method("tr-bdf2")->make({});
    State next = body.start;
    ASSERT_TRUE(method->step(body.system, body.start, h, next).ok());
    source.request_stop();
    const StepReport report = method->step(body.system, body.start, h, next);
    EXPECT_FALSE(report.ok());
    EXPECT_NE(report.message.find("stopped"), std::string::npos) << report.message;
}

}  // namespace
}  // namespace wobble
