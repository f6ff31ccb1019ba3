// Two boxes thrown onto each other and onto the ground, with every method: a ground plane has local blocks only, the boxes repel each
// other in pairs that change from step to step.
#include "tests/support/outer_forces.h"
#include "engine/integrate/methods.h"

#include <gtest/gtest.h>

#include <set>

namespace wobble {
namespace {

struct Outcome {
    State end;
    double energy_drift = 0;  // largest, of the energy at the start
    int patterns = 0;         // different ones in the run
    double least_height = 1e9, end_height = 0;
    bool ok = true;
    std::string message;
};

Outcome fall(const MethodInfo& info, const Method& method, double h, double seconds, const SolverOptions& solver = {.tolerance = 1e-9}) {
    const Material material{.stiffness = 3000, .edge_stiffness = 1000, .gravity = 9.81};
    support::TwoBoxes boxes(-0.005, material, 0.05, false, 1, ElasticModel().kind, 1e6, 1e6, 0.04);
    MechanicalSystem& system = *boxes.system;
    State state = boxes.start(), next = state;
    for (int i = 0; i < system.particles(); ++i) state.v[3 * i + 1] = i < boxes.border ? -0.4 : -0.8;
    const auto energy = [&] { return system.elastic_energy(state.q) + system.kinetic_energy(state.v) + system.gravity_energy(state.q); };
    const auto integrator = method.make({.solver = solver});
    Outcome outcome;
    std::set<std::shared_ptr<const BlockPattern>> patterns;
    const double initial = system.kinetic_energy(state.v);
    double start = 0;
    for (int n = 0; n < std::lround(seconds / h); ++n) {
        system.begin_step(state, h);
        patterns.insert(system.pattern());
        if (n == 0) start = energy();
        const StepReport report = integrator->step(system, state, h, next);
        if (!report.ok()) return outcome.ok = false, outcome.message = std::string(info.id) + ": " + report.message, outcome;
        std::swap(state, next);
        outcome.energy_drift = std::max(outcome.energy_drift, std::abs(energy() - start) / initial);
        for (int i = 0; i < system.particles(); ++i) outcome.least_height = std::min(outcome.least_height, state.q[3 * i + 1]);
    }
    outcome.patterns = static_cast<int>(patterns.size());
    outcome.end = state;
    return outcome;
}

const Outcome& reference() {
    static const Outcome fine = fall(find_method("rk4")->info, *find_method("rk4"), 2.5e-5, 0.08);
    return fine;
}

class EveryMethod : public testing::TestWithParam<const Method*> {};

TEST_P(EveryMethod, BouncesOffTheGroundAndOtherBodies) {
    const Method& method = *GetParam();
    const Outcome& fine = reference();
    ASSERT_TRUE(fine.ok) << fine.message;
    ASSERT_LT(fine.least_height, -0.006) << "touches the ground";
    ASSERT_GT(fine.patterns, 3) << "and the other box";
    const double h = 2e-4;
    const Outcome run = fall(method.info, method, h, 0.08);
    ASSERT_TRUE(run.ok) << run.message;
    EXPECT_GT(run.patterns, 3);
    EXPECT_LT(run.least_height, -0.006);
    const double travelled = (fine.end.q - support::TwoBoxes(0, {}).start().q).norm();
    const double difference = (run.end.q - fine.end.q).norm() / travelled;
    EXPECT_LT(difference, method.info.order == 1 ? 0.08 : 0.004) << method.info.id;
    EXPECT_LT(run.energy_drift, method.info.order == 1 ? 1 : 0.02) << method.info.id;
    RecordProperty("difference", std::to_string(difference));
    RecordProperty("energy_drift", std::to_string(run.energy_drift));
}

std::vector<const Method*> all_methods() {
    std::vector<const Method*> all;
    for (const Method& method : methods()) all.push_back(&method);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMethod, testing::ValuesIn(all_methods()), [](const auto& row) {
    std::string name = row.param->info.id;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

TEST(OuterForces, EveryLinearSolverTakesThem) {
    const Method& method = *find_method("implicit-midpoint");
    for (const auto& solver : linear_solvers()) {
        const Outcome run = fall(method.info, method, 2e-4, 0.08, {.tolerance = 1e-8, .linear = solver.kind});
        ASSERT_TRUE(run.ok) << solver.id << ": " << run.message;
        EXPECT_LT(run.energy_drift, 0.02) << solver.id;
        EXPECT_GT(run.patterns, 3) << solver.id;
    }
}

TEST(OuterForces, EveryPhiMethodTakesThem) {
    const Method& method = *find_method("exprb2");
    VecX first;
    for (const auto& phi : phi_methods()) {
        if (phi.kind == PhiMethod::dense) continue;  // minutes
        const Outcome run = fall(method.info, method, 1e-3, 0.03, {.tolerance = 1e-9, .phi = phi.kind});
        if (phi.kind == PhiMethod::reformulated || phi.kind == PhiMethod::reformulated_newton) {
            EXPECT_FALSE(run.ok) << phi.id << " takes positive definite stiffness only, and the boxes are free";
            continue;
        }
        ASSERT_TRUE(run.ok) << phi.id << ": " << run.message;
        if (first.size() == 0) first = run.end.q;
        // Free bodies: the energy evaluator's norm does not see rigid motion; without any ground it is as far off.
        EXPECT_LT((run.end.q - first).norm(), (phi.kind == PhiMethod::energy ? 1e-4 : 1e-9) * first.norm()) << phi.id;
    }
}

}  // namespace
}  // namespace wobble
