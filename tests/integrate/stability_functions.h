#pragma once
// What theory says about one step on y' = lambda y, z = h lambda: the factor R(z) of one-step methods, the largest root of
// rho(zeta) - z sigma(zeta) for multistep ones (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.2, IV.3, V.1).
#include "engine/integrate/tableaus.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace wobble::support {

using Complex = std::complex<double>;

inline Complex stability_polynomial(const Tableau& t, Complex z) {
    Complex F[Tableau::most], u = 1;
    for (int i = 0; i < t.stages; ++i) {
        F[i] = 1;
        for (int j = 0; j < i; ++j) F[i] += z * t.a[i][j] * F[j];
        u += z * t.b[i] * F[i];
    }
    return u;
}

inline Complex tr_bdf2_factor(Complex z) {
    const double g = 1 - std::numbers::sqrt2 / 2;  // gamma / 2
    return (1.0 + (1 - 2 * g) * z) / ((1.0 - g * z) * (1.0 - g * z));
}

inline const std::map<std::string, std::function<Complex(Complex)>>& one_step_factors() {
    const auto exact = [](Complex z) { return std::exp(z); };
    static const std::map<std::string, std::function<Complex(Complex)>> all = {
        {"exprb2", exact},
        {"epi3", exact},
        {"epi3-leapfrog", exact},  // where pins slide it is epi3_light with bases
        {"exprb42", exact},
        {"pexprb43", exact},
        {"pexprb43-half", exact},
        {"epirk4s3", exact},
        {"gautschi", exact},
        {"exp-euler", exact},
        {"euler", [](Complex z) { return 1.0 + z; }},
        {"midpoint", [](Complex z) { return 1.0 + z + z * z / 2.0; }},
        {"rk4", [](Complex z) { return 1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0; }},
        {"rk23", [](Complex z) { return 1.0 + z + z * z / 2.0 + z * z * z / 6.0; }},
        {"rk45", [](Complex z) { return stability_polynomial(tableaus::dormand_prince, z); }},
        {"implicit-euler", [](Complex z) { return 1.0 / (1.0 - z); }},
        {"linear-implicit-euler", [](Complex z) { return 1.0 / (1.0 - z); }},
        {"imex", [](Complex z) { return 1.0 / (1.0 - z); }},  // all of a linear force is its stiff part
        {"implicit-midpoint", [](Complex z) { return (1.0 + z / 2.0) / (1.0 - z / 2.0); }},
        {"v-imex", [](Complex z) { return (1.0 + z / 2.0) / (1.0 - z / 2.0); }},
        {"tr-bdf2", tr_bdf2_factor},
    };
    return all;
}

// Largest |zeta| with c_0 zeta^k + .. + c_k = 0.
inline double largest_root(const std::vector<Complex>& c) {
    const int k = static_cast<int>(c.size()) - 1;
    Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(k, k);
    for (int j = 0; j < k; ++j) companion(0, j) = -c[j + 1] / c[0];
    for (int j = 1; j < k; ++j) companion(j, j - 1) = 1;
    return Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(companion, false).eigenvalues().cwiseAbs().maxCoeff();
}

struct Multistep {
    std::vector<double> rho, sigma;  // rho(zeta) - z sigma(zeta), highest power first
    double growth(Complex z) const {
        std::vector<Complex> c;
        for (std::size_t j = 0; j < rho.size(); ++j) c.push_back(rho[j] - z * sigma[j]);
        return largest_root(c);
    }
};

inline const std::map<std::string, Multistep>& multistep_methods() {
    static const std::map<std::string, Multistep> all = {
        {"adams2", {{1, -1, 0}, {0, 3 / 2.0, -1 / 2.0}}},
        {"adams4", {{1, -1, 0, 0, 0}, {0, 55 / 24.0, -59 / 24.0, 37 / 24.0, -9 / 24.0}}},
        {"bdf2", {{3 / 2.0, -2, 1 / 2.0}, {1, 0, 0}}},
        {"bdf3", {{11 / 6.0, -3, 3 / 2.0, -1 / 3.0}, {1, 0, 0, 0}}},
        {"bdf4", {{25 / 12.0, -4, 3, -4 / 3.0, 1 / 4.0}, {1, 0, 0, 0, 0}}},
        {"bdf5", {{137 / 60.0, -5, 5, -10 / 3.0, 5 / 4.0, -1 / 5.0}, {1, 0, 0, 0, 0, 0}}},
        {"bdf6", {{147 / 60.0, -6, 15 / 2.0, -20 / 3.0, 15 / 4.0, -6 / 5.0, 1 / 6.0}, {1, 0, 0, 0, 0, 0, 0}}},
    };
    return all;
}

// Spectral radius of a step of Verlet or symplectic Euler on q'' + d q' + omega^2 q = 0 (formulas: verlet.h, symplectic_euler.h),
// with y = h omega, s = h d and the state (q, h v).
inline Eigen::Matrix2d verlet_matrix(double y, double s) {
    const Eigen::RowVector2d q(1, 0), v(0, 1);
    const Eigen::RowVector2d half = v + (-y * y * q - s * v) / 2, q_new = q + half, v_star = 2 * half - v;
    Eigen::Matrix2d G;
    G << q_new, half + (-y * y * q_new - s * v_star) / 2;
    return G;
}
inline Eigen::Matrix2d symplectic_euler_matrix(double y, double s) {
    const Eigen::RowVector2d q(1, 0), v(0, 1), v_new = v - y * y * q - s * v;
    Eigen::Matrix2d G;
    G << q + v_new, v_new;
    return G;
}
// From trace and determinant: accurate for defective matrices too.
inline double spectral_radius(const Eigen::Matrix2d& G) {
    const double half = G.trace() / 2, det = G.determinant(), root = half * half - det;
    return root <= 0 ? std::sqrt(det) : std::abs(half) + std::sqrt(root);
}

// Growth per step of any method of the table on the oscillator.
inline double oscillator_growth(const std::string& id, double y, double s) {
    if (id == "verlet") return spectral_radius(verlet_matrix(y, s));
    if (id == "symplectic-euler") return spectral_radius(symplectic_euler_matrix(y, s));
    double growth = 0;
    const Complex root = std::sqrt(Complex(s * s / 4 - y * y));
    for (const Complex z : {-s / 2 + root, -s / 2 - root})
        growth = std::max(growth,
                          one_step_factors().contains(id) ? std::abs(one_step_factors().at(id)(z)) : multistep_methods().at(id).growth(z));
    return growth;
}

}  // namespace wobble::support
