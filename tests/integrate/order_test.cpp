// One test measures the order of every method in the table, undamped and damped, on a smooth nonlinear problem.
#include "engine/integrate/methods.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <string>

namespace wobble {
namespace {

struct Problem {
    TetMesh mesh = support::box_tets(2, 1, 1);
    MechanicalSystem system;
    State start;
    explicit Problem(const Material& material) : system(support::cantilever(mesh, material)) {
        start.q = support::positions(mesh);
        start.v = VecX::Zero(start.q.size());
        // A strong twist and bend: rotations matter, so the problem is far from linear.
        for (int i = 0; i < system.particles(); ++i) {
            const Vec3 x = mesh.vertices[i];
            particle(start.v, i) = x.x() * Vec3(0.2, 2.0 - 3 * x.z(), 1.0 + 3 * x.y());
        }
    }
};

State run(const Method& method, const Problem& problem, double T, int steps) {
    const auto integrator = method.make({.solver = {.tolerance = 1e-10}});
    State state = problem.start, next = state;
    for (int n = 0; n < steps; ++n) {
        const StepReport report = integrator->step(problem.system, state, T / steps, next);
        EXPECT_TRUE(report.ok()) << method.info.id << ": " << report.message;
        std::swap(state, next);
    }
    return state;
}

double distance(const State& a, const State& b) { return std::sqrt((a.q - b.q).squaredNorm() + 1e-4 * (a.v - b.v).squaredNorm()); }

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
    const Problem problem({.stiffness = 3e3, .edge_stiffness = 3e2, .damping = damped ? 4e-3 : 0, .mass_damping = damped ? 0.5 : 0});
    const double T = 0.1;
    // Reference: the second-order methods agree with each other far below the errors measured here.
    const State reference = run(*find_method("exprb2"), problem, T, 6400);
    const int n = method->info.order == 1 ? 800 : 200;
    const double coarse = distance(run(*method, problem, T, n), reference), fine = distance(run(*method, problem, T, 2 * n), reference);
    ASSERT_GT(fine, 1e-10);
    EXPECT_NEAR(std::log2(coarse / fine), method->info.order, 0.15) << "errors " << coarse << " " << fine;
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Order, testing::ValuesIn(rows()), [](const auto& test) {
    std::string name = test.param.method->info.id;
    for (char& c : name)
        if (c == '-') c = '_';
    return name + (test.param.damped ? "_damped" : "_undamped");
});

}  // namespace
}  // namespace wobble
