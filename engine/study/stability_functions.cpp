#include "engine/study/stability_functions.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wobble {

namespace {

using Complex = std::complex<double>;

double largest_eigenvalue(const Eigen::MatrixXcd& A) {
    return Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(A, false).eigenvalues().cwiseAbs().maxCoeff();
}

// Of a_0 x^k + a_1 x^(k-1) + ... + a_k, by its companion matrix.
double largest_root(const std::vector<Complex>& a) {
    const int k = static_cast<int>(a.size()) - 1;
    Eigen::MatrixXcd C = Eigen::MatrixXcd::Zero(k, k);
    for (int j = 0; j < k; ++j) C(0, j) = -a[j + 1] / a[0];
    for (int j = 1; j < k; ++j) C(j, j - 1) = 1;
    return largest_eigenvalue(C);
}

double runge_kutta(int p, Complex z) {
    Complex R = 1, term = 1;
    for (int j = 1; j <= p; ++j) R += term *= z / static_cast<double>(j);
    return std::abs(R);
}

double dormand_prince(Complex z) {
    Complex R = 1, term = 1;
    for (int j = 1; j <= 5; ++j) R += term *= z / static_cast<double>(j);
    return std::abs(R + term * z / 5.0);
}

double bdf(int k, Complex z) {
    // Coefficients of sum_j 1/j (1 - w)^j in w = 1/x; times x^k they are a_0 ... a_k.
    std::vector<Complex> a(k + 1, 0.0);
    for (int j = 1; j <= k; ++j) {
        double binomial = 1;
        for (int i = 0; i <= j; ++i) {
            a[i] += (i % 2 ? -1 : 1) * binomial / j;
            binomial = binomial * (j - i) / (i + 1);
        }
    }
    a[0] -= z;
    return largest_root(a);
}

double adams(const std::vector<double>& b, Complex z) {
    std::vector<Complex> a(b.size() + 1, 0.0);
    a[0] = 1;
    a[1] = -1;
    for (std::size_t j = 0; j < b.size(); ++j) a[j + 1] -= z * b[j];
    return largest_root(a);
}

double tr_bdf2(Complex z) {
    const double g = 2 - std::sqrt(2.0);
    const Complex stage = (1.0 + g / 2 * z) / (1.0 - g / 2 * z);
    return std::abs((stage - (1 - g) * (1 - g)) / (g * (2 - g) * (1.0 - (1 - g) / (2 - g) * z)));
}

// h = 1, damping at the end from the predicted velocity 2 v_half - v.
double verlet(Complex z) {
    Eigen::MatrixXcd A(2, 2);
    const double kappa = std::norm(z), alpha = -2 * z.real();
    for (int column = 0; column < 2; ++column) {
        const double q = column == 0, v = column == 1;
        const double half = v + (-kappa * q - alpha * v) / 2, q1 = q + half, f1 = -kappa * q1 - alpha * (2 * half - v);
        A(0, column) = q1, A(1, column) = half + f1 / 2;
    }
    return largest_eigenvalue(A);
}

double symplectic_euler(Complex z) {  // v1 = v + f(q, v), q1 = q + v1
    Eigen::MatrixXcd A(2, 2);
    const double kappa = std::norm(z), alpha = -2 * z.real();
    A << 1 - kappa, 1 - alpha, -kappa, 1 - alpha;
    return largest_eigenvalue(A);
}

// Leapfrog with the mass A = 1 + alpha/2 + kappa/4, damping at the midpoint.
double variational_imex(Complex z) {
    Eigen::MatrixXcd step(2, 2);
    const double kappa = std::norm(z), alpha = -2 * z.real(), A = 1 + alpha / 2 + kappa / 4;
    for (int column = 0; column < 2; ++column) {
        const double q = column == 0, v = column == 1, p = v - kappa * q / 2, w = p / A, q1 = q + w;
        step(0, column) = q1, step(1, column) = p - alpha * w - kappa * q1 / 2;
    }
    return largest_eigenvalue(step);
}

}  // namespace

std::optional<double> analytic_growth(std::string_view id, Complex z) {
    if (id == "euler") return runge_kutta(1, z);
    if (id == "midpoint") return runge_kutta(2, z);
    if (id == "rk23") return runge_kutta(3, z);
    if (id == "rk4") return runge_kutta(4, z);
    if (id == "rk45") return dormand_prince(z);
    if (id == "implicit-euler" || id == "linear-implicit-euler" || id == "imex") return 1 / std::abs(1.0 - z);
    if (id == "implicit-midpoint") return std::abs((1.0 + z / 2.0) / (1.0 - z / 2.0));
    if (id == "tr-bdf2") return tr_bdf2(z);
    if (id.size() == 4 && id.starts_with("bdf") && id[3] >= '2' && id[3] <= '6') return bdf(id[3] - '0', z);
    if (id == "adams2") return adams({3.0 / 2, -1.0 / 2}, z);
    if (id == "adams4") return adams({55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24}, z);
    if (id == "verlet") return verlet(z);
    if (id == "symplectic-euler") return symplectic_euler(z);
    if (id == "v-imex") return variational_imex(z);
    // epi3-leapfrog: stable as these are, though its factor is only near theirs
    if (id.starts_with("exp") || id.starts_with("pexprb43") || id == "gautschi" || id.starts_with("epi3") || id == "epirk4s3")
        return std::exp(z.real());
    return std::nullopt;
}

}  // namespace wobble
