// Systems given spring by spring, and the list of springs every system gives.
#include "engine/model/mechanical_system.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wobble {
namespace {

std::shared_ptr<Workers> one() { return std::make_shared<Workers>(1); }

TEST(SpringNet, OneParticleOnASpringHasTheForceOfTheFormula) {
    const SpringNet net{.rest = {{0, 0, 0}, {0, -1, 0}}, .mass = {1, 0.1}, .springs = {{1, 0, 100, 1}}};
    MechanicalSystem system(net, Constraints(2, {Constraint::held(0)}), {.density = 7, .gravity = 10}, one());
    EXPECT_NEAR(system.total_mass(), 1.1, 1e-15);  // density does not act
    VecX q = system.rest(), v = VecX::Zero(6), f(6);
    q[4] = -1.3, v[4] = -5;
    for (const double c : {0.0, 4.0})
        for (const double tau : {0.0, 0.01}) {
            system.set_material({.gravity = 10, .stiffening = c, .spring_damping = tau});
            system.force(q, v, f);
            EXPECT_NEAR(f[4], -0.1 * 10 + 100 * (0.3 + c * 0.027) + tau * 100 * 5, 1e-12);
            EXPECT_NEAR(system.elastic_energy(q), 100 * (0.045 + c * 0.0081 / 4), 1e-12);
            VecX scratch(6);
            EXPECT_NEAR(system.dissipation_power(q, v, scratch), tau * 100 * 25, 1e-12);
            BlockMatrix A(system.pattern());
            system.step_matrix(q, 2, 3, 5, A);
            EXPECT_NEAR(A.at(system.pattern()->diagonal[1])(1, 1), 2 * 0.1 + 3 * 100 * (1 + 3 * c * 0.09) + 5 * tau * 100, 1e-11);
        }
}

TEST(SpringNet, IndependentOscillatorsAndParallelSpringsAddUp) {
    SpringNet net;
    for (int i = 0; i < 20; ++i) {
        net.rest.push_back({0, 0, 1.0 * i});
        net.rest.push_back({1, 0, 1.0 * i});
        net.mass.insert(net.mass.end(), {1, 0.5 + i});
        net.springs.push_back({2 * i, 2 * i + 1, 10.0 + i, 1});
        if (i % 3 == 0) net.springs.push_back({2 * i + 1, 2 * i, 7, 0.5, LinkKind::bending});  // between the same two
    }
    const MechanicalSystem system(net, Constraints(40), {.gravity = 0}, one());
    const VecX q = system.rest() + support::random_vector(120, 0.2, 1);
    VecX f(120);
    system.elastic_force(q, f);
    for (int i = 0; i < 20; ++i) {
        const Vec3 d = particle(q, 2 * i + 1) - particle(q, 2 * i);
        Vec3 expected = -(10.0 + i) * (d.norm() - 1) * d.normalized();
        if (i % 3 == 0) expected -= 7 * (d.norm() - 0.5) * d.normalized();
        EXPECT_LT((particle(f, 2 * i + 1) - expected).norm(), 1e-12);
        EXPECT_LT((particle(f, 2 * i) + expected).norm(), 1e-12);
    }
}

TEST(SpringNet, ASpringWithoutRestLengthIsLinearAndFiniteAtZero) {
    const SpringNet net{.rest = {{0, 0, 0}, {0, 0, 0}}, .mass = {1, 1}, .springs = {{0, 1, 100, 0}}};
    const MechanicalSystem system(net, Constraints(2), {.gravity = 0, .stiffening = 5, .spring_damping = 0.1}, one());
    VecX q = system.rest(), f(6);
    system.force(q, VecX::Ones(6), f);
    EXPECT_TRUE(f.allFinite());
    q[3] = 0.25;
    system.elastic_force(q, f);
    EXPECT_NEAR(f[3], -25, 1e-12);
}

// The force follows from the list alone.
TEST(SpringList, ReproducesForceAndEnergy) {
    const TetMesh mesh = support::box_tets(3, 2, 1);
    const MechanicalSystem system = support::cantilever(mesh, {.stiffness = 300, .edge_stiffness = 70, .gravity = 0, .stiffening = 3});
    std::vector<SpringRow> rows;
    system.list_springs(rows);
    EXPECT_EQ(rows.size(), unique_edges(mesh).size() + 4 * mesh.tets.size());
    const VecX q = support::positions(mesh) + support::random_vector(3 * mesh.vertices.size(), 0.08, 1);
    VecX f(q.size()), sum = VecX::Zero(q.size());
    system.elastic_force(q, f);
    double energy = 0;
    for (const SpringRow& row : rows) {
        Vec3 d = Vec3::Zero();
        for (int a = 0; a < 4; ++a)
            if (row.weights[a] != 0) d += row.weights[a] * particle(q, row.particles[a]);
        const double e = d.norm() - row.rest_length, k = row.stiffness, l0 = row.rest_length;
        for (int a = 0; a < 4; ++a)
            if (row.weights[a] != 0)
                particle(sum, row.particles[a]) -= row.weights[a] * k * (e + 3 * e * e * e / (l0 * l0)) * d.normalized();
        energy += k * (e * e / 2 + 3 * std::pow(e, 4) / (4 * l0 * l0));
    }
    ASSERT_GT(f.norm(), 1);
    EXPECT_LT((f - sum).norm(), 1e-12 * f.norm());
    EXPECT_NEAR(system.elastic_energy(q), energy, 1e-12 * energy);
}

}  // namespace
}  // namespace wobble
