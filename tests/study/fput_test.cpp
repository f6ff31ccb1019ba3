// The FPUT chain: its force model by finite differences, and the published-and-checked errors of the exponential methods on it.
#include "engine/integrate/methods.h"
#include "engine/study/equal_error.h"
#include "engine/study/fput_chain.h"
#include "engine/study/integrate_fixed.h"
#include "engine/study/output/table_text.h"
#include "engine/study/study.h"
#include "tests/study/csv.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace wobble {
namespace {

// Positions of some size along x; across it nothing moves.
VecX along_x(const MechanicalSystem& system, double size, unsigned seed) {
    VecX u = support::random_velocity(system, size, seed);
    for (int i = 0; i < system.particles(); ++i) u[3 * i + 1] = u[3 * i + 2] = 0;
    return u;
}

TEST(FputChain, StartsWithTheEnergyOfThePaper) {
    const FputChain chain = fput_chain();
    EXPECT_NEAR(chain.energy(chain.start), 2.500300005, 1e-12);
    EXPECT_EQ(chain.system->particles(), 7);
}

TEST(FputChain, EnergyIsTheFormula) {
    const FputChain chain = fput_chain(4, 30);
    const State s{0, along_x(*chain.system, 1, 3), along_x(*chain.system, 1, 4)};
    const auto x0 = [&](int i) { return s.q[3 * i]; };
    const auto x1 = [&](int i) { return s.q[3 * (4 + i)]; };
    double H = 0.5 * s.v.squaredNorm();
    for (int i = 1; i <= 4; ++i) H += 0.5 * x0(i) * x0(i) + 0.5 * 900 * x1(i) * x1(i);
    double U = std::pow(x0(1) - x1(1), 4) + std::pow(x0(4) + x1(4), 4);
    for (int i = 1; i < 4; ++i) U += std::pow(x0(i + 1) - x1(i + 1) - x0(i) - x1(i), 4);
    EXPECT_NEAR(chain.energy(s), H + U / 4, 1e-12 * H);
}

TEST(FputChain, DerivativesByFiniteDifferences) {
    const FputChain chain = fput_chain(3, 10);
    const MechanicalSystem& system = *chain.system;
    const VecX q = along_x(system, 0.8, 1), u = along_x(system, 1, 2);
    const auto force = [&](const VecX& x) {
        VecX f(x.size());
        system.elastic_force(x, f);
        return f;
    };
    const VecX f = force(q);
    ASSERT_GT(f.norm(), 1);
    BlockMatrix K(system.pattern());
    system.stiffness(q, K);
    VecX Ku(q.size()), e(q.size()), column(q.size());
    for (int i = 1; i < system.particles(); ++i) {
        const Eigen::Index k = 3 * i;
        VecX plus = q, minus = q;
        plus[k] += 1e-5, minus[k] -= 1e-5;
        EXPECT_NEAR(f[k], -(system.elastic_energy(plus) - system.elastic_energy(minus)) / 2e-5, 1e-7 * f.norm());
        e = VecX::Unit(q.size(), k);
        K.multiply(system.workers(), e, column);
        EXPECT_LT((column + (force(plus) - force(minus)) / 2e-5).norm(), 1e-7 * f.norm());
    }
    // With beta = 1 the damping force is -K u, and its rate -(dK/dq [u]) u.
    Material damped = system.material();
    damped.damping = 1;
    chain.system->set_material(damped);
    K.multiply(system.workers(), u, Ku);
    VecX d(q.size()), plus(q.size()), minus(q.size());
    system.damping_force(q, u, d);
    EXPECT_LT((d + Ku).norm(), 1e-12 * Ku.norm());
    system.damping_force(q + 1e-5 * u, u, plus);
    system.damping_force(q - 1e-5 * u, u, minus);
    VecX elastic(q.size());
    system.elastic_force_and_damping_rate(q, u, elastic, d);
    ASSERT_GT(d.norm(), 1);
    EXPECT_LT((d - (plus - minus) / 2e-5).norm(), 1e-7 * d.norm());
}

struct Errors {
    double error, energy;
};

Errors errors_of(const FputChain& chain, const State& reference, const char* id, double h, PhiMethod phi) {
    const double H0 = chain.energy(chain.start);
    Errors e{};
    const auto watch = [&](long, const State& s, const FixedRun&) -> const char* {
        e.energy = std::max(e.energy, std::abs(chain.energy(s) - H0));
        return nullptr;
    };
    const auto integrator = find_method(id)->make({SolverOptions{.tolerance = 1e-13, .phi = phi}});
    const FixedRun run = integrate_fixed(*chain.system, *integrator, chain.start, h, std::lround(10 / h), watch);
    EXPECT_TRUE(run.ok()) << id << ": " << run.message;
    e.error = chain.largest_difference(run.end, reference);
    return e;
}

// The table of a prototype that shares nothing with this program, errors at T = 10 and the largest energy error at h = 0.01.
TEST(FputChain, ErrorsAreThoseOfTheIndependentPrototype) {
    struct Row {
        const char* id;
        double error[4], energy;
    };
    const Row table[] = {{"exprb2", {6.36e-3, 1.61e-3, 3.98e-4, 9.87e-5}, 5.6e-4},
                         {"exprb42", {3.22e-5, 2.38e-6, 1.50e-7, 9.28e-9}, 1.9e-6},
                         {"pexprb43", {2.75e-5, 2.22e-6, 1.45e-7, 9.13e-9}, 1.5e-6},
                         {"pexprb43-half", {1.57e-5, 1.44e-6, 9.66e-8, 6.09e-9}, 1.0e-6},
                         {"epirk4s3", {4.14e-4, 2.74e-5, 1.71e-6, 1.07e-7}, 1.6e-5}};
    const FputChain chain = fput_chain();
    // rk45 with h omega = 0.005: its error is below 1e-10.
    const State reference = integrate_fixed(*chain.system, *find_method("rk45")->make({}), chain.start, 5e-5, 200000).end;
    for (const PhiMethod phi : {PhiMethod::dense, PhiMethod::lanczos})
        for (const Row& row : table)
            for (int k = phi == PhiMethod::dense ? 0 : 1; k < (phi == PhiMethod::dense ? 2 : 4); ++k) {
                if (k == 3 && row.id[0] != 'p') continue;  // the longest runs: two methods are enough
                const Errors e = errors_of(chain, reference, row.id, 0.02 / (1 << k), phi);
                EXPECT_NEAR(e.error / row.error[k], 1, k < 3 ? 0.01 : 0.02) << row.id << " h = " << 0.02 / (1 << k);
                if (k == 1) {
                    EXPECT_NEAR(e.energy / row.energy, 1, 0.05) << row.id;
                }
            }
}

TEST(EqualError, ReadsOffTheSweep) {
    const ErrorAndCost sweep[] = {{0.4, 100, 1, false}, {0.2, 1e-2, 2}, {0.1, 1e-4, 4}, {0.05, 1e-6, 8}};
    const EqualError between = at_error(sweep, 1e-3);
    EXPECT_TRUE(between.interpolated);
    EXPECT_NEAR(between.cost, 2 * std::sqrt(2), 1e-12);
    EXPECT_NEAR(between.h, 0.1 * std::sqrt(2), 1e-12);
    EXPECT_EQ(at_error(sweep, 0.5).cost, 2) << "the longest step that works";
    EXPECT_EQ(sweep[between.from].cost, 2);
    EXPECT_EQ(sweep[between.to].cost, 4);
    EXPECT_FALSE(at_error(sweep, 0.5).interpolated);
    EXPECT_FALSE(at_error(sweep, 1e-7).reached());
    const ErrorAndCost doubtful[] = {{0.2, 1e-1, 2}, {0.1, 1e-3, 4, true, 1e-3}};
    EXPECT_FALSE(at_error(doubtful, 2e-3).reached()) << "the error may be twice that";
    EXPECT_TRUE(at_error(doubtful, 2e-3).doubtful);
    EXPECT_TRUE(at_error(doubtful, 2e-2).reached());
}

TEST(Fput, TableOrdersAndNotes) {
    const auto result = find_study("fput")->run({.integrators = {"rk4", "exprb2", "exprb42"}, .detail = 0.65}, {});
    ASSERT_TRUE(result) << result.message();
    const Table& table = result.value().tables[0];
    ASSERT_GE(table.columns.size(), 5u);
    EXPECT_EQ((std::vector<std::string>(table.columns.begin(), table.columns.begin() + 5)),
              (std::vector<std::string>{"method", "h", "error", "max_energy_error", "seconds"}));
    // The values of the independent prototype (above) stand in the study's own table.
    const support::Csv errors = support::read_csv(to_csv(table));
    int compared = 0;
    for (std::size_t r = 0; r < errors.rows.size(); ++r) {
        if (std::abs(errors.number(r, "h") - 0.01) > 1e-12) continue;
        const std::string& method = errors.rows[r].at("method");
        if (method != "exprb42" && method != "exprb2") continue;
        EXPECT_NEAR(errors.number(r, "error") / (method == "exprb2" ? 1.61e-3 : 2.38e-6), 1, 0.01) << method;
        ++compared;
    }
    EXPECT_EQ(compared, 2);
    const support::Csv summary = support::read_csv(to_csv(result.value().tables[1]));
    const std::map<std::string, double> order{{"rk4", 4}, {"exprb2", 2}, {"exprb42", 4}};
    for (std::size_t r = 0; r < summary.rows.size(); ++r)
        EXPECT_NEAR(summary.number(r, "observed_order"), order.at(summary.rows[r].at("method")), 0.4) << summary.rows[r].at("method");
    const support::Csv equal = support::read_csv(to_csv(result.value().tables[2]));
    ASSERT_GE(equal.rows.size(), 1u);
    for (std::size_t r = 0; r < equal.rows.size(); ++r) {
        EXPECT_GT(equal.number(r, "step_ratio"), 20);
        EXPECT_LT(equal.number(r, "step_ratio"), 80);
    }
    EXPECT_EQ(result.value().plots.size(), 3u);
}

}  // namespace
}  // namespace wobble
