#pragma once
// Lanczos for  S = (M + c^2 K)^-1 M  in the M inner product, in which it is self-adjoint, for a few start vectors at once:
//     S V_m = V_m T_m + t_m v_{m+1} e_m^T,     V_m^T M V_m = I,     v_1 = b / |b|_M.
// Solves are dear and dimensions small, so every vector is orthogonalised against all before it.
#include "engine/solve/linearized.h"
#include "engine/solve/shifted_factor.h"

#include <array>
#include <span>
#include <vector>

namespace wobble {

class ShiftInvertLanczos {
public:
    static constexpr int max_columns = 10;
    static constexpr int largest = 64;  // dimension

    // `system` and `factor` must outlive the calls of extend(). False if a norm is not finite.
    bool start(const Linearized& system, ShiftedFactor& factor, std::span<const VecX* const> starts);
    bool extend();  // one solve per basis that is not complete; false if not finite

    int dimension() const { return dimension_; }             // steps taken
    int dimension(int c) const { return basis_[c].own; }     // of column c: smaller once complete
    bool complete() const;                                   // more steps add nothing
    double norm(int c) const { return basis_[c].norm; }      // |b|_M
    std::span<const double> diagonal(int c) const { return {basis_[c].alpha.data(), static_cast<std::size_t>(dimension(c))}; }
    std::span<const double> off_diagonal(int c) const { return {basis_[c].t.data(), static_cast<std::size_t>(dimension(c))}; }
    double next(int c) const { return basis_[c].done || basis_[c].own == 0 ? 0 : basis_[c].t[basis_[c].own - 1]; }  // t_m
    const VecX& vector(int c, int j) const { return basis_[c].v[j]; }  // j <= dimension(c) unless complete, then j <

    long solves() const { return solves_; }  // since start()

private:
    struct Basis {
        double norm = 0;
        int own = 0;
        bool done = false;
        std::vector<VecX> v;
        std::array<double, largest> alpha, t;
    };
    bool orthogonalize(Basis&, int j);

    const Linearized* system_ = nullptr;
    ShiftedFactor* factor_ = nullptr;
    int columns_ = 0, dimension_ = 0;
    long solves_ = 0;
    std::array<Basis, max_columns> basis_;
    std::vector<double> right_;  // of the columns that go on, one after the other
};

}  // namespace wobble
