#pragma once
// The examples of Hauth 2004, section 2, as oscillators with known solutions. All are  y'' + alpha y' + kappa (y - c) + g = 0:
//   1   y' = lambda y, y(0) = 1, lambda = 2 and -15, t in [0, 1]       alpha = -2 lambda, kappa = lambda^2, y'(0) = lambda (oscillator.h)
//   2   y'' = -5 y' - 5/2 y, y(0) = 0, y'(0) = 1, t in [0, 10]
//   3   hanging spring z'' = k (l0 - z)/m - d/m z' + g_z, m 0.1, k 100, l0 -1, d 1, g_z -10, z(0) = -1, z'(0) = -5, t in [0, 2]
//   -   y'' = -5 y, y(0) = 0, y'(0) = 1, t in [0, 10]: figure 7 (the paper does not print its start and interval; these are example 2's)
// Solution about the rest position y* = c - g/kappa, with u = y - y*, delta = alpha/2, D = delta^2 - kappa:
//   u(t) = e^(-delta t) [ u0 C(t) + (v0 + delta u0) S(t) ],   v(t) = e^(-delta t) [ v0 C(t) - (delta v0 + kappa u0) S(t) ]
//   C, S = cosh(r t), sinh(r t)/r for D = r^2 > 0;   cos, sin with r^2 = -D;   1, t for D = 0
#include "engine/study/oscillator.h"

#include <span>

namespace wobble {

struct Example {
    const char* id;
    const char* title;
    double alpha, kappa, centre, gravity;  // 1/s, 1/s^2, m, m/s^2
    double mass;
    double y0, v0, end;  // end: s
    double lambda;       // of a first-order equation; 0: second order
    int fewest_steps;    // of the sweep

    Oscillators oscillator() const;
    double y(double t) const;
    double v(double t) const;
    // |y| for first-order equations, |(y, y')| for second-order ones, of the difference to the solution at the state's time.
    double error(const State&) const;
    double size_at_end() const;  // of the solution, in the same norm
    double size() const;         // largest such norm of the solution itself, at 200 times
};
std::span<const Example> examples();

}  // namespace wobble
