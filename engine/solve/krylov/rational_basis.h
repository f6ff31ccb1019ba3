#pragma once
// A basis V of the space that a few start vectors b span together with
//     S b, S^2 b, ..,      S = (M + c^2 K)^-1 M = (1 + c^2 L)^-1,    L = M^-1 K,
// orthonormal in the M inner product, and K in it,  A = V^T K V.  One basis for all start vectors: motion that is projected on it,
//     x = V y,   y'' + A y = V^T M (forces),
// is that of an elastic body, the same one held to shapes in V: whatever is missing in V, its energy |x'|_M^2 + |x|_K^2 is kept.
// Solves are dear and dimensions small, so every vector is orthogonalised against all before it, twice.
#include "engine/solve/linear/shifted_factor.h"
#include "engine/solve/linearized.h"

#include <span>
#include <vector>

namespace wobble {

class RationalBasis {
public:
    static constexpr int max_starts = 10;
    static constexpr int max_dimension = 256;                // vectors; a step that begins below it is finished
    static constexpr int room = max_dimension + max_starts;  // what that may come to
    static constexpr int most_steps(int starts) { return max_dimension / starts - 1; }

    // `system` and `factor` must outlive the calls of extend(). False if a norm is not finite.
    bool start(const Linearized& system, ShiftedFactor& factor, std::span<const VecX* const> starts);
    bool extend();  // one solve per vector of the last step; false if not finite

    int steps() const { return steps_; }                        // the highest power of S
    int dimension() const { return dimension_; }                // vectors
    bool complete() const { return first_new_ == dimension_; }  // more steps add nothing
    bool full() const { return dimension_ >= max_dimension; }

    const VecX& vector(int j) const { return v_[j]; }
    auto A() const { return A_.topLeftCorner(dimension_, dimension_); }         // its lower triangle
    auto start_vector(int s) const { return starts_.col(s).head(dimension_); }  // V^T M b

    long solves() const { return solves_; }      // since start()
    long products() const { return products_; }  // with K

private:
    bool add(VecX&, double* coefficients);
    bool multiply();
    template <class Body>
    void for_blocks(Body&&) const;
    void inner_products(const VecX& w, int count);  // of the first vectors with w, into inner_
    double subtract(VecX& w, int count);            // those times the vectors from w; returns |w|_M, product_ = M w

    const Linearized* system_ = nullptr;
    ShiftedFactor* factor_ = nullptr;
    int steps_ = 0, dimension_ = 0, first_new_ = 0;
    long solves_ = 0, products_ = 0;
    std::vector<VecX> v_;
    Eigen::MatrixXd A_, starts_;
    VecX product_, inner_;
    Eigen::MatrixXd parts_;      // of sums, a column per block of unknowns
    std::vector<double> right_;  // of a step, one vector after the other
};

}  // namespace wobble
