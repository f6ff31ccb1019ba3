#pragma once
// J (x; v) = (v; -W K x - W D v), row by row, for the general Krylov evaluators; with Rayleigh damping
//     -W K (x + beta v) - alpha v,        one product with K.
#include "engine/solve/linearized.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace wobble {

class Jacobian {
public:
    explicit Jacobian(const Linearized& system)  // not from inside a loop of the workers
        : K_(system.K.blocks()),
          W_(system.inverse_mass.data()),
          alpha_(system.D ? 0 : system.alpha),
          beta_(system.D ? 0 : system.beta),
          other_(system.D.other()) {
        if (const BlockMatrix* D = system.D.blocks()) D_.emplace(*D);
    }

    int products() const { return D_ || other_ ? 2 : 1; }  // with sparse matrices, per application
    double beta() const { return beta_; }                  // what row() wants as its argument: x + beta v

    // a = the velocity part of J (x; v), three numbers of particle i.
    void row(int i, const double* argument, const double* v, double* a) const {
        K_.multiply<1>(i, argument, a);
        if (D_ || other_) {
            double d[3];
            if (D_) D_->multiply<1>(i, v, d);
            else other_->row(i, v, d);
            for (int c = 0; c < 3; ++c) a[c] += d[c];
        }
        const std::size_t at = 3 * static_cast<std::size_t>(i);
        for (int c = 0; c < 3; ++c) a[c] = -W_[at] * a[c] - alpha_ * v[at + c];
    }

private:
    BlockRows K_;
    std::optional<BlockRows> D_;
    const double* W_;
    double alpha_, beta_;
    const DampingOperator* other_;
};

// Largest diagonal entry of M^-1 K: the size of that matrix, against which "complete" is judged.
double diagonal_scale(const Linearized&);
double diagonal_scale(const Linearized&, std::vector<double>& sums);  // from the edges if there are any; sums: workspace, zero

// sqrt of twice the largest diagonal entry of M^-1 K: for springs an upper bound of the highest frequency in one direction, since
// (a - b)^2 <= 2 a^2 + 2 b^2, and close to it. 1 if there is none.
double frequency_scale(const Linearized&);

// sqrt( |x - x0|_K^2 + |v - v0|_M^2 ) (absolute value of the first where K is indefinite); null: zero. One product with K; d is workspace.
double energy_distance(const Linearized&, const VecX& x, const VecX& v, const VecX* x0, const VecX* v0, VecX& d);

// The same of up to four (x; v) at once: K is read once for all of them.
struct EnergyState {
    const VecX *x, *v;
};
void energy_distances(const Linearized&, std::span<const EnergyState>, const VecX& x0, const VecX& v0, VecX& d, double* out);

}  // namespace wobble
