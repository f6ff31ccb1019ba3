// Every linear solver finds the same direction, with every kind of constraint, and says when it cannot.
#include "engine/solve/linear/linear_jacobian_solver.h"
#include "engine/solve/linear/step_matrix_solver.h"
#include "tests/solve/step_problem.h"

#include <gtest/gtest.h>

#include <map>

namespace wobble {
namespace {

using support::Held;
using support::MatX;

constexpr double g = 0.01;

VecX random_gradient(const MechanicalSystem& system) {
    VecX G = support::random_vector(3 * system.particles(), 1, 11);
    system.constraints().project(G);
    return G;
}

class Linear : public testing::TestWithParam<SolverInfo<LinearSolver>> {};

TEST_P(Linear, FindsTheFilteredSolution) {
    for (const Held held : {Held::nothing, Held::end, Held::and_sliding}) {
        const MechanicalSystem system = support::constrained_box(held, {.stiffness = 1e6, .edge_stiffness = 1e5, .damping = 1e-3});
        const VecX q = support::bent(system, 0.05), G = random_gradient(system);
        BlockMatrix A(system.pattern());
        system.step_matrix(q, 1, g * g, g, A);
        const VecX expected = support::filtered_solution(support::dense(A), support::projector(system.constraints()), -G);
        StepMatrixSolver solver(system, GetParam().kind);
        solver.begin(system, g);
        VecX p(q.size());
        const LinearReport report = solver.direction(q, G, 1e-10, p);
        ASSERT_EQ(report.outcome, LinearReport::Outcome::solved);
        EXPECT_EQ(report.shift, 0);
        EXPECT_LT((p - expected).norm(), 1e-7 * expected.norm()) << "constraints " << static_cast<int>(held);
        VecX allowed = p;
        system.constraints().project(allowed);
        EXPECT_LT((p - allowed).norm(), 1e-12 * p.norm());
        EXPECT_EQ(report.iterations > 0, GetParam().kind != LinearSolver::cholesky);
    }
}

TEST_P(Linear, SolvesWithTheConstantJacobianOfScalars) {
    for (const Held held : {Held::nothing, Held::end, Held::and_sliding}) {
        MechanicalSystem system =
            support::constrained_box(held, {.stiffness = 1e6, .edge_stiffness = 1e5, .damping = 1e-3, .mass_damping = 0.5});
        LinearJacobianSolver solver(system, GetParam().kind);
        const VecX G = random_gradient(system);
        VecX p(G.size());
        long factorizations = 0;
        for (const double stiffness : {1e6, 1e6, 3e6}) {  // the second time nothing is made anew, the third time it is
            Material material = system.material();
            material.stiffness = stiffness;
            system.set_material(material);
            BlockMatrix K(system.pattern());
            system.linear_stiffness(K);
            const MatX J = (1 + g * 0.5) * MatX(system.mass().asDiagonal()) + (g * g + g * 1e-3) * support::dense(K);
            const VecX expected = support::filtered_solution(J, support::projector(system.constraints()), -G);
            solver.begin(system, g);
            const LinearReport report = solver.direction(system.rest(), G, 1e-10, p);
            ASSERT_EQ(report.outcome, LinearReport::Outcome::solved);
            EXPECT_LT((p - expected).norm(), 1e-7 * expected.norm()) << "constraints " << static_cast<int>(held);
            factorizations += report.factorizations;
        }
        const bool factors = GetParam().kind == LinearSolver::automatic || GetParam().kind == LinearSolver::cholesky ||
                             GetParam().kind == LinearSolver::cg_rest;
        EXPECT_EQ(factorizations, factors ? 2 : 0);
    }
}

// The error estimate of conjugate gradients: what was asked for is delivered in the energy norm, by every preconditioner, for loads that
// live in stiff and in soft motion (gravity on a long beam: the error hides in the softest modes).
TEST_P(Linear, KeepsTheErrorItWasAskedFor) {
    for (const double stiffness : {1e4, 1e7, 1e10}) {
        const MechanicalSystem system =
            support::cantilever(support::box_tets(14, 1, 1, 0.1), {.stiffness = stiffness, .edge_stiffness = stiffness / 10});
        VecX q = system.rest();
        for (int i = 0; i < system.particles(); ++i) q[3 * i + 1] += 0.01 * q[3 * i] * q[3 * i];
        BlockMatrix A(system.pattern());
        system.step_matrix(q, 1, g * g, g, A);
        const MatX P = support::projector(system.constraints()), PAP = P * support::dense(A) * P;
        VecX gravity(q.size()), p(q.size());
        system.elastic_force(system.rest(), gravity);
        system.constraints().project(gravity);
        for (const VecX& G : {random_gradient(system), gravity}) {
            const VecX expected = support::filtered_solution(support::dense(A), P, -G);
            StepMatrixSolver solver(system, GetParam().kind);
            for (const double error : {2e-2, 1e-4, 1e-8}) {
                solver.begin(system, g);
                const LinearReport report = solver.direction(q, G, error, p);
                ASSERT_EQ(report.outcome, LinearReport::Outcome::solved);
                ASSERT_EQ(report.shift, 0);
                const VecX e = p - expected;
                EXPECT_LT(std::sqrt(std::abs(e.dot(PAP * e)) / expected.dot(PAP * expected)), 5 * error)
                    << "stiffness " << stiffness << " asked " << error << " iterations " << report.iterations;
            }
        }
    }
}

// Pressed to a third of its size the body's tangent has negative eigenvalues: the direction must descend all the same.
TEST_P(Linear, CorrectsAnIndefiniteMatrix) {
    const MechanicalSystem system = support::constrained_box(Held::and_sliding, {.stiffness = 1e7, .edge_stiffness = 1e6});
    const VecX q = 0.3 * system.rest() + support::random_vector(3 * system.particles(), 0.01, 3), G = random_gradient(system);
    BlockMatrix A(system.pattern());
    system.step_matrix(q, 1, g * g, g, A);
    system.constraints().eliminate(system.workers(), A);
    ASSERT_LT(Eigen::SelfAdjointEigenSolver<MatX>(support::dense(A)).eigenvalues().minCoeff(), 0);
    StepMatrixSolver solver(system, GetParam().kind);
    solver.begin(system, g);
    VecX p(q.size());
    const LinearReport report = solver.direction(q, G, 1e-6, p);
    ASSERT_EQ(report.outcome, LinearReport::Outcome::solved);
    EXPECT_GT(report.shift, 0);
    EXPECT_LT(G.dot(p), 0);
}

TEST_P(Linear, GivesTheSameBitsForAnyNumberOfThreads) {
    VecX first;
    for (const int threads : {1, 2, 3}) {
        const MechanicalSystem system =
            support::constrained_box(Held::and_sliding, {.stiffness = 1e6, .edge_stiffness = 1e5}, std::make_shared<Workers>(threads));
        StepMatrixSolver solver(system, GetParam().kind);
        solver.begin(system, g);
        VecX p(3 * system.particles());
        solver.direction(support::bent(system, 0.05), random_gradient(system), 1e-6, p);
        if (threads == 1) first = p;
        EXPECT_EQ(p, first) << threads;
    }
}

TEST(LinearSolvers, StopWhenAsked) {
    std::stop_source source;
    const MechanicalSystem system =
        support::constrained_box(Held::end, {.stiffness = 1e6}, std::make_shared<Workers>(2, source.get_token()));
    source.request_stop();
    for (const auto& info : linear_solvers()) {
        if (info.kind == LinearSolver::cholesky) continue;  // one factorisation is not interrupted
        StepMatrixSolver solver(system, info.kind);
        solver.begin(system, g);
        VecX p(3 * system.particles());
        EXPECT_EQ(solver.direction(system.rest(), random_gradient(system), 1e-6, p).outcome, LinearReport::Outcome::stopped) << info.id;
    }
}

INSTANTIATE_TEST_SUITE_P(EverySolver, Linear, testing::ValuesIn(linear_solvers().begin(), linear_solvers().end()),
                         [](const auto& test) { return support::identifier(test.param.id); });

TEST(LinearSolvers, BetterPreconditionersNeedFewerIterations) {
    const MechanicalSystem system = support::constrained_box(Held::end, {.stiffness = 1e7, .edge_stiffness = 1e6});
    const VecX q = support::bent(system, 0.05), G = random_gradient(system);
    std::map<LinearSolver, int> iterations;
    VecX p(q.size());
    for (const auto& info : linear_solvers()) {
        StepMatrixSolver solver(system, info.kind);
        solver.begin(system, g);
        iterations[info.kind] = solver.direction(q, G, 1e-6, p).iterations;
    }
    EXPECT_GE(iterations[LinearSolver::cg], iterations[LinearSolver::cg_diagonal]);
    EXPECT_GE(iterations[LinearSolver::cg], iterations[LinearSolver::cg_block]);
    EXPECT_GT(iterations[LinearSolver::cg_block], iterations[LinearSolver::cg_ssor]);
    EXPECT_GT(iterations[LinearSolver::cg_ssor], iterations[LinearSolver::cg_incomplete]);
    EXPECT_GT(iterations[LinearSolver::cg_block], 2 * iterations[LinearSolver::cg_rest]);
}

TEST(RestFactor, IsFactoredOncePerStepSizeAndMaterial) {
    MechanicalSystem system = support::constrained_box(Held::end, {.stiffness = 1e6, .edge_stiffness = 1e5});
    StepMatrixSolver solver(system, LinearSolver::cg_rest);
    const VecX G = random_gradient(system);
    VecX p(G.size());
    const auto factorizations = [&](double stage) {
        solver.begin(system, stage);
        return solver.direction(support::bent(system, 0.02), G, 1e-2, p).factorizations;
    };
    EXPECT_EQ(factorizations(g), 1);
    EXPECT_EQ(factorizations(g), 0);
    EXPECT_EQ(factorizations(1.02 * g), 0);  // hardly another matrix
    EXPECT_EQ(factorizations(2 * g), 1);
    Material material = system.material();
    material.stiffness *= 2;
    system.set_material(material);
    EXPECT_EQ(factorizations(2 * g), 1);
    EXPECT_EQ(factorizations(2 * g), 0);
}

// A load that lasts: after a few dear solves the factor is renewed at the deformed shape, and the solves are cheap again.
TEST(RestFactor, IsRenewedWhereTheBodyStaysDeformed) {
    const MechanicalSystem system = support::constrained_box(Held::end, {.stiffness = 1e8, .edge_stiffness = 1e7});
    StepMatrixSolver solver(system, LinearSolver::cg_rest);
    VecX q = support::bent(system, 0.6);
    for (int i = 0; i < system.particles(); ++i) q[3 * i] *= 1.5;  // stretched, which no rotation explains
    const VecX G = random_gradient(system);
    VecX p(q.size());
    int first = 0, last = 0, factorizations = 0;
    for (int n = 0; n < 12; ++n) {
        solver.begin(system, g);
        const LinearReport report = solver.direction(q, G, 1e-6, p);
        ASSERT_EQ(report.outcome, LinearReport::Outcome::solved);
        if (n == 0) first = report.iterations;
        last = report.iterations;
        factorizations += report.factorizations;
    }
    EXPECT_GT(first, 4);
    EXPECT_LE(last, 2);
    EXPECT_EQ(factorizations, 2);
}

TEST(ConjugateGradients, SayWhenTheyStagnate) {
    const MechanicalSystem system = support::constrained_box(Held::end, {.stiffness = 1e9, .edge_stiffness = 1e8});
    BlockMatrix A(system.pattern());
    system.step_matrix(system.rest(), 1, g * g, g, A);
    NoPreconditioner none(system.workers());
    ConjugateGradient cg;
    VecX p(3 * system.particles());
    const CgReport report =
        cg.solve(system.workers(), A, system.constraints(), system.inverse_mass(), none, random_gradient(system), 1e-6, 5, p);
    EXPECT_EQ(report.outcome, CgReport::Outcome::stagnated);
    EXPECT_EQ(report.iterations, 5);
}

}  // namespace
}  // namespace wobble
