#pragma once
// What theory says about the growth per step of each method on y' = lambda y, z = h lambda: |R(z)| for one-step methods, the largest root
// of the characteristic polynomial for multistep ones, the spectral radius of the step matrix for those that treat q and v differently.
//   Runge-Kutta with s = p stages   R = 1 + z + ... + z^p / p!  (Dormand-Prince: to z^5/120, and z^6/600)
//   implicit Euler                  R = 1 / (1 - z)
//   implicit midpoint               R = (1 + z/2) / (1 - z/2)
//   TR-BDF2, gamma = 2 - sqrt 2     y_g = (1 + gamma z/2) / (1 - gamma z/2)
//                                   R = (y_g - (1-gamma)^2) / (gamma (2-gamma) (1 - (1-gamma)/(2-gamma) z))
//   BDF-k                           sum_j=1..k 1/j (1 - 1/x)^j = z
//   Adams-Bashforth                 x^k - x^(k-1) = z (b_1 x^(k-1) + ... + b_k)
//   Verlet with predicted damping   (q, v) -> see the code; symplectic Euler likewise
//   IMEX                            all of a linear force is in its stiff part, K_s = K: implicit Euler's
//   variational IMEX                likewise; (q, v) -> see the code, implicit midpoint's |R| = 1 on the imaginary axis
//   exponential                     R = e^z
#include <complex>
#include <optional>
#include <string_view>

namespace wobble {

// None: no formula here.
std::optional<double> analytic_growth(std::string_view method, std::complex<double> z);

}  // namespace wobble
