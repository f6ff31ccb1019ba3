#pragma once
// A symmetric sparse matrix of 3x3 blocks, one block row per particle. Both triangles are stored: a product then reads
// the matrix once, writes each row once and splits over threads without conflicts, which is what phi evaluation lives on.
// Lives in core because both the model (which fills it) and the solvers (which use it) need it.
#include "engine/core/reduce.h"
#include "engine/core/types.h"
#include "engine/core/workers.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace wobble {

// Which blocks exist: columns of each row ascending, the diagonal always present.
struct BlockPattern {
    std::vector<int> row_begin;  // rows + 1
    std::vector<int> column;     // one per block
    std::vector<int> diagonal;   // block index of (i, i)

    // From index pairs in any order, with repetitions; (j, i) is added for every (i, j).
    BlockPattern(int rows, const std::vector<std::pair<int, int>>& pairs);
    int rows() const { return static_cast<int>(diagonal.size()); }
    int blocks() const { return static_cast<int>(column.size()); }
    int find(int i, int j) const;  // block index; the block must exist

    // Calls body(begin, end) for one range of rows per worker, of about as many blocks each.
    template <class Body>
    void split(Workers& workers, Body&& body) const {
        const auto first = [&](int part) {
            const int block = workers.range_begin(blocks(), part);
            return static_cast<int>(std::lower_bound(row_begin.begin(), row_begin.end(), block) - row_begin.begin());
        };
        workers.run([&](int part) {
            const int begin = first(part), end = first(part + 1);
            if (begin < end) body(begin, end);
        });
    }
};

class BlockMatrix {
public:
    explicit BlockMatrix(std::shared_ptr<const BlockPattern>);

    const BlockPattern& pattern() const { return *pattern_; }
    int rows() const { return pattern_->rows(); }  // block rows

    // Column-major 3x3 block; four doubles may be read from any of its columns (the array is padded).
    double* block(int index) { return values_.data() + 9 * static_cast<std::size_t>(index); }
    const double* block(int index) const { return values_.data() + 9 * static_cast<std::size_t>(index); }
    Eigen::Map<const Mat3> at(int index) const { return Eigen::Map<const Mat3>(block(index)); }
    std::size_t bytes() const { return values_.size() * sizeof(double) + pattern_->column.size() * sizeof(int); }

    void multiply(Workers&, const VecX& x, VecX& y) const;  // y = A x

    template <int C>
    void multiply_columns(Workers&, const double* x, double* y) const;  // the same for C interleaved columns, laid out as below

    // One block row times C interleaved columns: y[d * C + c] = sum_j (A_ij x_j)[d], x laid out as x[(3 j + d) * C + c].
    template <int C>
    void multiply_row(int row, const double* x, double* y) const;

private:
    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<double> values_;
};

template <int C>
inline void BlockMatrix::multiply_columns(Workers& workers, const double* x, double* y) const {
    pattern_->split(workers, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) multiply_row<C>(i, x, y + static_cast<std::size_t>(3 * C) * i);
    });
}

namespace block_columns {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // processors without such registers pass lanes in memory, if a call is left at all

typedef double Lane __attribute__((vector_size(32)));  // rows 0..2 of a block column, and one number too many that is dropped
typedef double UnalignedLane __attribute__((vector_size(32), aligned(8), may_alias));

// Left alone, the compiler reads a block's column from memory again for each column of x, and loads are what a product of several
// columns runs out of when the matrix is in the cache.
[[gnu::always_inline]] inline Lane load(const double* p) {
    Lane a = *reinterpret_cast<const UnalignedLane*>(p);
#ifdef __AVX__
    asm("" : "+x"(a));
#endif
    return a;
}

#pragma GCC diagnostic pop

}  // namespace block_columns

template <int C>
inline void BlockMatrix::multiply_row(int row, const double* x, double* y) const {
    using block_columns::Lane;
    Lane sum[C] = {};
    const int end = pattern_->row_begin[row + 1];
    for (int k = pattern_->row_begin[row]; k < end; ++k) {
        const double* a = block(k);
        const double* xj = x + static_cast<std::size_t>(3 * C) * pattern_->column[k];
        const Lane a0 = block_columns::load(a), a1 = block_columns::load(a + 3), a2 = block_columns::load(a + 6);
        for (int c = 0; c < C; ++c) sum[c] += a0 * xj[c] + a1 * xj[C + c] + a2 * xj[2 * C + c];
    }
    for (int c = 0; c < C; ++c)
        for (int d = 0; d < 3; ++d) y[d * C + c] = sum[c][d];
}

}  // namespace wobble
