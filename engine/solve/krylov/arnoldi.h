#pragma once
// The Arnoldi process of the general evaluators, for J or for the augmented matrix of KIOPS, in unit time (times T):
//     A = [ T J   B ; 0  N ],    B = nu ( T^p b_p .. T b_1 ),    N: ones above the diagonal,     A U_m = U_m H + h_{m+1,m} u_{m+1} e_m^T,
// nu a power of two that makes the largest column of B about 1: the polynomial entries start at mu = 1/nu instead of 1.
// Inner product:  <(x, v, a), (y, w, b)> = omega^2 x^T M y + v^T M w + a^T b,   omega = frequency_scale(): the first two together are
// about the largest energy that x can have, so that an error bounded in this norm is bounded in the energy norm, too.
// Each new vector is orthogonalised against the last `length` ones (incomplete orthogonalisation; 2 makes H tridiagonal) or against all, by
// classical Gram-Schmidt, repeated if it cancelled much: the basis is read once for all coefficients and once for the subtraction.
// Complete ("happy breakdown") is a basis when h_{m+1,m} <= 1e-14 max_j |A u_j|: relative to the matrix; the start vector has norm 1.
#include "engine/solve/phi/phi_evaluator.h"

#include <span>
#include <vector>

namespace wobble {

class Arnoldi {
public:
    static constexpr int all = 1 << 20;

    Arnoldi(int max_dimension, int length) : max_dimension_(max_dimension), length_(length) {}

    // The matrix of the runs to come. `system` and the terms' vectors must live as long. No terms of k >= 1: J alone, p = 0.
    void set(const Linearized& system, double T, std::span<const PhiTerm> terms);
    int p() const { return p_; }
    double mu() const { return mu_; }
    double norm(const VecX* x, const VecX* v) const;  // in the inner product above; null: zero

    // Begins a new basis with (x, v, a). False if not finite.
    bool start(const VecX& x, const VecX& v, std::span<const double> a);
    bool extend();  // by one vector; false if not finite

    int dimension() const { return dimension_; }
    int max_dimension() const { return max_dimension_; }
    bool complete() const { return complete_; }
    double beta() const { return beta_; }  // norm of the start vector
    const double* H() const { return H_.data(); }
    int leading() const { return max_dimension_ + 1; }
    int upper() const { return length_ - 1; }                                                            // diagonals above the main one
    double next() const { return dimension_ == 0 ? 0 : H_[(dimension_ - 1) * leading() + dimension_]; }  // h_{m+1,m}

    // (x; v) = sum_j weights[j] u_j for several outputs in one pass over the basis; as many weights as the output has, at most
    // dimension() + 1.
    struct Output {
        std::span<const double> weights;
        VecX *x, *v;
    };
    void combine(std::span<const Output>) const;

private:
    struct Source {  // contributes factor a_{p-k} (x; v)
        int entry;
        double factor;
        const double *x, *v;  // null: zero
    };
    static constexpr int chunk = 16;  // vectors per allocation
    void reserve(int vectors);
    double* basis(int j) { return basis_[j / chunk].data() + static_cast<std::size_t>(j % chunk) * stride_; }
    const double* basis(int j) const { return basis_[j / chunk].data() + static_cast<std::size_t>(j % chunk) * stride_; }
    void project(int first, int block, double* sums) const;  // <w, raw_i> for i = first .. dimension_, then <w, w>
    double subtract(int first);                              // w -= sum_i coefficient_i raw_i, argument; |w|^2
    void sum_parts(int first);

    int max_dimension_, length_, dimension_ = 0, p_ = 0;
    const Linearized* system_ = nullptr;
    double T_ = 1, mu_ = 1, omega2_ = 1, beta_ = 0, largest_ = 0;
    bool complete_ = false;
    std::size_t n_ = 0, stride_ = 0;
    std::vector<Source> sources_;
    std::vector<std::vector<double>> basis_;  // raw: x, v, a; u_j = scale_[j] * raw_j
    std::vector<double> scale_, H_, argument_, parts_, sums_, coefficients_;
};

}  // namespace wobble
