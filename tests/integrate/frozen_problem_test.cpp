// Looking back costs no force: it has to find what a force would have told.
#include "engine/integrate/exponential/frozen_problem.h"

#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

namespace wobble {
namespace {

struct LookBack {
    const char* name;
    Material material;
    ElasticModel::Kind kind = ElasticModel::Kind::springs;
    bool sliding = false;
};

const LookBack look_backs[] = {
    {"undamped", {.stiffness = 3e3}},
    {"stiffness damping", {.stiffness = 3e3, .damping = 2e-3}},
    {"both Rayleigh terms", {.stiffness = 3e3, .damping = 2e-3, .mass_damping = 4}},
    {"mass damping", {.stiffness = 3e3, .mass_damping = 4}},
    {"dashpots", {.stiffness = 3e3, .damping = 1e-3, .spring_damping = 2e-3}},
    {"undamped corotational", {}, ElasticModel::Kind::corotational},
    {"corotational", {.damping = 2e-3, .mass_damping = 1}, ElasticModel::Kind::corotational},
    {"sliding", {.stiffness = 3e3, .damping = 2e-3, .mass_damping = 4}, ElasticModel::Kind::springs, true},
};

TEST(FrozenProblem, LooksBackOnTheRemainderWithoutAForce) {
    const TetMesh mesh = support::box_tets(4, 2, 2);
    const int n = static_cast<int>(mesh.vertices.size());
    for (const LookBack& c : look_backs) {
        SCOPED_TRACE(c.name);
        std::vector<Constraint> constraints;
        for (int i = 0; i < n; ++i)
            if (mesh.vertices[i].x() < 1e-9)
                constraints.push_back(c.sliding && i % 2 ? Constraint::on_plane(i, {1, 2, 0}) : Constraint::held(i));
        ElasticModel model;
        model.kind = c.kind;
        MechanicalSystem system(BodyMesh{.tets = mesh}, model, Constraints(n, constraints), c.material, std::make_shared<Workers>(2));
        system.external_force() = support::random_velocity(system, 3, 5);
        system.constraints().project(system.external_force());
        const auto moved = [&](double t, unsigned seed) {
            State s{t, support::positions(mesh), support::random_velocity(system, 0.5, seed)};
            s.q += support::random_velocity(system, 0.01, seed + 1);
            system.constraints().project(s.v);
            return s;
        };
        const State before = moved(0.1, 21), now = moved(0.107, 31);
        FrozenProblem frozen;
        StepReport report;
        VecX own_before(3 * n), own(3 * n), own_alone(3 * n), r(3 * n), expected(3 * n);
        for (const bool with_rate : {true, false}) {
            frozen.freeze(system, before, report, with_rate);
            frozen.own_acceleration(own_before, report);
            frozen.freeze(system, now, report, with_rate);
            frozen.own_acceleration(own_alone, report);
            const VecX x = before.q - now.q;
            frozen.remainder(before.t - now.t, x, before.v, expected, report);
            const long forces = report.force_evaluations;
            frozen.look_back(before, own_before, own, r, report);
            EXPECT_EQ(report.force_evaluations, forces);
            EXPECT_LT((r - expected).norm(), 1e-10 * own.norm());
            EXPECT_GT(expected.norm(), 1e-3 * own.norm()) << "else the test sees nothing";
            EXPECT_LT((own - own_alone).norm(), 1e-12 * own.norm());
            // The rate that terms know: the acceleration, outer forces included.
            const VecX* const rate = frozen.terms().front().rate;
            ASSERT_EQ(rate != nullptr, !c.sliding && c.material.spring_damping == 0);
            if (!rate) continue;
            VecX a(3 * n);
            system.force(now.q, now.v, a);
            a = system.inverse_mass().cwiseProduct(a);
            EXPECT_LT((*rate - a).norm(), 1e-12 * a.norm());
        }
    }
}

}  // namespace
}  // namespace wobble
