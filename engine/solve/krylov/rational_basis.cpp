#include "engine/solve/krylov/rational_basis.h"

#include "engine/core/reduce.h"
#include "engine/linalg/column_lanes.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace wobble {

namespace {

constexpr double nothing_left = 1e-12;  // of a vector that lies in the basis already: rounding
constexpr int least_block = 512;        // unknowns that are worth a part of a sum

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in column_lanes.h

// out[i] = w . v_i over [begin, end) for N vectors, w read once.
template <int N>
void dot(const double* w, const VecX* v, int begin, int end, double* out) {
    Columns<8> sum[N] = {};
    int k = begin;
    for (; k + 8 <= end; k += 8) {
        const Columns<8> wk = load_columns<8>(w + k);
        for (int i = 0; i < N; ++i) sum[i] += wk * load_columns<8>(v[i].data() + k);
    }
    for (int i = 0; i < N; ++i) {
        double total = 0;
        for (int lane = 0; lane < 8; ++lane) total += sum[i][lane];
        for (int rest = k; rest < end; ++rest) total += w[rest] * v[i][rest];
        out[i] = total;
    }
}

#pragma GCC diagnostic pop

// w -= sum of d[i] v_i over [begin, end), w read and written once.
template <int N>
void subtract_some(double* w, const VecX* v, const double* d, int begin, int end) {
    const double* from[N];
    double by[N];
    for (int i = 0; i < N; ++i) from[i] = v[i].data(), by[i] = d[i];
    for (int k = begin; k < end; ++k) {
        double left = w[k];
        for (int i = 0; i < N; ++i) left -= by[i] * from[i][k];
        w[k] = left;
    }
}

}  // namespace

bool RationalBasis::start(const Linearized& system, ShiftedFactor& factor, std::span<const VecX* const> starts) {
    assert(starts.size() <= max_starts);
    system_ = &system;
    factor_ = &factor;
    steps_ = dimension_ = first_new_ = 0;
    solves_ = products_ = 0;
    v_.resize(room + 1);
    A_.resize(room, room);
    starts_.setZero(room, max_starts);
    product_.resize(system.mass.size());
    inner_.resize(room);
    parts_.resize(room, std::clamp<Eigen::Index>(system.mass.size() / least_block, 1, reduction_blocks));
    for (std::size_t s = 0; s < starts.size(); ++s) {
        VecX& v = v_[dimension_];
        v = *starts[s];
        if (!add(v, starts_.col(static_cast<Eigen::Index>(s)).data())) return false;
    }
    return multiply();
}

bool RationalBasis::extend() {
    assert(!full() && !complete());
    const VecX& M = system_->mass;
    const int n = static_cast<int>(M.size()), count = dimension_ - first_new_, first = first_new_;
    right_.resize(std::max(right_.size(), static_cast<std::size_t>(n) * count));
    for (int c = 0; c < count; ++c) {
        const VecX& v = v_[first + c];
        double* right = right_.data() + static_cast<std::size_t>(n) * c;
        system_->workers.ranges(n, [&](int begin, int end) {
            for (int k = begin; k < end; ++k) right[k] = M[k] * v[k];
        });
    }
    factor_->solve(system_->workers, right_.data(), right_.data(), count);
    solves_ += count;
    ++steps_;
    first_new_ = dimension_;
    for (int c = 0; c < count; ++c) {
        VecX& v = v_[dimension_];
        v = Eigen::Map<const VecX>(right_.data() + static_cast<std::size_t>(n) * c, n);
        if (!add(v, nullptr)) return false;
    }
    return multiply();
}

// The unknowns in blocks whose number depends on theirs alone: sums of parts, added in order, have the same bits for any number of threads.
template <class Body>
void RationalBasis::for_blocks(Body&& body) const {
    const long n = system_->mass.size(), blocks = parts_.cols();
    if (blocks == 1) return body(0, 0, static_cast<int>(n));
    system_->workers.ranges(static_cast<int>(blocks), [&](int first, int last) {
        for (int block = first; block < last; ++block)
            body(block, static_cast<int>(n * block / blocks), static_cast<int>(n * (block + 1) / blocks));
    });
}

void RationalBasis::inner_products(const VecX& w, int count) {
    for_blocks([&](int block, int begin, int end) {
        double* const out = parts_.col(block).data();
        int i = 0;
        for (; i + 4 <= count; i += 4) dot<4>(w.data(), &v_[i], begin, end, out + i);
        for (; i < count; ++i) dot<1>(w.data(), &v_[i], begin, end, out + i);
    });
    inner_.head(count) = parts_.col(0).head(count);
    for (Eigen::Index block = 1; block < parts_.cols(); ++block) inner_.head(count) += parts_.col(block).head(count);
}

double RationalBasis::subtract(VecX& w, int count) {
    for_blocks([&](int block, int begin, int end) {
        int i = 0;
        for (; i + 4 <= count; i += 4) subtract_some<4>(w.data(), &v_[i], &inner_[i], begin, end);
        for (; i < count; ++i) subtract_some<1>(w.data(), &v_[i], &inner_[i], begin, end);
        double* const weighed = product_.data();
        for (int k = begin; k < end; ++k) weighed[k] = system_->mass[k] * w[k];
        dot<1>(weighed, &w, begin, end, parts_.col(block).data());
    });
    double square = 0;
    for (Eigen::Index block = 0; block < parts_.cols(); ++block) square += parts_(0, block);
    return std::sqrt(square);
}

// Orthogonalises w, the vector after the last one, and makes it part of the basis unless nothing is left of it. coefficients: where its own
// in the basis go, if wanted. False if not finite.
bool RationalBasis::add(VecX& w, double* coefficients) {
    const double size = subtract(w, 0);
    if (!std::isfinite(size)) return false;
    double left = size;
    for (int pass = 0; pass < 2 && dimension_ > 0; ++pass) {
        inner_products(product_, dimension_);
        left = subtract(w, dimension_);
        for (int i = 0; coefficients && i < dimension_; ++i) coefficients[i] += inner_[i];
    }
    if (!std::isfinite(left)) return false;
    if (!(left > nothing_left * size)) return true;
    if (coefficients) coefficients[dimension_] = left;
    w /= left;
    ++dimension_;
    return true;
}

// The rows of A that the vectors of the last step add. False if not finite.
bool RationalBasis::multiply() {
    const BlockMatrix& K = system_->K.blocks();
    for (int j = first_new_; j < dimension_; ++j) {
        K.multiply(system_->workers, v_[j], product_);
        ++products_;
        inner_products(product_, j + 1);
        if (!inner_.head(j + 1).allFinite()) return false;
        A_.row(j).head(j + 1) = inner_.head(j + 1);
    }
    return true;
}

}  // namespace wobble
