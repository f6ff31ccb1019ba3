#include "engine/solve/phi/small_phi.h"

#include <cassert>
#include <cmath>

namespace wobble {

namespace {

constexpr double factorial[] = {1, 1, 2, 6, 24, 120};

// Undamped: phi_k(hB) = P_k I + P_{k+1} hB,  with P_0 = cos, P_1 = sin(w)/w, P_{k+2} = (1/k! - P_k) / w^2,  w = h sqrt(theta),
// and the hyperbolic functions where theta < 0. Near w = 0 by the series P_k = sum_j (-w^2)^j / (k + 2j)!.
void undamped_phi(double h, double theta, int top, Phi2& phi) {
    const double w2 = h * h * theta;
    double P[max_phi + 2];
    if (std::abs(w2) < 2) {
        for (int k = top; k <= top + 1; ++k) {
            double term = 1 / factorial[k], sum = term;
            for (int j = 1; j <= 11; ++j) {
                term *= -w2 / ((k + 2 * j - 1) * (k + 2 * j));
                sum += term;
            }
            P[k] = sum;
        }
        for (int k = top - 1; k >= 0; --k) P[k] = 1 / factorial[k] - w2 * P[k + 2];
    } else {
        const double w = std::sqrt(std::abs(w2));
        P[0] = w2 > 0 ? std::cos(w) : std::cosh(w);
        P[1] = (w2 > 0 ? std::sin(w) : std::sinh(w)) / w;
        for (int k = 2; k <= top + 1; ++k) P[k] = (1 / factorial[k - 2] - P[k - 2]) / w2;
    }
    for (int k = 0; k <= top; ++k) phi[k] << P[k], h * P[k + 1], -h * theta * P[k + 1], P[k];
}

// phi_0 .. phi_top of a number z <= 0.
void scalar_phi(double z, int top, double* phi) {
    phi[0] = std::exp(z);
    if (z < -1) {
        for (int k = 1; k <= top; ++k) phi[k] = (phi[k - 1] - 1 / factorial[k - 1]) / z;
        return;
    }
    double term = 1 / factorial[top], sum = term;
    for (int j = 1; j <= 18; ++j) {
        term *= z / (top + j);
        sum += term;
    }
    phi[top] = sum;
    for (int k = top - 1; k >= 1; --k) phi[k] = z * phi[k + 1] + 1 / factorial[k];
}

// Far enough below critical damping: the eigenvalues of hB are z = p + iq and its conjugate, p = -d/2, |z|^2 = c, and
//     phi_k(hB) = Re phi_k(z) I + Im phi_k(z) / q (hB - p I).
// phi_k(z) by its recurrence, or by its series where that would cancel.
void underdamped_phi(double h, double theta, double c, double d, int top, Phi2& phi) {
    const double p = -0.5 * d, q = std::sqrt(c - p * p);
    double re[max_phi + 1], im[max_phi + 1];
    if (c > 1) {
        const double size = std::exp(p);
        re[0] = size * std::cos(q), im[0] = size * std::sin(q);
        for (int k = 1; k <= top; ++k) {
            const double a = re[k - 1] - 1 / factorial[k - 1], b = im[k - 1];
            re[k] = (a * p + b * q) / c, im[k] = (b * p - a * q) / c;
        }
    } else {
        double a = 1 / factorial[top], b = 0;  // the term z^j / (j + top)!
        re[top] = a, im[top] = b;
        for (int j = 1; j <= 18; ++j) {
            const double next = (a * p - b * q) / (top + j);
            b = (a * q + b * p) / (top + j), a = next;
            re[top] += a, im[top] += b;
        }
        for (int k = top; k > 0; --k) {
            re[k - 1] = re[k] * p - im[k] * q + 1 / factorial[k - 1];
            im[k - 1] = re[k] * q + im[k] * p;
        }
    }
    for (int k = 0; k <= top; ++k) {
        const double by = im[k] / q;
        phi[k] << re[k] - by * p, by * h, -by * h * theta, re[k] + by * p;
    }
}

}  // namespace

// Scaling and doubling for the damped rest, which needs no division by z and so works for theta = 0, theta < 0 and critical damping alike:
//     phi_top(z) = sum_j z^j / (j + top)!  for small z,      phi_{k-1}(z) = z phi_k(z) + 1/(k-1)!,
//     phi_k(2z) = 2^-k [ phi_0(z) phi_k(z) + sum_{j=1..k} phi_j(z) / (k-j)! ].
// The block is first balanced by diag(omega, 1), omega = sqrt|theta|, so that its norm is its largest frequency.
void oscillator_phi(double h, double theta, double alpha, double beta, int top, Phi2& phi) {
    assert(top >= 0 && top <= max_phi);
    if (alpha == 0 && beta == 0) return undamped_phi(h, theta, top, phi);
    const double d = h * (alpha + beta * theta), c = h * h * theta;
    if (d >= 0 && d * d < 3.6 * c) return underdamped_phi(h, theta, c, d, top, phi);
    // Beyond critical damping the eigenvalues l of hB are real, negative and apart, l^2 + d l + c = 0, and
    //     phi_k(hB) = [ phi_k(l1) (hB - l2) - phi_k(l2) (hB - l1) ] / (l1 - l2).
    // Doubling would lose digits in proportion to d, the fast one, in what the slow one does.
    if (theta > 0 && d > 2 && d * d > 4.5 * c) {
        const double l1 = -0.5 * (d + std::sqrt(d * d - 4 * c)), l2 = c / l1;
        double fast[max_phi + 1], slow[max_phi + 1];
        scalar_phi(l1, top, fast);
        scalar_phi(l2, top, slow);
        Eigen::Matrix2d hB;
        hB << 0, h, -h * theta, -d;
        const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
        for (int k = 0; k <= top; ++k) {
            phi[k] = (fast[k] * (hB - l2 * I) - slow[k] * (hB - l1 * I)) / (l1 - l2);
            phi[k](1, 1) = (fast[k] * l1 - slow[k] * l2) / (l1 - l2);  // -d - l2 = l1 without its cancellation
        }
        return;
    }
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

    for (int doubling = 0; doubling < doublings; ++doubling) {
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
