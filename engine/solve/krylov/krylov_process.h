#pragma once
// A Krylov space of J from one start vector b, in some inner product:
//     J U_m = U_m H + h_{m+1,m} u_{m+1} e_m^T,     u_1 = b / beta,   beta = |b|.
// Who uses it needs H and sums over the basis, not the inner product.
#include "engine/solve/linearized.h"

#include <algorithm>
#include <span>
#include <vector>

namespace wobble {

class KrylovProcess {
public:
    enum class Outcome { good, not_finite, indefinite };  // indefinite: the inner product is none

    explicit KrylovProcess(int max_dimension) : max_dimension_(max_dimension), H_(static_cast<std::size_t>(leading()) * leading()) {}
    virtual ~KrylovProcess() = default;

    virtual Outcome start(const Linearized&, const VecX& x, const VecX& v) = 0;
    virtual Outcome extend() = 0;  // by one vector
    // (x; v) += sum_j weights[j] u_{j+1} + next_weight h_{m+1,m} u_{m+1}   (as many weights as dimension(), which may be none)
    virtual void add(std::span<const double> weights, double next_weight, VecX& x, VecX& v) const = 0;

    int dimension() const { return dimension_; }
    int max_dimension() const { return max_dimension_; }
    bool complete() const { return complete_; }  // h_{m+1,m} = 0: nothing more to find
    bool skew() const { return skew_; }          // H is skew-symmetric and tridiagonal
    double beta() const { return beta_; }
    double next() const { return dimension_ > 0 ? H(dimension_, dimension_ - 1) : 0; }  // h_{m+1,m}
    const double* H() const { return H_.data(); }                                       // column-major
    int leading() const { return max_dimension_ + 1; }
    double H(int i, int j) const { return H_[static_cast<std::size_t>(j) * leading() + i]; }
    long products() const { return products_; }  // with K, since it was made

protected:
    double& entry(int i, int j) { return H_[static_cast<std::size_t>(j) * leading() + i]; }
    void begin(double beta) {
        std::fill(H_.begin(), H_.end(), 0.0);
        dimension_ = 0;
        largest_ = 0;
        beta_ = beta;
        complete_ = beta == 0;
    }
    // After column m of H has been set: complete if h_{m+1,m} vanishes beside the largest |J u_j| so far.
    void grown(double Ju) {
        largest_ = std::max(largest_, Ju);
        ++dimension_;
        complete_ = next() <= 1e-14 * largest_;
    }

    int max_dimension_, dimension_ = 0;
    bool complete_ = false, skew_ = false;
    double beta_ = 0, largest_ = 0;
    long products_ = 0;
    std::vector<double> H_;
};

}  // namespace wobble
