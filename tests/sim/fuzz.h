#pragma once
// Random play with a world under error control: every exponential method, every slider over its range, steps asked for from 1e-5 to
// 0.2 s, grabs, switches of integrator and evaluator in mid-motion; `wide` also every evaluator (but the dense ones, whose time is all
// that would be tested) and tolerances too tight for progress at a steady pace. The state must stay finite after
// every step, a refused step must be counted and leave no trace, and the motion must go on.
#include "engine/integrate/methods.h"
#include "engine/sim/world.h"

#include <gtest/gtest.h>

#include <random>

namespace wobble::support {

struct FuzzTotals {
    double simulated = 0;  // s
    std::uint64_t steps = 0, rejected = 0, redone = 0, stalls = 0;
};

// One method and one setting of the sliders after another, until the simulated time is over.
inline FuzzTotals fuzz(std::shared_ptr<const LoadedScene> scene, std::uint64_t seed, double seconds, double longest_segment = 1,
                       int threads = 1, bool wide = false) {
    std::mt19937_64 random(seed);
    const auto chance = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    const auto between = [&](double low, double high) { return low * std::pow(high / low, chance()); };
    std::vector<std::string> exponential;
    for (const Method& method : methods())
        if (method.info.family == Family::exponential) exponential.push_back(method.info.id);
    const int triangles = static_cast<int>(scene->body.surface.triangles.size());

    World world(scene, threads);
    FuzzTotals totals;
    bool automatic = true;  // who insists on another evaluator, or on many digits, may wait
    std::vector<PhiMethod> evaluators = {PhiMethod::automatic, PhiMethod::automatic, PhiMethod::rational};
    if (wide)
        evaluators = {PhiMethod::automatic, PhiMethod::lanczos,          PhiMethod::kiops,
                      PhiMethod::phipm,     PhiMethod::phipm_simul_iom2, PhiMethod::energy};
    while (totals.simulated < seconds) {
        const std::string method = exponential[random() % exponential.size()];
        world.apply(SetMethod{method});
        const double tolerance = wide ? between(1e-8, 1) : between(1e-3, 1);
        world.apply(SetStepControl{StepControl::error, tolerance});
        if (wide || chance() < 0.5) {
            SolverOptions solver = scene->scene.settings.solver;
            solver.tolerance = between(1e-6, 1e-2);
            solver.phi = evaluators[random() % evaluators.size()];
            solver.filter = gautschi_filters()[random() % gautschi_filters().size()].kind;
            automatic = solver.phi == PhiMethod::automatic && tolerance >= 1e-3;
            world.apply(SetSolver{solver});
        }
        const double h = between(1e-5, 0.2);
        world.apply(SetStep{h});
        if (chance() < 0.5) world.apply(SetParameter{"stiffness", between(1e2, 1e12)});
        if (chance() < 0.3) {
            const Parameter& p = parameters()[random() % parameters().size()];
            const double u = chance(), value = p.logarithmic ? p.low * std::pow(p.high / p.low, u) : p.low + u * (p.high - p.low);
            if (!p.rebuilds_body) world.apply(SetParameter{p.name, p.zero_allowed && chance() < 0.3 ? 0 : value});
        }
        if (chance() < 0.2) world.apply(SetParameter{"spring_damping", chance() < 0.5 ? 0 : between(1e-6, 1e-2)});
        if (chance() < 0.3) world.apply(MoveGrab{Vec3(chance(), chance(), chance()) * 3});
        if (chance() < 0.4) world.apply(SetParameter{"damping", chance() < 0.5 ? 0 : between(1e-6, 1e-2)});
        if (chance() < 0.3)
            world.apply(Grab{static_cast<int>(random() % triangles), Vec3::Constant(1.0 / 3), Vec3(chance(), chance(), chance()) * 2});
        if (chance() < 0.3) world.apply(Release{});
        if (chance() < 0.05) world.apply(Reset{});

        const double end = world.time() + std::min(longest_segment, 40 * h), began = world.time();
        for (int n = 0; n < 400 && world.time() < end; ++n) {
            const auto before = world.snapshot();
            const auto tries_before = world.totals().tries;
            world.step_towards(end);
            const auto after = world.snapshot();
            EXPECT_TRUE(world.positions().allFinite() && world.velocities().allFinite()) << method << " h " << h << " seed " << seed;
            EXPECT_TRUE(std::isfinite(after.energies.total())) << method;
            if (testing::Test::HasFailure()) return totals;
            // A refused step that another method redid is both refused and taken.
            EXPECT_EQ(world.totals().tries - tries_before,
                      after.step - before.step + after.rejected_steps - before.rejected_steps - (after.redone_steps - before.redone_steps))
                << "a try was neither taken nor counted as refused";
            totals.steps += after.step - before.step;
            totals.rejected += after.rejected_steps - before.rejected_steps;
            totals.redone += after.redone_steps - before.redone_steps;
            if (after.report.ok()) continue;
            EXPECT_EQ(before.state_hash, after.state_hash) << "a failed step moved the state";
            EXPECT_FALSE(after.message.empty());
            ++totals.stalls;
            if (!automatic) break;
            ADD_FAILURE() << method << " at h = " << h << ", t = " << after.t << ", stiffness " << after.settings.parameters().stiffness
                          << ", damping " << after.settings.parameters().damping << ", spring damping "
                          << after.settings.parameters().spring_damping << ": " << after.message;
            return totals;
        }
        if (automatic) {
            EXPECT_GT(world.time(), began + 1e-3 * (end - began)) << method << " at h = " << h << " hardly moves";
        }
        totals.simulated += world.time() - began;
    }
    return totals;
}

}  // namespace wobble::support
