#include "engine/study/examples.h"

#include <algorithm>
#include <cmath>

namespace wobble {

namespace {

struct CoshSinh {
    double c, s;  // C(t), S(t) of the header, times e^(-delta t)
};

CoshSinh basis(double delta, double kappa, double t) {
    const double D = delta * delta - kappa;
    if (std::abs(D) < 1e-12 * delta * delta) return {std::exp(-delta * t), t * std::exp(-delta * t)};
    const double r = std::sqrt(std::abs(D));
    if (D < 0) return {std::exp(-delta * t) * std::cos(r * t), std::exp(-delta * t) * std::sin(r * t) / r};
    const double slow = std::exp((r - delta) * t), fast = std::exp(-(r + delta) * t);
    return {(slow + fast) / 2, (slow - fast) / (2 * r)};
}

}  // namespace

Oscillators Example::oscillator() const {
    return {.mass = mass, .alpha = alpha, .gravity = gravity, .centre = centre, .stiffness = {kappa * mass}, .q = {y0}, .v = {v0}};
}

double Example::y(double t) const {
    const double rest = centre - gravity / kappa, u0 = y0 - rest, delta = alpha / 2;
    const auto [c, s] = basis(delta, kappa, t);
    return rest + u0 * c + (v0 + delta * u0) * s;
}

double Example::v(double t) const {
    const double u0 = y0 - (centre - gravity / kappa), delta = alpha / 2;
    const auto [c, s] = basis(delta, kappa, t);
    return v0 * c - (delta * v0 + kappa * u0) * s;
}

double Example::error(const State& state) const {
    const double eq = OscillatorBank::position(state, 0) - y(state.t), ev = OscillatorBank::velocity(state, 0) - v(state.t);
    return lambda != 0 ? std::abs(eq) : std::hypot(eq, ev);
}

double Example::size_at_end() const { return lambda != 0 ? std::abs(y(end)) : std::hypot(y(end), v(end)); }

double Example::size() const {
    double largest = 0;
    for (int n = 0; n <= 200; ++n) {
        const double t = end * n / 200;
        largest = std::max(largest, lambda != 0 ? std::abs(y(t)) : std::hypot(y(t), v(t)));
    }
    return largest;
}

std::span<const Example> examples() {
    // id, title, alpha, kappa, centre, gravity, mass, y0, v0, end, lambda, fewest steps
    static constexpr Example table[] = {
        {"growth", "y' = 2y", -4, 4, 0, 0, 1, 1, 2, 1, 2, 2},
        {"decay", "y' = -15y", 30, 225, 0, 0, 1, 1, -15, 1, -15, 4},
        {"overdamped", "y'' = -5y' - 5/2 y", 5, 2.5, 0, 0, 1, 0, 1, 10, 0, 8},
        {"hanging-spring", "hanging damped spring", 10, 1000, -1, 10, 0.1, -1, -5, 2, 0, 8},
        {"wave", "y'' = -5y", 0, 5, 0, 0, 1, 0, 1, 10, 0, 8},
    };
    return table;
}

}  // namespace wobble
