// Newton's method on the implicit stage: every pair of solvers reaches the same solution; every way to fail is provoked and explained.
#include "engine/solve/newton/newton.h"
#include "engine/integrate/implicit_stage.h"
#include "engine/solve/linear/linear_jacobian_solver.h"
#include "engine/solve/newton/lbfgs_solver.h"
#include "tests/solve/step_problem.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace wobble {
namespace {

using support::Held;

constexpr double g = 0.01;

struct Stage {
    MechanicalSystem system;
    VecX q, v;
    explicit Stage(const Material& material, double speed = 3, Held held = Held::and_sliding)
        : system(support::constrained_box(held, material)), q(system.rest()), v(VecX::Zero(q.size())) {
        for (int i = 0; i < system.particles(); ++i) particle(v, i) = speed * q[3 * i] * Vec3(0.1, 1 - q[3 * i + 2], 0.4);
        system.constraints().project(v);
    }

    // G(x) of the stage equation, written out.
    VecX residual(const VecX& x) const {
        VecX f(x.size()), d(x.size());
        system.elastic_force(x, f);
        system.damping_force(x, x - q, d);
        VecX G = system.mass().cwiseProduct(x - q - g * v) - g * g * (f + system.external_force()) - g * d;
        system.constraints().project(G);
        return G;
    }
};

struct Pair {
    SolverInfo<NonlinearSolver> nonlinear;
    SolverInfo<LinearSolver> linear;
};
std::vector<Pair> pairs() {
    std::vector<Pair> all;
    for (const auto& nonlinear : nonlinear_solvers())
        for (const auto& linear : linear_solvers()) all.push_back({nonlinear, linear});
    return all;
}
class Solvers : public testing::TestWithParam<Pair> {};

TEST_P(Solvers, ReachTheSameSolution) {
    const auto [nonlinear, linear] = GetParam();
    for (const double damping : {0.0, 2e-3}) {
        const Stage stage({.stiffness = 1e5, .edge_stiffness = 1e4, .damping = damping, .mass_damping = 10 * damping});
        VecX exact = stage.q + g * stage.v, u = stage.v;
        StepReport report;
        ASSERT_TRUE(ImplicitStage({.tolerance = 1e-13}).solve(stage.system, stage.q, stage.v, g, exact, u, report));
        const VecX difference = exact - stage.q - g * stage.v;
        const double change = std::sqrt(2 * stage.system.kinetic_energy(difference));

        for (const double tolerance : {1e-4, 1e-8}) {
            ImplicitStage solver({.tolerance = tolerance, .nonlinear = nonlinear.kind, .linear = linear.kind});
            VecX x = stage.q + g * stage.v;
            u = stage.v;
            report = {};
            ASSERT_TRUE(solver.solve(stage.system, stage.q, stage.v, g, x, u, report)) << report.message;
            EXPECT_LT(std::sqrt(2 * stage.system.kinetic_energy(x - exact)), 2 * tolerance * change) << "damping " << damping;
            VecX velocity = (x - stage.q) / g - u;
            stage.system.constraints().project(velocity);
            EXPECT_LT(velocity.norm(), 1e-12 * u.norm());
            EXPECT_GT(report.newton_iterations, 1);
            // `automatic` factors a matrix that stays.
            const bool direct = linear.kind == LinearSolver::cholesky ||
                                (linear.kind == LinearSolver::automatic && nonlinear.kind == NonlinearSolver::simplified);
            EXPECT_EQ(report.linear_iterations > 0, !direct);
            EXPECT_EQ(report.operator_products, report.linear_iterations);
        }
    }
}

// One iteration from the start value, whatever it is: x = start - A^-1 G(start).
TEST_P(Solvers, TakeExactlyOneIterationWhenAsked) {
    const auto [nonlinear, linear] = GetParam();
    const Stage stage({.stiffness = 1e5, .edge_stiffness = 1e4});
    BlockMatrix A(stage.system.pattern());
    if (nonlinear.kind == NonlinearSolver::simplified) stage.system.linear_stiffness(A);
    else stage.system.stiffness(stage.q, A);
    const support::MatX J = support::MatX(stage.system.mass().asDiagonal()) + g * g * support::dense(A);
    const VecX p = support::filtered_solution(J, support::projector(stage.system.constraints()), -stage.residual(stage.q));
    ImplicitStage solver({.tolerance = 1e-9, .nonlinear = nonlinear.kind, .linear = linear.kind});
    VecX x = stage.q, u = stage.v;
    StepReport report;
    ASSERT_TRUE(solver.solve(stage.system, stage.q, stage.v, g, x, u, report, 1));
    EXPECT_LT((x - stage.q - p).norm(), 1e-6 * p.norm());
    EXPECT_EQ(report.newton_iterations, 1);
    EXPECT_EQ(report.force_evaluations, 1);
}

INSTANTIATE_TEST_SUITE_P(EveryPair, Solvers, testing::ValuesIn(pairs()), [](const auto& test) {
    return support::identifier(std::string(test.param.nonlinear.id) + "_" + test.param.linear.id);
});

TEST(Newton, ForcingTermsTradeLinearForNewtonIterations) {
    const Stage stage({.stiffness = 1e5, .edge_stiffness = 1e4}, 1);
    std::map<NonlinearSolver, StepReport> reports;
    for (const auto& nonlinear : nonlinear_solvers()) {
        ImplicitStage solver({.tolerance = 1e-10, .nonlinear = nonlinear.kind, .linear = LinearSolver::cg_block});
        VecX x = stage.q + g * stage.v, u = stage.v;
        ASSERT_TRUE(solver.solve(stage.system, stage.q, stage.v, g, x, u, reports[nonlinear.kind]))
            << nonlinear.id << ": " << reports[nonlinear.kind].message;
    }
    const auto &exact = reports[NonlinearSolver::newton], &inexact = reports[NonlinearSolver::inexact];
    const auto &superlinear = reports[NonlinearSolver::superlinear], &simplified = reports[NonlinearSolver::simplified];
    EXPECT_LT(exact.newton_iterations, inexact.newton_iterations);
    EXPECT_LT(superlinear.newton_iterations, inexact.newton_iterations);
    EXPECT_GT(exact.linear_iterations, superlinear.linear_iterations);
    EXPECT_GT(simplified.newton_iterations, inexact.newton_iterations);
}

// However good or bad the start value, the error left is what was asked for; in particular a start value whose error is near rounding is
// not kept, for it has the same sign in every step.
TEST(Newton, LeavesTheSameErrorWhateverTheStartValue) {
    for (const double damping : {0.0, 2e-3}) {
        const Stage stage({.stiffness = 1e3, .edge_stiffness = 1e2, .damping = damping}, 1);
        const auto norm = [&](const VecX& x) { return std::sqrt(2 * stage.system.kinetic_energy(x)); };
        VecX exact = stage.q + g * stage.v, u = stage.v;
        StepReport report;
        for (int n = 0; n < 3; ++n)
            ASSERT_TRUE(ImplicitStage({.tolerance = 1e-14}).solve(stage.system, stage.q, stage.v, g, exact, u = stage.v, report));
        VecX direction = stage.v;
        direction /= norm(direction);
        const double change = norm(exact - stage.q - g * stage.v), size = norm(stage.q);
        for (const auto& nonlinear : nonlinear_solvers()) {
            if (nonlinear.kind == NonlinearSolver::simplified) continue;  // its rate is too slow to leave much less than the floor
            for (const double tolerance : {1e-6, 1e-12})
                for (const double off : {1e-1, 1e-3, 1e-6, 1e-9, 1e-12, 8e-15}) {  // of the positions
                    VecX x = exact + off * size * direction;
                    u = stage.v;
                    ASSERT_TRUE(ImplicitStage({.tolerance = tolerance, .nonlinear = nonlinear.kind})
                                    .solve(stage.system, stage.q, stage.v, g, x, u, report))
                        << report.message;
                    EXPECT_LT(norm(x - exact), 2 * tolerance * change + 1e-15 * size)
                        << nonlinear.id << ", tolerance " << tolerance << ", off by " << off << ", damping " << damping;
                }
        }
    }
}

TEST(Newton, DoesNothingAtTheSolution) {
    const Stage stage({.stiffness = 1e5, .gravity = 0}, 0);
    VecX x = stage.q, u = stage.v;
    StepReport report;
    ASSERT_TRUE(ImplicitStage({}).solve(stage.system, stage.q, stage.v, g, x, u, report));
    EXPECT_EQ(report.newton_iterations, 0);
    EXPECT_EQ(x, stage.q);
}

// The constant matrix with secant updates ends where Newton does: a stiff body, and one that is bent by more than its thickness and fast.
TEST(Simplified, ReachesNewtonsSolution) {
    for (const double damping : {0.0, 1e-3})
        for (const bool stiff : {true, false}) {
            Stage stage(stiff ? Material{.stiffness = 1e6, .edge_stiffness = 1e5, .damping = damping}
                              : Material{.stiffness = 1e4, .edge_stiffness = 1e3, .damping = damping, .spring_damping = damping},
                        stiff ? 3 : 10);
            if (!stiff) {
                VecX moved = support::bent(stage.system, 0.8) - stage.q;
                stage.system.constraints().project(moved);
                stage.q += moved;
            }
            std::map<NonlinearSolver, VecX> found;
            for (const auto kind : {NonlinearSolver::newton, NonlinearSolver::simplified}) {
                VecX x = stage.q + g * stage.v, u = stage.v;
                StepReport report;
                ASSERT_TRUE(ImplicitStage({.tolerance = 1e-10, .nonlinear = kind}).solve(stage.system, stage.q, stage.v, g, x, u, report))
                    << report.message;
                found[kind] = x;
            }
            const VecX& x = found[NonlinearSolver::newton];
            const VecX change = x - stage.q - g * stage.v, apart = found[NonlinearSolver::simplified] - x;
            EXPECT_GT(change.norm(), 0.01 * g * stage.v.norm());
            EXPECT_LT(std::sqrt(stage.system.kinetic_energy(apart)), 2e-10 * std::sqrt(stage.system.kinetic_energy(change)))
                << (stiff ? "stiff" : "bent") << ", damping " << damping;
        }
}

// A force evaluation and a solve with the constant factor are all an iteration costs, and one factorisation lasts for all steps.
TEST(Simplified, TakesOneEvaluationPerIterationAndOneFactorisation) {
    const Stage stage({.stiffness = 1e5, .edge_stiffness = 1e4}, 1);
    ImplicitStage solver({.nonlinear = NonlinearSolver::simplified});
    for (int n = 0; n < 3; ++n) {
        VecX x = stage.q + g * stage.v, u = stage.v;
        StepReport report;
        ASSERT_TRUE(solver.solve(stage.system, stage.q, stage.v, g, x, u, report)) << report.message;
        EXPECT_EQ(report.factorizations, n == 0 ? 1 : 0);
        EXPECT_LE(report.force_evaluations, 1.25 * report.newton_iterations + 1);
    }
}

struct UndampedStage : NewtonProblem {
    const Stage& stage;
    explicit UndampedStage(const Stage& s) : stage(s) {}
    double value(const VecX& x) override {
        const MechanicalSystem& system = stage.system;
        return system.kinetic_energy(x - stage.q - g * stage.v) + g * g * (system.elastic_energy(x) + system.gravity_energy(x));
    }
    void gradient(const VecX& x, VecX& G) override { G = stage.residual(x); }
    bool gradient_changes_value() const override { return false; }
    double residual(const VecX& G) override { return std::sqrt(G.dot(stage.system.inverse_mass().cwiseProduct(G))); }
    double progress(const VecX& x) override { return std::sqrt(2 * stage.system.kinetic_energy(x - stage.q - g * stage.v)); }
};

TEST(Simplified, NeedsFewerIterationsThanWithoutSecants) {
    const Stage stage({.stiffness = 1e5, .edge_stiffness = 1e4}, 1);
    UndampedStage problem(stage);
    LinearJacobianSolver jacobian(stage.system, LinearSolver::cholesky);
    LbfgsSolver secants(jacobian);
    std::map<bool, NewtonReport> reports;
    for (const bool accelerated : {false, true}) {
        // Each with the matrix that suits it: without secants only the bound of the stiffness contracts.
        jacobian.begin(stage.system, g, accelerated ? LinearJacobianSolver::mean : LinearJacobianSolver::bound);
        secants.begin();
        VecX x = stage.q + g * stage.v;
        DirectionSolver& directions = accelerated ? static_cast<DirectionSolver&>(secants) : jacobian;
        reports[accelerated] = Newton().minimize(
            problem, directions, {.kind = NonlinearSolver::simplified, .tolerance = 1e-8, .floor = 1e-15, .max_iterations = 2000}, x);
        EXPECT_EQ(reports[accelerated].outcome, NewtonReport::Outcome::converged);
    }
    EXPECT_LT(3 * reports[true].iterations, reports[false].iterations);
}

// phi(x) = sum sqrt(1 + x^2): from beyond |x| = 1 the undamped iteration diverges, the line search must hold it back.
struct Valley : NewtonProblem, DirectionSolver {
    double length = 1;     // of the directions, beside Newton's
    bool growing = false;  // directions get longer and longer
    int directions = 0;
    double value(const VecX& q) override { return (1 + q.array().square()).sqrt().sum(); }
    void gradient(const VecX& q, VecX& G) override { G = q.array() / (1 + q.array().square()).sqrt(); }
    bool gradient_changes_value() const override { return false; }
    double residual(const VecX& G) override { return 1e3 * G.norm(); }
    double progress(const VecX&) override { return 1; }
    LinearReport direction(const VecX& q, const VecX& G, double, VecX& p) override {
        ++directions;
        p = -length * (1 + q.array().square()).pow(1.5) * G.array();
        if (growing) p = -std::pow(4.0, directions) * 1e-8 * G;
        return {};
    }
};

TEST(Newton, IsHeldBackByTheLineSearch) {
    Valley valley;
    VecX q = VecX::Constant(3, 4.0);
    const NewtonReport report = Newton().minimize(valley, valley, {.tolerance = 1e-10}, q);
    EXPECT_EQ(report.outcome, NewtonReport::Outcome::converged);
    EXPECT_LT(q.norm(), 1e-10);
}

TEST(Newton, NoticesEarlyThatItDoesNotContract) {
    Valley valley;
    valley.growing = true;
    VecX q = VecX::Constant(3, 0.5);
    const NewtonReport report = Newton().minimize(valley, valley, {}, q);
    EXPECT_EQ(report.outcome, NewtonReport::Outcome::no_contraction);
    EXPECT_LE(report.iterations, 6);
}

TEST(Newton, NoticesThatItIsTooSlow) {
    Valley valley;
    valley.length = 0.05;
    VecX q = VecX::Constant(3, 0.1);
    const NewtonReport report = Newton().minimize(valley, valley, {}, q);
    EXPECT_EQ(report.outcome, NewtonReport::Outcome::no_contraction);
    EXPECT_LE(report.iterations, 12);
}

TEST(Newton, SaysThatNoDirectionDescends) {
    Valley valley;
    valley.length = -1e3;
    VecX q = VecX::Constant(3, 0.5);
    EXPECT_EQ(Newton().minimize(valley, valley, {}, q).outcome, NewtonReport::Outcome::no_descent);
}

class Failure : public testing::TestWithParam<SolverInfo<LinearSolver>> {};

TEST_P(Failure, OfNewtonIsSaidAndForgotten) {
    const Stage stage({.stiffness = 1e8, .edge_stiffness = 1e7}, 300);
    const VecX q = stage.q, v = stage.v;
    VecX x = q + g * v, u = v;
    StepReport report;
    ImplicitStage solver({.tolerance = 1e-10, .linear = GetParam().kind});
    EXPECT_FALSE(solver.solve(stage.system, q, v, g, x, u, report, 2));
    EXPECT_EQ(report.status, StepStatus::newton_diverged);
    EXPECT_NE(report.message.find("2 iterations"), std::string::npos) << report.message;
    EXPECT_NE(report.message.find("try a smaller step"), std::string::npos) << report.message;

    // And it is as good as new afterwards.
    const Stage calm({.stiffness = 1e5, .edge_stiffness = 1e4}, 1);
    x = calm.q, u = calm.v, report = {};
    EXPECT_TRUE(solver.solve(calm.system, calm.q, calm.v, g, x, u, report)) << report.message;
    ImplicitStage fresh({.tolerance = 1e-10, .linear = GetParam().kind});
    VecX expected = calm.q, expected_u = calm.v;
    EXPECT_TRUE(fresh.solve(calm.system, calm.q, calm.v, g, expected, expected_u, report));
    EXPECT_LT((x - expected).norm(), 1e-9 * (expected - calm.q).norm());
}

TEST_P(Failure, OfTheForcesIsSaid) {
    const Stage stage({.stiffness = 1e5});
    VecX x = stage.q, u = stage.v;
    x[3 * stage.system.particles() - 1] = std::numeric_limits<double>::quiet_NaN();
    StepReport report;
    EXPECT_FALSE(ImplicitStage({.linear = GetParam().kind}).solve(stage.system, stage.q, stage.v, g, x, u, report));
    EXPECT_EQ(report.status, StepStatus::not_finite);
    EXPECT_FALSE(report.message.empty());
}

INSTANTIATE_TEST_SUITE_P(EverySolver, Failure, testing::ValuesIn(linear_solvers().begin(), linear_solvers().end()),
                         [](const auto& test) { return support::identifier(test.param.id); });

// A tolerance far below rounding: no solver reaches it.
TEST(Failure, OfConjugateGradientsNamesThePreconditionerAndTheRemedy) {
    const Stage stage({.stiffness = 1e10, .edge_stiffness = 1e9}, 1, Held::end);
    VecX x = stage.q, u = stage.v;
    const VecX q = stage.q, v = stage.v;
    StepReport report;
    ImplicitStage solver({.tolerance = 1e-140, .linear = LinearSolver::cg});
    EXPECT_FALSE(solver.solve(stage.system, q, v, g, x, u, report));
    EXPECT_EQ(report.status, StepStatus::cg_stagnated) << report.message;
    EXPECT_NE(report.message.find("CG did not solve a linear system within "), std::string::npos) << report.message;
    EXPECT_NE(report.message.find("rotated rest factor"), std::string::npos) << report.message;
}

// Edges that push apart when they are stretched: the matrix has large negative eigenvalues. Newton's line search can live with a
// shifted diagonal; a method of one iteration cannot and says so.
TEST(Failure, OfAnIndefiniteMatrixIsSaid) {
    const Stage stage({.stiffness = 1e5, .edge_stiffness = -1e6}, 1, Held::end);
    for (const auto& linear : linear_solvers()) {
        if (linear.kind == LinearSolver::cg_rest) continue;
        const VecX q = stage.q, v = stage.v;
        VecX x = stage.q, u = stage.v;
        StepReport report;
        EXPECT_FALSE(ImplicitStage({.linear = linear.kind}).solve(stage.system, q, v, g, x, u, report, 1)) << linear.id;
        EXPECT_EQ(report.status, StepStatus::factorization_failed) << report.message;
        EXPECT_NE(report.message.find("indefinite"), std::string::npos) << report.message;
    }
}

TEST(Failure, StopRequestEndsTheSolve) {
    std::stop_source source;
    const MechanicalSystem system =
        support::constrained_box(Held::end, {.stiffness = 1e6}, std::make_shared<Workers>(2, source.get_token()));
    source.request_stop();
    for (const auto& linear : linear_solvers()) {
        VecX x = system.rest(), u = VecX::Zero(x.size());
        StepReport report;
        EXPECT_FALSE(ImplicitStage({.linear = linear.kind}).solve(system, system.rest(), u, g, x, u, report));
        EXPECT_NE(report.message.find("stopped"), std::string::npos);
        EXPECT_EQ(report.newton_iterations, 0);
    }
}

}  // namespace
}  // namespace wobble
