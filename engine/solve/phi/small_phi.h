#pragma once
// phi-functions of one damped oscillator: the 2x2 block every eigenvector of M^-1 K sees,
//     B = [ 0  1 ; -theta  -(alpha + beta theta) ],      phi_0 = exp, phi_{k+1}(z) = (phi_k(z) - 1/k!) / z.
// theta < 0 (compressed directions) is allowed: oscillation becomes growth.
#include <Eigen/Core>

#include <array>

namespace wobble {

constexpr int max_phi = 4;  // highest k in use

using Phi2 = std::array<Eigen::Matrix2d, max_phi + 1>;  // phi_0 .. phi_4 of a 2x2 matrix

// phi_k(h B(theta)) for k = 0 .. top. Accurate to about 1e-15 (1 + h sqrt|theta|); with damping below the critical one
// 1e-15 (1 + h sqrt|theta| + h (alpha + beta |theta|)).
void oscillator_phi(double h, double theta, double alpha, double beta, int top, Phi2& phi);

}  // namespace wobble
