// A body whose one half is stiffer and stiffer while the other half, and all one sees, stays what it is: steps by rational Krylov stay as
// accurate, keep the energy and cost as much. (Counted in solves; seconds are the stiffness study's.)
#include "engine/integrate/exponential/exponential_rosenbrock.h"
#include "engine/solve/phi/phi_modes.h"
#include "engine/solve/phi/phi_rational.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct Swing {
    VecX end;
    double largest_energy = 0, energy = 0;  // J, over that of the start
    long solves = 0;
    bool ok = true;
};

Swing swing(double factor, double beta, std::unique_ptr<PhiEvaluator> phi, double tolerance) {
    BodyMesh body;
    body.tets = support::box_tets(8, 3, 3, 0.1);
    const int n = static_cast<int>(body.tets.vertices.size());
    std::vector<Constraint> held;
    for (int i = 0; i < n; ++i)
        if (body.tets.vertices[i].x() < 1e-9) held.push_back(Constraint::held(i));
    const ElasticModel model{.regions = {{.low = Vec3::Zero(), .high = Vec3(0.5, 1, 1), .factor = factor}}};
    Material material{.stiffness = 2e4, .edge_stiffness = 2e3};
    material.damping = beta, material.gravity = 0;
    const MechanicalSystem system(body, model, Constraints(n, held), material, std::make_shared<Workers>(1));
    State now;
    now.q = support::positions(body.tets);
    now.v = VecX::Zero(3 * n);
    const VecX rough = support::random_velocity(system, 0.1, 1);
    for (int i = 0; i < n; ++i)
        if (const double out = body.tets.vertices[i].x() - 0.4; out > 0)
            particle(now.v, i) = 0.5 * out * Vec3::UnitZ() + particle(rough, i);
    State next = now;
    IntegratorOptions options;
    options.solver.tolerance = tolerance;
    ExponentialRosenbrock integrator(exponential_schemes::exprb42, options, std::move(phi));
    const auto energy = [&](const State& u) { return system.kinetic_energy(u.v) + system.elastic_energy(u.q); };
    const double start = energy(now);
    Swing result;
    for (int step = 0; step < 30 && result.ok; ++step) {
        const StepReport report = integrator.step(system, now, 1.0 / 60, next);
        result.ok = report.ok();
        result.solves += report.solves;
        std::swap(now, next);
        result.largest_energy = std::max(result.largest_energy, energy(now) / start);
    }
    result.energy = energy(now) / start;
    result.end = now.q - support::positions(body.tets);
    return result;
}

TEST(StiffRegion, RationalStepsAreAsAccurateAndAsDearHoweverStiffItIs) {
    for (const double beta : {0.0, 0.002}) {
        long least = 1L << 40, most = 0;
        for (const double factor : {1e3, 1e5, 1e7}) {
            const Swing exact = swing(factor, beta, std::make_unique<ModesPhi>(), 1e-10);
            const Swing rational = swing(factor, beta, std::make_unique<RationalPhi>(), 3e-3);
            ASSERT_TRUE(exact.ok && rational.ok) << factor << " " << beta;
            EXPECT_GT(exact.end.norm(), 0.005) << "it moves";
            EXPECT_LT((rational.end - exact.end).norm(), 0.03 * exact.end.norm()) << factor << " " << beta;
            EXPECT_LT(rational.largest_energy, std::max(1.0, exact.largest_energy) + 0.02) << factor << " " << beta;
            EXPECT_NEAR(rational.energy, exact.energy, 0.03) << factor << " " << beta;
            least = std::min(least, rational.solves), most = std::max(most, rational.solves);
        }
        EXPECT_LT(most, 2 * least) << beta;
    }
}

}  // namespace
}  // namespace wobble
