// The bridge from scalar test equations to the integrators of bodies must be exact, or nothing above it can be trusted.
#include "engine/study/oscillator.h"

#include "engine/integrate/methods.h"
#include "engine/study/examples.h"
#include "engine/study/integrate_fixed.h"
#include "engine/study/stability_functions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wobble {
namespace {

using Complex = std::complex<double>;

TEST(Oscillator, ForceIsExactlyLinearAtAnyAmplitude) {
    const OscillatorBank bank({.mass = 2, .alpha = -3, .gravity = 10, .centre = -1, .stiffness = {7, 0.5}, .q = {1, 1}, .v = {0, 0}});
    for (const double y : {-1.0, 0.0, 3.0, 1e-9, 1e9}) {
        State s = bank.start();
        s.q[4] = s.q[7] = y;
        s.v[4] = s.v[7] = 5;
        VecX f = VecX::Zero(s.q.size());
        bank.system().force(s.q, s.v, f);
        for (const auto& [at, k] : {std::pair{4, 7.0}, std::pair{7, 0.5}}) {
            const double expected = -k * (y + 1) - 2 * -3.0 * 5 - 2 * 10.0;
            EXPECT_NEAR(f[at], expected, 1e-12 * std::max(1.0, std::abs(expected))) << y;
        }
        EXPECT_EQ(f[3], 0);
        EXPECT_EQ(f[5], 0);
    }
}

// On an eigenvector every method for first-order systems gives its scalar result R(z)^n.
TEST(Oscillator, MethodsGiveTheirScalarResult) {
    const std::pair<const char*, Complex (*)(Complex)> scalar[] = {
        {"euler", [](Complex z) { return 1.0 + z; }},
        {"midpoint", [](Complex z) { return 1.0 + z + z * z / 2.0; }},
        {"rk4", [](Complex z) { return 1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0; }},
        {"implicit-euler", [](Complex z) { return 1.0 / (1.0 - z); }},
        {"implicit-midpoint", [](Complex z) { return (1.0 + z / 2.0) / (1.0 - z / 2.0); }},
        {"exprb2", [](Complex z) { return std::exp(z); }},
    };
    for (const auto& [id, R] : scalar) {
        const Method* method = find_method(id);
        ASSERT_TRUE(method) << id;
        for (const Complex lambda : {Complex(-0.7, 1.3), Complex(0.4, 2.0), Complex(-3, 0.1)}) {
            const double h = 0.4;
            const OscillatorBank bank(dahlquist({lambda, Complex(lambda.real(), 0.3)}));
            const FixedRun run = integrate_fixed(bank.system(), *method->make({.solver = {.tolerance = 1e-12}}), bank.start(), h, 9);
            ASSERT_TRUE(run.ok()) << id << ": " << run.message;
            const Complex a = amplitude(OscillatorBank::position(run.end, 0), OscillatorBank::velocity(run.end, 0), lambda);
            const Complex expected = std::pow(R(h * lambda), 9);
            EXPECT_LT(std::abs(a - expected), 2e-10 * std::max(1.0, std::abs(expected))) << id << " " << lambda;
            EXPECT_NEAR(run.end.t, 9 * h, 1e-12);
        }
    }
}

// The stated solutions satisfy their equations: y'' by differences of v.
TEST(Oscillator, ExamplesSolveTheirEquations) {
    ASSERT_EQ(examples().size(), 5u);
    for (const Example& e : examples()) {
        EXPECT_NEAR(e.y(0), e.y0, 1e-14) << e.id;
        EXPECT_NEAR(e.v(0), e.v0, 1e-13) << e.id;
        for (const double part : {0.1, 0.5, 0.9}) {
            const double t = part * e.end, d = 1e-5 * e.end;
            const double a = (e.v(t + d) - e.v(t - d)) / (2 * d), v = (e.y(t + d) - e.y(t - d)) / (2 * d);
            const double scale = e.size() * std::max(1.0, e.kappa);
            EXPECT_NEAR(a, -e.alpha * e.v(t) - e.kappa * (e.y(t) - e.centre) - e.gravity, 1e-6 * scale) << e.id;
            EXPECT_NEAR(v, e.v(t), 1e-6 * scale) << e.id;
            if (e.lambda != 0) {
                EXPECT_NEAR(e.y(t), std::exp(e.lambda * t), 1e-12 * e.size()) << e.id;
            }
        }
    }
    // The paper's formula for its second example.
    const Example& e = examples()[2];
    const double t = 1.7, r = std::sqrt(15.0);
    EXPECT_NEAR(e.y(t), r / 15 * (std::exp((-5 + r) * t / 2) - std::exp(-(5 + r) * t / 2)), 1e-14);
}

TEST(StabilityFunctions, AreConsistent) {  // R(z) = e^z + O(z^(p+1)): growth tells the order
    for (const Method& m : methods()) {
        const Complex z(-0.08, 0.03);
        if (const auto growth = analytic_growth(m.info.id, z)) {
            const double defect = std::abs(*growth - std::exp(z.real()));
            EXPECT_LT(defect, 2 * std::pow(std::abs(z), m.info.order + 1)) << m.info.id;
        }
    }
    // Known limits: rk4 to 2 sqrt 2 on the imaginary axis, BDF-2 stable on the left, unstable in its lobe, BDF-6 unstable near the axis.
    EXPECT_LT(*analytic_growth("rk4", {0, 2.82}), 1);
    EXPECT_GT(*analytic_growth("rk4", {0, 2.84}), 1);
    EXPECT_LT(*analytic_growth("bdf2", {-0.01, 3}), 1);
    EXPECT_GT(*analytic_growth("bdf2", {1, 0.5}), 1);
    EXPECT_GT(*analytic_growth("bdf6", {-1, 5}), 1);
    EXPECT_LT(*analytic_growth("bdf6", {-30, 1}), 1);
    EXPECT_NEAR(*analytic_growth("verlet", {0, 1.9}), 1, 1e-9);
    EXPECT_GT(*analytic_growth("verlet", {0, 2.1}), 1.1);
}

}  // namespace
}  // namespace wobble
