#include "engine/solve/small_phi.h"

#include <cassert>
#include <cmath>

namespace wobble {

namespace {

constexpr double factorial[] = {1, 1, 2, 6, 24, 120};

}  // namespace

// Scaling and doubling, which needs no division by z and so works for theta = 0, theta < 0 and overdamped blocks alike:
//     phi_top(z) = sum_j z^j / (j + top)!  for small z,      phi_{k-1}(z) = z phi_k(z) + 1/(k-1)!,
//     phi_k(2z) = 2^-k [ phi_0(z) phi_k(z) + sum_{j=1..k} phi_j(z) / (k-j)! ].
// The block is first balanced by diag(omega, 1), omega = sqrt|theta|, so that its norm is its largest frequency.
void oscillator_phi(double h, double theta, double alpha, double beta, int top, Phi2& phi) {
    assert(top >= 0 && top <= max_phi);
    const double omega = std::max(std::sqrt(std::abs(theta)), 1e-150);
    Eigen::Matrix2d z;
    z << 0, h * omega, -h * theta / omega, -h * (alpha + beta * theta);

    const double norm = z.cwiseAbs().maxCoeff();
    int doublings = 0;
    if (norm > 0.25) doublings = static_cast<int>(std::ceil(std::log2(norm / 0.25)));
    z *= std::ldexp(1.0, -doublings);

    const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
    Eigen::Matrix2d sum = I / factorial[top], power = I;
    double inverse = 1 / factorial[top];
    for (int j = 1; j <= 14; ++j) {
        power = (power * z).eval();
        inverse /= top + j;
        sum += inverse * power;
    }
    phi[top] = sum;
    for (int k = top; k > 0; --k) phi[k - 1] = z * phi[k] + I / factorial[k - 1];

    for (int d = 0; d < doublings; ++d) {
        for (int k = top; k >= 1; --k) {
            Eigen::Matrix2d next = phi[0] * phi[k];
            for (int j = 1; j <= k; ++j) next += phi[j] / factorial[k - j];
            phi[k] = std::ldexp(1.0, -k) * next;
        }
        phi[0] = (phi[0] * phi[0]).eval();
    }

    for (int k = 0; k <= top; ++k) phi[k](0, 1) /= omega, phi[k](1, 0) *= omega;  // undo the balancing
}

}  // namespace wobble
