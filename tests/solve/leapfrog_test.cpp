// Leapfrog in place of bases: against the oracle, by its identity, and what it leaves to others.
#include "engine/solve/phi/phi_leapfrog.h"

#include "engine/solve/phi/make_phi.h"
#include "tests/solve/flow_boxes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wobble {
namespace {

using support::EdgeBox, support::flow_error, support::FlowEnd, support::relative_distance, support::run_with;

TEST(LeapfrogFlow, ConvergesToTheOracleWithItsOrder) {
    struct Case {
        double alpha, beta, deformation;
    };
    for (const auto& [alpha, beta, deformation] : {Case{0, 0, 0.01}, Case{3, 0, 0.01}, Case{0, 0, 0.12}, Case{1, 2e-4, 0.01}}) {
        EdgeBox box(1e4, alpha, beta, deformation);
        const VecX m = box.e / 0.01;
        const PhiTerm terms[] = {
            {0, &box.a, &box.v0}, {1, nullptr, &box.a}, {2, nullptr, &box.e}, {3, nullptr, &m, &box.e, 1 / 0.01}, {4, nullptr, &m}};
        const double t = 10 / box.omega(), coarse = flow_error(box, terms, t, LeapfrogFlow(0.1)),
                     fine = flow_error(box, terms, t, LeapfrogFlow(0.05));
        EXPECT_LT(fine, 0.02);
        EXPECT_GT(coarse / fine, beta > 0 ? 3 : 3.6) << "alpha " << alpha << ", beta " << beta << ": " << coarse << " " << fine;
    }
}

// What one sees, with substeps as long as they are stable, where fast modes are overdamped and the lag is largest.
TEST(LeapfrogFlow, SlowMotionIsRightWithLongSubsteps) {
    for (const double beta : {0.0, 2e-4, 5e-3}) {
        EdgeBox box(1e5, 0, beta, 0.001);
        VecX slow = VecX::Zero(box.v0.size()), push = slow;
        for (int i = 0; i < box.system.particles(); ++i) {
            const double x = box.mesh.vertices[i].x();
            if (box.system.inverse_mass()[3 * i] != 0) slow[3 * i + 1] = x * x, push[3 * i + 1] = 30 * x;
        }
        const PhiTerm terms[] = {{0, nullptr, &slow}, {1, nullptr, &push}};
        FlowEnd motion(box), exact(box);
        const PhiNode node = motion.at(60 / box.omega()), oracle = exact.at(node.t);
        PhiReport report;
        ASSERT_TRUE(run_with(LeapfrogFlow(), box.linearized(), box.omega(), terms, {&node, 1}, report));
        support::exact(box.linearized(), terms, {&oracle, 1});
        EXPECT_LT((motion.x - exact.x).norm(), 0.01 * exact.x.norm()) << "beta " << beta;
    }
}

// m substeps are Chebyshev's polynomial: a mode of frequency omega turns by 2 m asin(tau omega / 2).
TEST(LeapfrogFlow, ModesTurnAsChebyshevsPolynomialSays) {
    EdgeBox box(1e4, 0, 0, 0.01);
    const Linearized linearized = box.linearized();
    const double omega = box.omega(), t = 30 / omega;
    VecX top = box.v0, y(top.size());
    for (int k = 0; k < 3000; ++k) {
        linearized.K.blocks().multiply(linearized.workers, top, y);
        top = linearized.inverse_mass.cwiseProduct(y);
        top /= top.norm();
    }
    linearized.K.blocks().multiply(linearized.workers, top, y);
    const double own = std::sqrt(top.dot(y) / top.dot(linearized.mass.cwiseProduct(top)));
    FlowEnd motion(box);
    const PhiNode node = motion.at(t);
    const PhiTerm terms[] = {{0, &top, nullptr}};
    PhiReport report;
    ASSERT_TRUE(run_with(LeapfrogFlow(), linearized, omega, terms, {&node, 1}, report));
    const double m = report.substeps;
    EXPECT_EQ(m, std::ceil(t / (0.95 * 2 / omega)));
    const double expected = std::cos(2 * m * std::asin(t / m * own / 2));
    EXPECT_LT((motion.x - expected * top).norm(), 1e-6);
}

TEST(LeapfrogFlow, SeveralNodesAreEachAsGood) {
    EdgeBox box(1e4, 0, 0, 0.01);
    const PhiTerm terms[] = {{0, nullptr, &box.v0}, {1, nullptr, &box.a}, {2, nullptr, &box.e}};
    FlowEnd first(box), second(box), exact(box), later(box);
    const double t = 8 / box.omega();
    const PhiNode nodes[] = {first.at(0.6 * t), second.at(t)}, oracle[] = {exact.at(0.6 * t), later.at(t)};
    PhiReport report;
    ASSERT_TRUE(run_with(LeapfrogFlow(0.05), box.linearized(), box.omega(), terms, nodes, report));
    support::exact(box.linearized(), terms, oracle);
    EXPECT_LT(relative_distance(first, exact), 0.01);
    EXPECT_LT(relative_distance(second, later), 0.01);
}

// v' at the start, where it is known, saves the first product and nothing else.
TEST(LeapfrogFlow, AKnownRateSavesAProduct) {
    struct Case {
        double alpha, beta, t;
    };
    for (const auto& [alpha, beta, t] :
         {Case{0, 0, 0.02}, Case{3, 0, 0.02}, Case{3, 2e-4, 0.02}, Case{0, 2e-2, 0.02}, Case{0, 2e-4, 1e-4}}) {
        EdgeBox box(1e4, alpha, beta, 0.01);
        const Linearized linearized = box.linearized();
        const VecX &W = box.system.inverse_mass(), y = box.a * 1e-4 + beta * box.v0;
        VecX Ky(y.size());
        linearized.K.blocks().multiply(linearized.workers, y, Ky);
        const VecX x0 = box.a * 1e-4, rate = box.a - W.cwiseProduct(Ky) - alpha * box.v0;
        PhiTerm terms[] = {{0, &x0, &box.v0}, {1, nullptr, &box.a}, {2, nullptr, &box.e}};
        FlowEnd without(box), with(box);
        const PhiNode early = without.at(t), known = with.at(t);
        PhiReport all, fewer;
        ASSERT_TRUE(run_with(LeapfrogFlow(), linearized, box.omega(), terms, {&early, 1}, all));
        terms[0].rate = &rate;
        ASSERT_TRUE(run_with(LeapfrogFlow(), linearized, box.omega(), terms, {&known, 1}, fewer));
        EXPECT_EQ(fewer.products, all.products - 1);
        EXPECT_LT(relative_distance(with, without), 1e-12) << "alpha " << alpha << ", beta " << beta << ", t " << t;
        FlowEnd middle(box), end(box), middle_known(box), end_known(box);
        const PhiNode nodes[] = {middle.at(t / 3), end.at(t)}, nodes_known[] = {middle_known.at(t / 3), end_known.at(t)};
        ASSERT_TRUE(run_with(LeapfrogFlow(), linearized, box.omega(), terms, nodes_known, fewer));
        terms[0].rate = nullptr;
        ASSERT_TRUE(run_with(LeapfrogFlow(), linearized, box.omega(), terms, nodes, all));
        EXPECT_LT(relative_distance(end_known, end) + relative_distance(middle_known, middle), 1e-12);
    }
}

TEST(LeapfrogFlow, TheSameBitsForAnyNumberOfThreads) {
    for (const double beta : {0.0, 1e-6, 2e-3}) {  // led, lagging
        std::vector<FlowEnd> results;
        for (const int threads : {1, 2, 3}) {
            EdgeBox box(1e4, 1, beta, 0.01, threads);
            const PhiTerm terms[] = {{0, nullptr, &box.v0}, {1, nullptr, &box.a}, {2, nullptr, &box.e}};
            results.emplace_back(box);
            const PhiNode node = results.back().at(20 / box.omega());
            LeapfrogPhi phi(make_phi(PhiMethod::lanczos));
            EXPECT_STREQ(phi.evaluate(box.linearized(), terms, {&node, 1}).path, "leapfrog");
        }
        for (const int k : {1, 2}) EXPECT_TRUE(results[0].x == results[k].x && results[0].v == results[k].v) << "beta " << beta;
    }
}

// Whatever the damping and the length, the fastest mode does not grow: the lag, and what leads it, are inside their limits.
TEST(LeapfrogFlow, TheFastestModeDoesNotGrow) {
    EdgeBox undamped(1e4, 0, 0, 0.01);
    const double omega = undamped.omega();
    VecX top = undamped.v0, y(top.size());
    for (int k = 0; k < 500; ++k) {
        undamped.linearized().K.blocks().multiply(undamped.system.workers(), top, y);
        top = undamped.system.inverse_mass().cwiseProduct(y);
        top /= top.norm();
    }
    for (const double damped : {0.0, 0.05, 0.11, 0.15, 0.2, 0.25, 0.31, 0.5, 1.0, 3.0, 20.0})
        for (const double turns : {1.0, 15.0, 20.0, 33.0, 80.0})
            for (const double alpha : {0.0, 20.0}) {
                EdgeBox box(1e4, alpha, damped / omega, 0.01);
                FlowEnd motion(box);
                VecX x = VecX::Zero(top.size()), v = top;
                for (int step = 0; step < 4; ++step) {
                    const PhiTerm terms[] = {{0, &x, &v}};
                    const PhiNode node = motion.at(turns / omega);
                    PhiReport report;
                    ASSERT_TRUE(run_with(LeapfrogFlow(), box.linearized(), omega, terms, {&node, 1}, report)) << damped << " " << turns;
                    x = motion.x, v = motion.v;
                }
                // (tau omega / 2)^2 < 0.91: what is stable may still be three times larger in between
                EXPECT_LT(v.norm(), 3.5) << "beta omega " << damped << ", h omega " << turns << ", alpha " << alpha;
            }
}

// Mass damping so strong that a substep of what is stable would turn the motion round.
TEST(LeapfrogFlow, StrongMassDampingOnlySlowsDown) {
    EdgeBox box(10, 1000, 0, 0.001);
    const PhiTerm terms[] = {{0, nullptr, &box.v0}, {1, nullptr, &box.a}};
    EXPECT_LT(flow_error(box, terms, 0.02, LeapfrogFlow()), 0.1);
    EXPECT_LT(flow_error(box, terms, 0.2, LeapfrogFlow()), 0.1);
}

// Tangents that are not springs' have three numbers more per edge.
TEST(LeapfrogFlow, TakesCorotationalBodies) {
    const TetMesh mesh = support::box_tets(4, 2, 2);
    const BodyMesh body{.tets = mesh};
    std::vector<Constraint> held;
    const int n = static_cast<int>(mesh.vertices.size());
    for (int i = 0; i < n; ++i)
        if (mesh.vertices[i].x() < 1e-9) held.push_back(Constraint::held(i));
    const MechanicalSystem system(body, {.kind = ElasticModel::Kind::corotational}, Constraints(n, held), {.young = 1e5},
                                  std::make_shared<Workers>(2));
    TangentBlocks K(system.new_tangent());
    system.stiffness(support::positions(mesh) + support::random_velocity(system, 0.02, 8), K.to_set());
    const Linearized linearized{system.workers(), {K, system.workers()}, system.mass(), system.inverse_mass(), 0, 0, nullptr, &K.edges()};
    const Linearized damped{system.workers(), {K, system.workers()}, system.mass(), system.inverse_mass(), 0, 5e-3, nullptr, &K.edges()};
    ASSERT_TRUE(K.edges().has_skew());
    const VecX v0 = support::random_velocity(system, 1, 9), a = support::random_velocity(system, 50, 10);
    const PhiTerm terms[] = {{0, nullptr, &v0}, {1, nullptr, &a}};
    const double omega = highest_frequency(linearized);
    VecX x(v0.size()), v(v0.size()), exact_x(v0.size()), exact_v(v0.size());
    const PhiNode node{10 / omega, 1, &x, &v}, oracle{node.t, 1, &exact_x, &exact_v};
    PhiReport report;
    ASSERT_TRUE(run_with(LeapfrogFlow(0.05), linearized, omega, terms, {&node, 1}, report));
    support::exact(linearized, terms, {&oracle, 1});
    EXPECT_LT((x - exact_x).norm(), 0.01 * exact_x.norm());
    ASSERT_TRUE(run_with(ChebyshevFlow(0.1), damped, omega, terms, {&node, 1}, report));
    support::exact(damped, terms, {&oracle, 1});
    EXPECT_LT((x - exact_x).norm(), 0.01 * exact_x.norm());
    ASSERT_TRUE(run_with(SsprkFlow(0.1), damped, omega, terms, {&node, 1}, report));
    EXPECT_LT((x - exact_x).norm(), 0.01 * exact_x.norm());
}

// Substeps longer than what is stable give numbers beyond what the terms can do, and are not taken for a result.
TEST(LeapfrogPhi, MeasuresTheHighestFrequencyAgainBeforeItExplodes) {
    EdgeBox box(1e4, 0, 0, 0.01);
    const PhiTerm terms[] = {{0, nullptr, &box.v0}, {1, nullptr, &box.a}};
    FlowEnd motion(box), exact(box);
    const PhiNode node = motion.at(100 / box.omega()), oracle = exact.at(100 / box.omega());
    PhiReport report;
    EXPECT_FALSE(run_with(LeapfrogFlow(), box.linearized(), 0.8 * box.omega(), terms, {&node, 1}, report));

    LeapfrogPhi phi(make_phi(PhiMethod::lanczos));
    ASSERT_TRUE(phi.evaluate(box.linearized(), terms, {&node, 1}).converged);
    std::vector<double> numbers;
    SavedSolverState writing = SavedSolverState::writing(numbers);
    phi.solver_state(writing);
    numbers[3] *= 0.6;  // ratio of omega^2 to the diagonal
    SavedSolverState reading = SavedSolverState::reading(numbers);
    phi.solver_state(reading);
    report = phi.evaluate(box.linearized(), terms, {&node, 1});
    EXPECT_TRUE(report.converged);
    EXPECT_STREQ(report.path, "leapfrog");
    EXPECT_GT(report.products, 1.5 * report.substeps) << "a try that failed, and another";
    support::exact(box.linearized(), terms, {&oracle, 1});
    EXPECT_LT(motion.v.norm(), 2 * exact.v.norm());
}

TEST(LeapfrogPhi, LeavesWhatItCannotDoToAnother) {
    EdgeBox box(1e4, 0, 0, 0.01);
    FlowEnd motion(box), exact(box);
    const double t = 8 / box.omega();
    const PhiNode node = motion.at(t, 1e-4), oracle = exact.at(t);
    LeapfrogPhi phi(make_phi(PhiMethod::lanczos));
    const auto is_lanczos = [&](const Linearized& linearized, std::span<const PhiTerm> terms) {
        const PhiReport report = phi.evaluate(linearized, terms, {&node, 1});
        EXPECT_TRUE(report.converged);
        EXPECT_STREQ(report.path, "lanczos");
        support::exact(linearized, terms, {&oracle, 1});
        EXPECT_LT(relative_distance(motion, exact), 0.01);
    };
    const PhiTerm on_positions[] = {{1, &box.v0, &box.a}}, on_velocities[] = {{0, nullptr, &box.v0}, {1, nullptr, &box.a}};
    is_lanczos(box.linearized(), on_positions);
    Linearized blocks_only = box.linearized();
    blocks_only.edges = nullptr;
    is_lanczos(blocks_only, on_velocities);
    EdgeBox damped(1e4, 0, 2, 0.01);  // beta omega = 280
    is_lanczos(damped.linearized(), on_velocities);
}

TEST(TrackedFrequency, FollowsAndMeasuresWhenItIsFarOffOrOld) {
    EdgeBox box(1e4, 0, 0, 0.001);
    const double omega = box.omega();
    TrackedFrequency tracked(1.5, 2e-3, 8);
    tracked.follow(box.linearized());
    EXPECT_NEAR(tracked.value(), omega, 1e-3 * omega);
    EdgeBox stiffer(1.2e4, 0, 0, 0.001);
    tracked.follow(stiffer.linearized());  // by its diagonal
    EXPECT_NEAR(tracked.value(), std::sqrt(1.2) * omega, 2e-2 * omega);
    EdgeBox much(1e6, 0, 0, 0.001);
    tracked.follow(much.linearized());
    EXPECT_NEAR(tracked.value(), much.omega(), 1e-3 * much.omega());
    // Another shape with the same diagonal scale is only noticed when the old number is too old.
    std::vector<double> numbers;
    SavedSolverState writing = SavedSolverState::writing(numbers);
    tracked.solver_state(writing);
    numbers[3] *= 1.1;
    SavedSolverState reading = SavedSolverState::reading(numbers);
    tracked.solver_state(reading);
    tracked.follow(much.linearized());
    EXPECT_NEAR(tracked.value(), std::sqrt(1.1) * much.omega(), 1e-2 * much.omega());
    for (int n = 0; n < 8; ++n) tracked.follow(much.linearized());
    EXPECT_NEAR(tracked.value(), much.omega(), 1e-3 * much.omega());
}

TEST(TangentBlocks, AreMadeOfTheEdgesLastSet) {
    EdgeBox box(1e4, 0, 0, 0.01);
    BlockMatrix expected(box.system.pattern());
    for (const double deformation : {0.01, 0.05}) {
        box.set(deformation);
        box.system.stiffness(support::positions(box.mesh) + support::random_velocity(box.system, deformation, 8), expected);
        const Linearized linearized = box.linearized();
        for (int k = 0; k < expected.pattern().blocks(); ++k) EXPECT_EQ(linearized.K.blocks().at(k), expected.at(k));
        EXPECT_EQ(&linearized.K.blocks(), &linearized.K.blocks());
        EXPECT_EQ(linearized.K.bytes(), expected.bytes());
    }
}

}  // namespace
}  // namespace wobble
