#pragma once
// Lanczos for A = M^-1 K in the M inner product, for up to six start vectors at once. It is the ordinary Lanczos process
// for the symmetric L = M^-1/2 K M^-1/2 written in unscaled variables: no square root of M, no scaled copy of K.
// For each start vector b (column c):  A V_m = V_m T_m + beta_m v_{m+1} e_m^T,   V_m^T M V_m = I,   v_1 = b / |b|_M.
// Columns are side by side in memory (column_lanes.h), so that one pass over K serves all of them; no reorthogonalisation. K is read from
// its edges where there are any (edge_matrix.h).
#include "engine/linalg/large_pages.h"
#include "engine/solve/linearized.h"

#include <span>
#include <vector>

namespace wobble {

class Lanczos {
public:
    static constexpr int max_columns = 6;

    explicit Lanczos(int max_dimension) : max_dimension_(max_dimension) {}

    // Begins new bases, without touching the old memory if it is large enough. `system` must outlive the calls of extend().
    // Start vectors must vanish on held particles. False if a norm is not finite.
    bool start(const Linearized& system, std::span<const VecX* const> starts);
    // One product with K; every basis grows by one vector unless it has become invariant. False if not finite.
    bool extend();

    int columns() const { return columns_; }
    int dimension() const { return dimension_; }              // steps taken
    int dimension(int c) const { return own_dimension_[c]; }  // of column c: smaller once invariant
    int max_dimension() const { return max_dimension_; }
    bool invariant() const;                        // all bases complete: more steps add nothing
    double norm(int c) const { return norm_[c]; }  // |b|_M
    std::span<const double> diagonal(int c) const { return {alpha_[c].data(), static_cast<std::size_t>(own_dimension_[c])}; }
    std::span<const double> off_diagonal(int c) const { return {beta_[c].data(), static_cast<std::size_t>(own_dimension_[c])}; }
    double next_beta(int c) const;                     // beta_m; zero once invariant
    double ritz_bound() const { return ritz_bound_; }  // Gershgorin bound of all |T|: grows towards omega_max^2

    // x = sum_c V_c a_c, v = sum_c V_c b_c for several outputs in one pass over the bases; coefficient j of column c at
    // [j * columns + c], for j < dimension().
    struct Output {
        const double *a, *b;
        VecX *x, *v;
    };
    static constexpr int max_outputs = 4;  // per pass
    void combine(std::span<const Output>) const;

private:
    template <class Use>
    void with_width(Use&&) const;  // use(integral constant of width_)
    void reserve(int vectors);
    template <int P>
    bool extend_columns();
    template <int P, class MakeRows>
    bool extend_with(MakeRows&&);
    template <int P>
    void combine_columns(std::span<const Output>) const;
    double* basis(int j) { return memory()[j / chunk].data() + static_cast<std::size_t>(j % chunk) * stride_; }
    const double* basis(int j) const { return memory()[j / chunk].data() + static_cast<std::size_t>(j % chunk) * stride_; }

    static constexpr int chunk = 16;  // vectors per allocation: memory follows the dimension that was needed

    int max_dimension_, columns_ = 0, width_ = 1, dimension_ = 0;  // width: columns, or 8 if more than 4
    std::size_t n_ = 0, stride_ = 0;  // unknowns; numbers from one vector to the next: products may read past the end of one
    const Linearized* system_ = nullptr;
    // Raw vectors, v_j = scale_[j] * basis(j). One column and several have memory of their own: each thread then always writes the same
    // parts of it, and no cache line wanders from core to core (a quarter of the time of a sweep where cores share no cache).
    using Basis = std::vector<LargeVector<double>>;
    Basis of_one_, of_several_;
    Basis& memory() { return columns_ == 1 ? of_one_ : of_several_; }
    const Basis& memory() const { return columns_ == 1 ? of_one_ : of_several_; }
    std::vector<double> sums_;              // of EdgeRows
    mutable std::vector<double> repeated_;  // weights of combine() as registers want them
    std::vector<double> scale_[max_columns], alpha_[max_columns], beta_[max_columns];
    double norm_[max_columns] = {};
    int own_dimension_[max_columns] = {};
    bool done_[max_columns] = {};
    double ritz_bound_ = 0, operator_scale_ = 0;
};

}  // namespace wobble
