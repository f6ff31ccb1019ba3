// The real integrators on y' = lambda y, against theory. The equation comes as the oscillator q'' + d q' + omega^2 q = 0, whose
// first-order form has the eigenvalues lambda and its conjugate, omega = |lambda|, d = -2 Re lambda: the tip of one tet that slides on
// a line while the other three corners are held, moving so little that its springs are linear.
#include "engine/integrate/methods.h"
#include "engine/solve/krylov/spectrum.h"
#include "tests/integrate/stability_functions.h"
#include "tests/support/box_tets.h"

#include <gtest/gtest.h>

#include <memory>

namespace wobble {
namespace {

using support::Complex;

struct Oscillator {
    TetMesh mesh;
    std::unique_ptr<MechanicalSystem> system;
    double omega = 0, h = 0;

    // h chosen such that h lambda = z or its conjugate.
    explicit Oscillator(Complex z) {
        const double r = 1 / std::sqrt(3.0);
        mesh.vertices = {Vec3(r, 0, 0), Vec3(-r / 2, 0, 0.5), Vec3(-r / 2, 0, -0.5), Vec3(0, std::sqrt(2.0 / 3.0), 0)};
        mesh.tets = {{0, 1, 2, 3}};
        if (volume(mesh, mesh.tets[0]) < 0) mesh.tets = {{0, 2, 1, 3}};
        const Constraints constraints(
            4, {Constraint::held(0), Constraint::held(1), Constraint::held(2), Constraint::on_line(3, Vec3::UnitY())});
        Material material{.stiffness = 1000, .edge_stiffness = 500, .gravity = 0};
        MechanicalSystem undamped(mesh, constraints, material, std::make_shared<Workers>(1));
        BlockMatrix K(undamped.pattern());
        undamped.stiffness(undamped.rest(), K);
        omega = std::sqrt(K.at(K.pattern().diagonal[3])(1, 1) * undamped.inverse_mass()[10]);
        h = std::abs(z) / omega;
        material.mass_damping = std::max(0.0, -2 * z.real() / h);
        system = std::make_unique<MechanicalSystem>(mesh, constraints, material, std::make_shared<Workers>(1));
    }
    State state(double q, double v) const {  // deviation in metres, velocity / omega in metres
        State s{0, system->rest(), VecX::Zero(12)};
        s.q[10] += q;
        s.v[10] = omega * v;
        return s;
    }
    Eigen::Vector2d deviation(const State& s) const { return {s.q[10] - system->rest()[10], s.v[10] / omega}; }
};

const IntegratorOptions exact{.solver = {.tolerance = 1e-12}};

// The matrix that takes (q, v / omega) to the end of a step; even powers of the amplitude cancel in the difference of two steps.
// `growth`: about how much the step multiplies by, so that the motion stays small.
Eigen::Matrix2d propagation(const Method& method, const Oscillator& o, double growth) {
    const double amplitude = 1e-5 / std::max(1.0, growth);
    Eigen::Matrix2d G;
    for (int column = 0; column < 2; ++column) {
        G.col(column).setZero();
        for (const double sign : {1.0, -1.0}) {
            const State in = o.state(column == 0 ? sign * amplitude : 0, column == 1 ? sign * amplitude : 0);
            State out = in;
            const StepReport report = method.make(exact)->step(*o.system, in, o.h, out);
            EXPECT_TRUE(report.ok()) << method.info.id << ": " << report.message;
            G.col(column) += sign / (2 * amplitude) * o.deviation(out);
        }
    }
    return G;
}

const Complex points[] = {{0, 0.3}, {0, 1.5}, {0, 2.5}, {0, 20}, {-0.2, 0.4}, {-0.5, 1.7}, {-1.5, 1}, {-2, 4}, {-15, 30}};

TEST(Stability, OneStepMethodsMultiplyByTheirStabilityFunction) {
    for (const auto& [id, R] : support::one_step_factors())
        for (const Complex z : points) {
            const Complex r = R(z);  // eigenvalues: r and its conjugate
            const Eigen::Matrix2d G = propagation(*find_method(id), Oscillator(z), std::abs(r));
            const double size = std::max(1.0, std::norm(r));
            EXPECT_NEAR(G.trace(), 2 * r.real(), 1e-5 * size) << id << " at z = " << z;
            EXPECT_NEAR(G.determinant(), std::norm(r), 1e-4 * size) << id << " at z = " << z;
        }
}

TEST(Stability, VerletAndSymplecticEulerAreBoundedBelowTheirLimits) {
    for (const char* id : {"verlet", "symplectic-euler"}) {
        const bool verlet = id == std::string("verlet");
        for (const Complex z : points) {
            const double y = std::abs(z), s = -2 * z.real();
            const Eigen::Matrix2d G = propagation(*find_method(id), Oscillator(z), y * y),
                                  expected = verlet ? support::verlet_matrix(y, s) : support::symplectic_euler_matrix(y, s);
            const double size = std::max(1.0, expected.squaredNorm());
            EXPECT_NEAR(G.trace(), expected.trace(), 1e-5 * size) << id << " at z = " << z;
            EXPECT_NEAR(G.determinant(), expected.determinant(), 1e-5 * size) << id << " at z = " << z;
            const bool inside = s < 2 && y * y < 4 - 2 * s + (verlet ? s * s : 0);
            EXPECT_EQ(support::spectral_radius(G) < 1 + 1e-6, inside) << id << " at z = " << z;
        }
    }
}

// Multistep methods: after the beginning the motion grows or shrinks like the largest root.
TEST(Stability, MultistepMethodsGrowLikeTheirLargestRoot) {
    for (const auto& [id, theory] : support::multistep_methods())
        for (const Complex z : {Complex(0, 0.35), Complex(0, 0.5), Complex(0, 1.2), Complex(0, 2.4), Complex(0, 6), Complex(0, 25),
                                Complex(-0.1, 0.2), Complex(-0.3, 1), Complex(-0.8, 2.4), Complex(-2, 3), Complex(-8, 10)}) {
            const double expected = std::log(theory.growth(z));
            const Oscillator o(z);
            const auto integrator = find_method(id)->make({.solver = {.tolerance = 1e-8}});
            constexpr double most = 10;  // powers of e: above rounding, and springs still linear
            State in = o.state(expected > 0 ? 1e-7 : 1e-3, 0), out = in;
            const int steps = std::clamp(static_cast<int>(most / std::abs(expected)), 12, 500),
                      begin = expected > 0 ? 2 * steps / 3 : steps / 3;
            std::vector<double> size;
            for (int n = 0; n < steps; ++n) {
                const StepReport report = integrator->step(*o.system, in, o.h, out);
                ASSERT_TRUE(report.ok()) << id << " at z = " << z << ", step " << n << ": " << report.message;
                std::swap(in, out);
                size.push_back(std::log(o.deviation(in).norm()));
            }
            const double measured = (size.back() - size[begin]) / (steps - 1 - begin);
            EXPECT_NEAR(measured, expected, 0.02 + 0.1 * std::abs(expected)) << id << " at z = " << z << " in " << steps << " steps";
            if (std::abs(expected) > 0.03) {
                EXPECT_EQ(measured > 0, expected > 0) << id << " at z = " << z;
            }
        }
}

// Very small steps on one oscillator, where start values are so good that a careless stopping test would keep them.
TEST(Order, OfImplicitMethodsHoldsOnOneOscillator) {
    const auto end = [](const char* id, double z, int steps) {
        const Oscillator o(Complex(0, z));
        const auto integrator = find_method(id)->make(exact);
        State in = o.state(0.02, 0), out = in;
        for (int n = 0; n < steps; ++n) {
            EXPECT_TRUE(integrator->step(*o.system, in, o.h, out).ok()) << id;
            std::swap(in, out);
        }
        return o.deviation(in);
    };
    struct Case {
        const char* id;
        double z;
    };
    for (const auto& [id, z] : {Case{"implicit-midpoint", 0.01}, Case{"tr-bdf2", 0.01}, Case{"bdf2", 0.01}, Case{"bdf3", 0.01},
                                Case{"bdf4", 0.02}, Case{"bdf5", 0.04}, Case{"bdf6", 0.08}}) {
        const int steps = static_cast<int>(std::lround(6 / z));
        const Eigen::Vector2d reference = end("rk45", z / 4, 4 * steps);
        const double coarse = (end(id, z, steps) - reference).norm(), fine = (end(id, z / 2, 2 * steps) - reference).norm();
        EXPECT_NEAR(std::log2(coarse / fine), find_method(id)->info.order, 0.15) << id << ": errors " << coarse << " " << fine;
    }
}

// The limits of the table: growth by 1 % per period is what they allow at most, and not much more would be allowed.
TEST(Stability, LimitsOfTheTableAreThoseOfTheory) {
    for (const Method& method : methods()) {
        const MethodInfo& m = method.info;
        const auto stable = [&](double y, double s) {
            return std::log(support::oscillator_growth(m.id, y, s)) * 2 * std::numbers::pi / y < 0.01 + 1e-6;
        };
        const bool any_step = !std::isfinite(m.imaginary_limit) || m.id == std::string("v-imex");  // see LargeMotion
        if (!any_step) {
            for (int i = 1; i <= 100; ++i) EXPECT_TRUE(stable(i / 100.0 * m.imaginary_limit, 0)) << m.id << " " << i;
            EXPECT_FALSE(stable(1.05 * m.imaginary_limit, 0) && stable(1.5 * m.imaginary_limit, 0)) << m.id;
        } else
            for (double y = 0.01; y < 1000; y *= 1.3) EXPECT_TRUE(stable(y, 0)) << m.id << " at h omega = " << y;
        const auto shrinks = [&](double s) { return support::oscillator_growth(m.id, 1e-6, s) < 1 + 1e-9; };
        for (int i = 1; i <= 100; ++i) EXPECT_TRUE(shrinks(i / 100.0 * std::min(m.real_limit, 1e6))) << m.id << " " << i;
        if (std::isfinite(m.real_limit)) {
            EXPECT_FALSE(shrinks(1.01 * m.real_limit)) << m.id;
        }
    }
}

// v-imex, whose limit is that of large motion: a beam that swings by its own length keeps its energy below the limit and does not beyond.
TEST(Stability, TheLimitOfVariationalImexIsThatOfLargeMotion) {
    const Method& method = *find_method("v-imex");
    const MechanicalSystem system =
        support::cantilever(support::box_tets(10, 1, 1, 0.1), {.stiffness = 1e5, .edge_stiffness = 1e4, .gravity = 0}, 1);
    BlockMatrix K(system.pattern());
    system.stiffness(system.rest(), K);
    const double omega_max = highest_frequency(Linearized{system.workers(), K, system.mass(), system.inverse_mass(), 0, 0});
    const auto largest_energy = [&](double h_omega) {
        const auto integrator = method.make(exact);
        State in{0, system.rest(), VecX::Zero(3 * system.particles())}, out = in;
        for (int i = 0; i < system.particles(); ++i) particle(in.v, i) = in.q[3 * i] * Vec3(0, 8, 4);
        const double before = system.kinetic_energy(in.v), h = h_omega / omega_max;
        double most = 0;
        for (int n = 0; n * h < 1 && most < 100; ++n) {
            if (!integrator->step(system, in, h, out).ok()) return 100.0;
            std::swap(in, out);
            most = std::max(most, (system.kinetic_energy(in.v) + system.elastic_energy(in.q)) / before);
            if (!std::isfinite(most)) return 100.0;
        }
        return most;
    };
    EXPECT_LT(largest_energy(0.8 * method.info.imaginary_limit), 1.1);
    EXPECT_GT(largest_energy(6 * method.info.imaginary_limit), 10);
}

// Between the two limits: everything the rule of MethodInfo allows.
TEST(Stability, WhatTheTableAllowsIsStable) {
    for (const Method& method : methods()) {
        const MethodInfo& m = method.info;
        for (double ratio = 0.001; ratio < 30; ratio *= 1.2) {  // d / (2 omega)
            const double a = std::min(1e6, 1 / m.imaginary_limit), b = 2 * ratio / m.real_limit;
            const bool limited = (a > 0 || b > 0) && ratio <= m.needed_damping;
            const double most = limited ? 0.999 * 2 / (b + std::sqrt(b * b + 4 * a * a)) : 100;
            for (int i = 1; i <= 40; ++i) {
                const double y = most * i / 40;
                EXPECT_LT(std::log(support::oscillator_growth(m.id, y, 2 * ratio * y)) * 2 * std::numbers::pi / y, 0.01)
                    << m.id << " at h omega = " << y << ", d / (2 omega) = " << ratio;
            }
        }
    }
}

}  // namespace
}  // namespace wobble
