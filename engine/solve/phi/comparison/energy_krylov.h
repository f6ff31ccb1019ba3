#pragma once
// Krylov space of J in the energy inner product
//     <(a, b), (c, d)> = a^T (K + sigma M) c + b^T M d,
// the space that Arnoldi builds from (Omega x, v), Omega = sqrt(M^-1/2 K M^-1/2), without the square root: T J T^-1 is the matrix there,
// T = diag(Omega, I).
// Undamped, sigma = 0 and K >= 0: J is skew-adjoint, H skew-symmetric and tridiagonal,
//     h_{j+1,j} u_{j+1} = J u_j + h_{j,j-1} u_{j-1}:          one pass over K and the vectors, nothing to orthogonalise against.
// Otherwise (damping, or a shift sigma > 0 that makes K + sigma M definite): long orthogonalisation, as in arnoldi.h.
// Every vector carries z = (K + sigma M) x, so that one product, K v_j, makes both J u_{j+1} and the inner products with it.
// x^T K x below -1e-12 omega^2 x^T M x (omega: frequency_scale()) is not rounding: the outcome is `indefinite`, and rayleigh() tells
// the quotient. Smaller ones count as zero: motions without energy (a free body's) have no length here, only their vectors.
#include "engine/solve/krylov/krylov_process.h"

namespace wobble {

class EnergyKrylov final : public KrylovProcess {
public:
    explicit EnergyKrylov(int max_dimension) : KrylovProcess(max_dimension) {}

    void set_shift(double sigma) { sigma_ = sigma; }
    double rayleigh() const { return rayleigh_; }  // x^T K x / x^T M x where it was found negative

    Outcome start(const Linearized&, const VecX& x, const VecX& v) override;
    Outcome extend() override;
    void add(std::span<const double> weights, double next_weight, VecX& x, VecX& v) const override;

private:
    struct Sums {
        double xz = 0, mxx = 0, mvv = 0;
    };
    static constexpr int chunk = 16;  // vectors per allocation
    Outcome judge(const Sums&, double& square);
    Sums short_step();
    Sums long_step(double& Ju);
    void project(int block, double* sums) const;
    void sum_parts();
    Sums subtract();
    void reserve(int vectors);
    int stride_vectors() const { return skew_ ? 2 : 3; }
    double* x(int j) { return basis_[j / chunk].data() + static_cast<std::size_t>(j % chunk) * stride_vectors() * n_; }
    double* v(int j) { return x(j) + n_; }
    double* z(int j) { return skew_ ? recent_[j % 3].data() : x(j) + 2 * n_; }
    const double* x(int j) const { return const_cast<EnergyKrylov*>(this)->x(j); }
    const double* v(int j) const { return const_cast<EnergyKrylov*>(this)->v(j); }
    const double* z(int j) const { return const_cast<EnergyKrylov*>(this)->z(j); }

    const Linearized* system_ = nullptr;
    double sigma_ = 0, omega2_ = 1, rayleigh_ = 0;
    std::size_t n_ = 0;
    std::vector<std::vector<double>> basis_;  // raw; u_j = scale_[j] * raw_j
    std::vector<double> recent_[3];           // z of the last vectors, where no others are needed
    std::vector<double> scale_, parts_, sums_, coefficients_;
};

}  // namespace wobble
