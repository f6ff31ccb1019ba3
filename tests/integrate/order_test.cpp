// One test measures the order of every method in the table, undamped and damped, on a smooth nonlinear problem; others that it holds
// with steps of changing size, and that the embedded error estimates shrink with the step as their order says.
#include "engine/integrate/methods.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace wobble {
namespace {

struct Problem {
    TetMesh mesh = support::box_tets(2, 1, 1);
    MechanicalSystem system;
    State start;
    explicit Problem(bool damped)
        : system(support::cantilever(
              mesh, {.stiffness = 3e3, .edge_stiffness = 3e2, .damping = damped ? 4e-3 : 0, .mass_damping = damped ? 0.5 : 0}, 1)) {
        start.q = support::positions(mesh);
        start.v = VecX::Zero(start.q.size());
        // A strong twist and bend: rotations matter, so the problem is far from linear.
        for (int i = 0; i < system.particles(); ++i) {
            const Vec3 x = mesh.vertices[i];
            particle(start.v, i) = x.x() * Vec3(0.2, 2.0 - 3 * x.z(), 1.0 + 3 * x.y());
        }
    }
};

constexpr double T = 0.1;
using StepSizes = std::function<double(int)>;  // relative sizes of the steps

State run(
    const Method& method, const Problem& problem, int steps, const StepSizes& size = [](int) { return 1.0; }) {
    const auto integrator = method.make({.solver = {.tolerance = 1e-12}});
    State state = problem.start, next = state;
    double sum = 0;
    for (int n = 0; n < steps; ++n) sum += size(n);
    for (int n = 0; n < steps; ++n) {
        const StepReport report = integrator->step(problem.system, state, T * size(n) / sum, next);
        EXPECT_TRUE(report.ok()) << method.info.id << ": " << report.message;
        std::swap(state, next);
    }
    return state;
}

double distance(const State& a, const State& b) { return std::sqrt((a.q - b.q).squaredNorm() + 1e-4 * (a.v - b.v).squaredNorm()); }

// Two methods without anything in common agree on it to all but the last digits.
const State& reference(bool damped) {
    static const State known[2] = {run(*find_method("rk45"), Problem(false), 1600), run(*find_method("rk45"), Problem(true), 1600)};
    return known[damped];
}

TEST(Reference, IsAgreedUponByUnrelatedMethods) {
    for (const bool damped : {false, true}) {
        const Problem problem(damped);
        EXPECT_LT(distance(run(*find_method("rk45"), problem, 800), reference(damped)), 1e-13);
        EXPECT_LT(distance(run(*find_method("bdf6"), problem, 200), reference(damped)), 1e-10);
    }
}

// Steps such that the errors of all orders lie between 1e-3 and 1e-11: in the asymptotic range, above what solvers leave.
int steps_for(const MethodInfo& info) {
    constexpr int steps[] = {0, 800, 200, 200, 100, 50, 50};
    return info.family == Family::exponential && info.order == 4 ? 40 : steps[info.order];
}

struct Row {
    const Method* method;
    bool damped;
};
std::vector<Row> rows() {
    std::vector<Row> all;
    for (const Method& method : methods())
        for (bool damped : {false, true}) all.push_back({&method, damped});
    return all;
}
class Order : public testing::TestWithParam<Row> {};

TEST_P(Order, IsTheDeclaredOne) {
    const auto [method, damped] = GetParam();
    const Problem problem(damped);
    const int n = steps_for(method->info);
    const double coarse = distance(run(*method, problem, n), reference(damped)),
                 fine = distance(run(*method, problem, 2 * n), reference(damped));
    ASSERT_GT(fine, 1e-12) << "too close to rounding to tell";
    const double order = std::log2(coarse / fine);
    RecordProperty("order", std::to_string(order));
    // The h^4 part of these is so small that h^5 still shows above rounding.
    const double surplus = method->info.family == Family::exponential && method->info.order == 4 ? 0.7 : 0.15;
    EXPECT_GT(order, method->info.order - 0.15) << "errors " << coarse << " " << fine;
    EXPECT_LT(order, method->info.order + surplus) << "errors " << coarse << " " << fine;
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Order, testing::ValuesIn(rows()), [](const auto& test) {
    std::string name = test.param.method->info.id;
    for (char& c : name)
        if (c == '-') c = '_';
    return name + (test.param.damped ? "_damped" : "_undamped");
});

// Multistep methods with steps that change all the time but within what they follow without a new beginning.
TEST(Order, HoldsWithChangingSteps) {
    struct Case {
        const char* id;
        StepSizes size;
    };
    const auto uneven = [](double ratio) { return [ratio](int n) { return n % 4 < 2 ? 1.0 : ratio; }; };
    for (const auto& [id, size] : {Case{"bdf2", uneven(1.8)}, Case{"bdf3", uneven(1.3)}, Case{"bdf4", uneven(1.1)},
                                   Case{"adams2", uneven(1.8)}, Case{"adams4", uneven(1.5)}, Case{"epi3", uneven(1.8)}}) {
        const Method& method = *find_method(id);
        const Problem problem(true);
        const int n = 2 * steps_for(method.info);
        const double coarse = distance(run(method, problem, n, size), reference(true)),
                     fine = distance(run(method, problem, 2 * n, size), reference(true));
        EXPECT_NEAR(std::log2(coarse / fine), method.info.order, 0.15) << id << ": errors " << coarse << " " << fine;
    }
}

// Steps cut short to land on frames: a lower order for some steps, not a beginning of many stages in every one of them.
TEST(Order, OfBdfIsReducedAfterACutStepAndNoNewBeginningIsMade) {
    const auto cut = [](int n) { return n % 5 == 3 ? 0.33 : 1.0; };
    const Problem problem(true);
    for (const char* id : {"bdf2", "bdf3", "bdf4", "bdf5", "bdf6"}) {
        const Method& method = *find_method(id);
        const auto integrator = method.make({.solver = {.tolerance = 1e-12}});
        State state = problem.start, next = state;
        int stages = 0;
        for (int n = 0; n < 60; ++n) {
            const StepReport report = integrator->step(problem.system, state, 1e-3 * cut(n), next);
            ASSERT_TRUE(report.ok()) << id << ": " << report.message;
            if (n >= 10) stages += report.stages;
            std::swap(state, next);
        }
        EXPECT_LE(stages, 50 + 2 * 10) << id << ": one stage per step, two more after each cut";
        const double coarse = distance(run(method, problem, 200, cut), reference(true)),
                     fine = distance(run(method, problem, 400, cut), reference(true)),
                     second_order = distance(run(*find_method("bdf2"), problem, 200), reference(true));
        EXPECT_GT(std::log2(coarse / fine), 1.8) << id << ": errors " << coarse << " " << fine;
        EXPECT_LT(coarse, 1.5 * second_order) << id;
    }
}

TEST(ErrorEstimate, ShrinksWithTheStepAsTheTableSays) {
    for (const Method& method : methods())
        for (const bool damped : {false, true}) {
            Problem problem(damped);
            if (method.info.id == std::string("exp-euler"))
                problem.start.q += 0.03 * problem.start.v;  // away from rest, where it is linearised
            double error[2];
            for (int k = 0; k < 2; ++k) {
                const double h = 1e-3 / (1 + k);
                State out = problem.start;
                error[k] = method.make({.solver = {.tolerance = 1e-12}, .error_estimate = true})
                               ->step(problem.system, problem.start, h, out)
                               .error;
                EXPECT_EQ(error[k] < 0, method.info.error_order == 0) << method.info.id;
                if (method.info.error_order == 0) {  // the quadrature defect instead
                    const VecX moved = out.q - problem.start.q;
                    error[k] = (moved - h / 2 * (out.v + problem.start.v)).norm() / moved.norm();
                }
            }
            const int expected = method.info.error_order > 0 ? method.info.error_order : std::min(method.info.order, 2);
            EXPECT_NEAR(std::log2(error[0] / error[1]), expected, 0.2) << method.info.id << ": " << error[0] << " " << error[1];
        }
}

// With a step to look back on epi3 is left with less, of one order more, and its estimate says so.
TEST(ErrorEstimate, OfTwoStepsIsOfWhatTheLastOneDidNotForesee) {
    const Problem problem(true);
    double error[2], exprb2 = 0;
    for (int k = 0; k < 2; ++k) {
        const double h = 1e-3 / (1 + k);
        const auto with = [&](const char* id) { return find_method(id)->make({.solver = {.tolerance = 1e-12}, .error_estimate = true}); };
        const auto epi3 = with("epi3");
        State first = problem.start, out = first;
        ASSERT_TRUE(epi3->step(problem.system, problem.start, h, first).ok());
        const StepReport report = epi3->step(problem.system, first, h, out);
        ASSERT_TRUE(report.ok());
        EXPECT_EQ(report.force_evaluations, 2) << "its own and the estimate's: none for looking back";
        error[k] = report.error;
        exprb2 = with("exprb2")->step(problem.system, first, h, out).error;
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 4, 0.2) << error[0] << " " << error[1];
    EXPECT_LT(error[1], 0.1 * exprb2);
}

// A beam that swings far. By leapfrog visible motion is as epi3 has it, undamped and with damping, where it finds the damping's rate by
// looking back and evaluates no force and no rate for that; and its estimate knows what it has.
TEST(Order, OfTwoStepsByLeapfrogIsThatOfTwoStepsWhereMotionIsSeen) {
    const TetMesh mesh = support::box_tets(8, 2, 2);
    for (const double damping : {0.0, 5e-5, 3e-4}) {
        const MechanicalSystem system = support::cantilever(mesh, {.stiffness = 3e4, .damping = damping});
        State start{0, support::positions(mesh), VecX::Zero(3 * system.particles())};
        for (int i = 0; i < system.particles(); ++i)
            if (!system.pinned()[i]) start.v[3 * i + 1] = 8 * mesh.vertices[i].x() * mesh.vertices[i].x();
        const auto end = [&](const char* id, int steps, bool wanted = false, double* estimate = nullptr) {
            const auto integrator = find_method(id)->make({.solver = {.tolerance = 1e-6}, .error_estimate = wanted});
            State state = start, next = state;
            for (int n = 0; n < steps; ++n) {
                const StepReport report = integrator->step(system, state, 0.15 / steps, next);
                EXPECT_TRUE(report.ok()) << id << ": " << report.message;
                if (id == std::string("epi3-leapfrog")) {
                    EXPECT_LE(report.force_evaluations, (wanted ? 2 : 1) + (n < 2));
                    EXPECT_STREQ(report.phi_path, "leapfrog");
                }
                if (estimate) *estimate = report.error;
                std::swap(state, next);
            }
            return state.q;
        };
        const VecX exact = end("exprb42", 800), moved = exact - start.q;
        const auto error = [&](const char* id) { return (end(id, 15) - exact).norm() / moved.norm(); };
        const double exprb2 = error("exprb2"), epi3 = error("epi3"), mine = error("epi3-leapfrog");
        EXPECT_GT(exprb2, 1e-3) << "far enough to see something";
        EXPECT_LT(mine, 2 * epi3) << "damping " << damping << ": " << epi3 << " " << exprb2;
        EXPECT_LT(mine, 0.5 * exprb2);
        double estimate = 0, larger = 0;
        end("epi3-leapfrog", 60, true, &estimate);
        end("exprb2", 60, true, &larger);
        EXPECT_LT(estimate, 0.7 * larger) << "damping " << damping;
        EXPECT_GT(estimate, 0);
    }
}

// With light stiffness damping epi3 takes the remainder from the damping's rate: no product more than exprb2, far less error with
// every evaluator of phi, and its estimate shows it.
TEST(Order, OfTwoStepsComesWithLightDampingForNothing) {
    Problem problem(false);
    Material light = problem.system.material();
    light.damping = 2e-4;
    problem.system.set_material(light);
    const auto run_with = [&](const char* id, PhiMethod phi, int steps, long* products = nullptr, double* estimate = nullptr) {
        const auto integrator = find_method(id)->make({.solver = {.tolerance = 1e-11, .phi = phi}, .error_estimate = estimate != nullptr});
        State state = problem.start, next = state;
        for (int n = 0; n < steps; ++n) {
            const StepReport report = integrator->step(problem.system, state, T / steps, next);
            EXPECT_TRUE(report.ok()) << id << ": " << report.message;
            if (products) *products += report.operator_products;
            if (estimate) *estimate = report.error;
            std::swap(state, next);
        }
        return state;
    };
    const State exact = run(*find_method("rk45"), problem, 1600);
    long of_epi3 = 0, of_exprb2 = 0;
    const double coarse = distance(run_with("epi3", PhiMethod::lanczos, 100), exact),
                 fine = distance(run_with("epi3", PhiMethod::lanczos, 200, &of_epi3), exact),
                 exprb2 = distance(run_with("exprb2", PhiMethod::lanczos, 200, &of_exprb2), exact);
    EXPECT_GT(std::log2(coarse / fine), 2.6) << coarse << " " << fine;
    EXPECT_LT(fine, 0.1 * exprb2);
    EXPECT_LT(static_cast<double>(of_epi3), 1.1 * static_cast<double>(of_exprb2));
    const State same = run_with("epi3", PhiMethod::lanczos, 100);
    for (const PhiMethod phi : {PhiMethod::dense, PhiMethod::kiops, PhiMethod::energy, PhiMethod::phipm_simul_iom2})
        EXPECT_LT(distance(run_with("epi3", phi, 100), same), 1e-3 * coarse) << static_cast<int>(phi);
    double estimate = 0, larger = 0;
    run_with("epi3", PhiMethod::lanczos, 100, nullptr, &estimate);
    run_with("exprb2", PhiMethod::lanczos, 100, nullptr, &larger);
    EXPECT_LT(estimate, 0.2 * larger);
}

// The estimate is the difference between two results: of the true error of the worse one's size.
TEST(ErrorEstimate, OfSecondOrderMethodsIsTheErrorOfAStep) {
    const Problem problem(true);
    for (const char* id : {"tr-bdf2", "implicit-midpoint", "v-imex"})
        for (const double h : {1e-3, 5e-4}) {
            State out = problem.start, exact = problem.start, next = exact;
            const StepReport report = find_method(id)->make({.solver = {.tolerance = 1e-12}})->step(problem.system, problem.start, h, out);
            const auto fine = find_method("rk45")->make({});
            for (int n = 0; n < 10; ++n) {
                fine->step(problem.system, exact, h / 10, next);
                std::swap(exact, next);
            }
            const double error = std::max((out.q - exact.q).norm(), h * (out.v - exact.v).norm()) / (out.q - problem.start.q).norm();
            EXPECT_NEAR(report.error / error, 1, 0.15) << id;
        }
}

}  // namespace
}  // namespace wobble
