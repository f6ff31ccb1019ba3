// What the methods keep over long times: energy of an undamped wobble, momentum of a free body.
#include "engine/integrate/methods.h"
#include "engine/solve/krylov/spectrum.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wobble {
namespace {

// A soft beam of 48 coordinates and 40 cm; its tip swings by 3 cm per unit of kick.
struct Wobble {
    TetMesh mesh = support::box_tets(4, 1, 1, 0.1);
    MechanicalSystem system;
    State state;
    double omega_max;
    explicit Wobble(double kick) : system(support::cantilever(mesh, {.stiffness = 600, .edge_stiffness = 200, .gravity = 0}, 1)) {
        state.q = support::positions(mesh);
        state.v = VecX::Zero(state.q.size());
        for (int i = 0; i < system.particles(); ++i) state.v[3 * i + 1] = kick * mesh.vertices[i].x() * mesh.vertices[i].x();
        BlockMatrix K(system.pattern());
        system.stiffness(state.q, K);
        omega_max = highest_frequency({system.workers(), K, system.mass(), system.inverse_mass(), 0, 0});
    }
    double energy() const { return system.elastic_energy(state.q) + system.kinetic_energy(state.v); }
};

struct Extent {
    double lowest = 1e300, highest = 0, last = 0;  // energy relative to the initial one
    bool falls = true;
    double travel = 0;  // largest deflection of the tip
};

Extent swing(const char* id, double kick, double h, double seconds) {
    Wobble w(kick);
    const VecX rest = w.state.q;
    const double initial = w.energy();
    const auto integrator = find_method(id)->make({.solver = {.tolerance = 1e-9}});
    State next = w.state;
    Extent extent;
    double before = initial;
    for (int n = 0; n < std::lround(seconds / h); ++n) {
        const StepReport report = integrator->step(w.system, w.state, h, next);
        EXPECT_TRUE(report.ok()) << id << ": " << report.message;
        std::swap(w.state, next);
        const double energy = w.energy();
        extent.falls = extent.falls && energy <= before * (1 + 1e-10);
        before = energy;
        extent.lowest = std::min(extent.lowest, energy / initial);
        extent.highest = std::max(extent.highest, energy / initial);
        extent.travel = std::max(extent.travel, (w.state.q - rest).tail<3>().norm());
    }
    extent.last = before / initial;
    return extent;
}

// Who guards a step takes the method's word for the energy: it has to be that of the new positions, in the first step as in later ones.
TEST(Conservation, AReportedElasticEnergyIsThatOfTheNewState) {
    for (const Method& method : methods()) {
        Wobble w(2);
        const auto integrator = method.make({});
        State next = w.state;
        for (int n = 0; n < 5; ++n) {
            const StepReport report = integrator->step(w.system, w.state, 0.3 / w.omega_max, next);
            ASSERT_TRUE(report.ok()) << method.info.id;
            const double energy = w.system.elastic_energy(next.q);
            ASSERT_GT(energy, 1e-9) << method.info.id;
            if (report.elastic_energy) EXPECT_NEAR(*report.elastic_energy, energy, 1e-12 * energy) << method.info.id;
            else EXPECT_STRNE(method.info.id, "verlet") << "the force it ends with knows it";
            std::swap(w.state, next);
        }
    }
}

TEST(Conservation, SymplecticMethodsKeepTheEnergyOfAWobbleForAMinute) {
    const double omega_max = Wobble(0).omega_max;
    struct Case {
        const char* id;
        double kick, h, within;
    };
    for (const auto& [id, kick, h, within] : {Case{"verlet", 3, 1 / omega_max, 0.02}, Case{"implicit-midpoint", 3, 4 / omega_max, 0.02},
                                              Case{"v-imex", 1, 4 / omega_max, 0.05}, Case{"symplectic-euler", 3, 0.5 / omega_max, 0.2}}) {
        const Extent extent = swing(id, kick, h, 60);
        EXPECT_GT(extent.lowest, 1 - within) << id;
        EXPECT_LT(extent.highest, 1 + within) << id;
        EXPECT_GT(extent.travel, 0.03 * std::min(kick, 2.0)) << id << ": there should be something to see";
    }
}

// Not symplectic: the energy error is a power of h. Bounds are three times what was measured at h omega_max = 2 over 20 s; with half the
// step it falls to 1/3 ... 1/9 of it with methods of order 2 and 3, to 1/17 ... 1/31 with those of order 4.
TEST(Conservation, ExponentialMethodsKeepTheEnergyOfAWobbleForALongTime) {
    const double omega_max = Wobble(0).omega_max;
    struct Case {
        const char* id;
        double within, falls;
    };
    for (const auto& [id, within, falls] :
         {Case{"exprb2", 1.6e-2, 0.25}, Case{"epi3", 7e-3, 0.25}, Case{"epi3-leapfrog", 5e-3, 0.3}, Case{"exprb42", 3e-3, 0.1},
          Case{"pexprb43", 3e-3, 0.1}, Case{"epirk4s3", 1.5e-3, 0.1}, Case{"gautschi", 4e-3, 0.5}}) {
        const Extent coarse = swing(id, 1, 2 / omega_max, 20), fine = swing(id, 1, 1 / omega_max, 20);
        const auto error = [](const Extent& e) { return std::max(1 - e.lowest, e.highest - 1); };
        EXPECT_LT(error(coarse), within) << id;
        EXPECT_LT(error(fine), falls * error(coarse)) << id;
        EXPECT_GT(coarse.travel, 0.03) << id << ": there should be something to see";
    }
}

TEST(Conservation, ImplicitEulerLosesEnergyInEveryStep) {
    const Extent extent = swing("implicit-euler", 10, 4 / Wobble(0).omega_max, 10);
    EXPECT_TRUE(extent.falls);
    EXPECT_LT(extent.last, 0.1);
}

TEST(Conservation, DampingMethodsNeverGainEnergy) {
    const double h = 4 / Wobble(0).omega_max;
    for (const char* id : {"linear-implicit-euler", "tr-bdf2", "bdf2", "imex"}) {
        const Extent extent = swing(id, 3, h, 10);
        EXPECT_LT(extent.highest, 1.001) << id;
        EXPECT_LT(extent.last, 0.99) << id;
    }
}

TEST(Conservation, ExplicitEulerGainsEnergy) { EXPECT_GT(swing("euler", 1, 0.1 / Wobble(0).omega_max, 2).last, 1.5); }

// No pins: nothing outside acts on the body.
TEST(Conservation, AFreeBodyKeepsItsMomentum) {
    const TetMesh mesh = support::box_tets(3, 1, 1, 0.1);
    const int n = static_cast<int>(mesh.vertices.size());
    const MechanicalSystem system(mesh, Constraints(n), {.stiffness = 600, .edge_stiffness = 200, .gravity = 0},
                                  std::make_shared<Workers>(1));
    const auto momentum = [&](const State& s) {
        Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
        for (int i = 0; i < n; ++i) {
            const Vec3 p = system.mass()[3 * i] * particle(s.v, i);
            linear += p;
            angular += Vec3(particle(s.q, i)).cross(p);
        }
        return std::pair(linear, angular);
    };
    // Angular momentum: to rounding where the method keeps it, else three times what its order leaves at this step (measured).
    struct Case {
        const char* id;
        double h, angular;
    };
    for (const auto& [id, h, allowed] :
         {Case{"verlet", 2e-3, 1e-12}, Case{"symplectic-euler", 2e-3, 1e-12}, Case{"implicit-midpoint", 1e-2, 1e-9},
          Case{"v-imex", 2e-3, 2e-3}, Case{"rk4", 2e-3, 1e-7}, Case{"adams4", 1e-3, 6e-7}, Case{"implicit-euler", 1e-2, 7e-2},
          Case{"tr-bdf2", 1e-2, 2e-4}, Case{"bdf4", 1e-3, 3e-7}, Case{"imex", 2e-3, 0.4}, Case{"exprb2", 2e-3, 3e-5},
          Case{"epi3", 2e-3, 8e-6}, Case{"epi3-leapfrog", 2e-3, 8e-6}, Case{"exprb42", 2e-3, 1.5e-7}, Case{"pexprb43", 2e-3, 1.5e-7},
          Case{"epirk4s3", 2e-3, 1e-7}, Case{"gautschi", 2e-3, 3e-5}}) {
        State state, next;
        state.q = support::positions(mesh);
        state.v = support::random_vector(3 * n, 0.3, 7);
        for (int i = 0; i < n; ++i) particle(state.v, i) += Vec3(1, 0.5, -0.2) + Vec3(0.5, 3, 1).cross(mesh.vertices[i]);
        next = state;
        const auto [linear, angular] = momentum(state);
        const auto integrator = find_method(id)->make({.solver = {.tolerance = 1e-12}});
        for (int step = 0; step < 200; ++step) {
            ASSERT_TRUE(integrator->step(system, state, h, next).ok()) << id;
            std::swap(state, next);
        }
        const auto [linear_end, angular_end] = momentum(state);
        EXPECT_LT((linear_end - linear).norm(), 1e-11 * linear.norm()) << id;
        EXPECT_LT((angular_end - angular).norm(), allowed * angular.norm()) << id;
    }
}

}  // namespace
}  // namespace wobble
