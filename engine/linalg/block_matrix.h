#pragma once
// A symmetric sparse matrix of 3x3 blocks, one block row per particle. Both triangles are stored: a product then reads
// the matrix once, writes each row once and splits over threads without conflicts, which is what CG and the general phi evaluators live on.
// (Half-size Lanczos reads half of it, edge_matrix.h.)
// Blocks are row-major and vectors keep a particle's three numbers together: then a row of a block times a vector is one load each,
//     sum_d += (a_d0, a_d1, a_d2, *) (x_0, x_1, x_2, *),
// and only the end of a block row adds up the lanes. Column-major blocks need each x_e in all lanes, three loads instead of one; loads
// are what a product of two columns runs out of when the matrix is in the cache.
// Lives in core because both the model (which fills it) and the solvers (which use it) need it.
#include "engine/core/reduce.h"
#include "engine/core/types.h"
#include "engine/core/workers.h"
#include "engine/linalg/column_lanes.h"
#include "engine/linalg/large_pages.h"

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
    int touches_last = 0;        // the first row with a block in the last column

    // From index pairs in any order, with repetitions; (j, i) is added for every (i, j).
    BlockPattern(int rows, const std::vector<std::pair<int, int>>& pairs);
    int rows() const { return static_cast<int>(diagonal.size()); }
    int blocks() const { return static_cast<int>(column.size()); }
    int find(int i, int j) const;  // block index; the block must exist

    // Calls body(begin, end) for one range of rows per worker: the same rows as in every loop over particles, so that the matrix is written
    // and read by the same cores. Ranges of as many blocks each would be a few percent better balanced, and cost more in cache lines that
    // wander from core to core.
    template <class Body>
    void split(Workers& workers, Body&& body) const {
        workers.ranges(rows(), body);
    }
};

class BlockMatrix {
public:
    using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

    explicit BlockMatrix(std::shared_ptr<const BlockPattern>);

    const BlockPattern& pattern() const { return *pattern_; }
    const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
    int rows() const { return pattern_->rows(); }  // block rows

    // Row-major 3x3 block; four doubles may be read from any of its rows (the array is padded).
    double* block(int index) { return values_.data() + 9 * static_cast<std::size_t>(index); }
    const double* block(int index) const { return values_.data() + 9 * static_cast<std::size_t>(index); }
    Eigen::Map<Block> at(int index) { return Eigen::Map<Block>(block(index)); }
    Eigen::Map<const Block> at(int index) const { return Eigen::Map<const Block>(block(index)); }
    std::size_t bytes() const { return bytes(*pattern_); }
    static std::size_t bytes(const BlockPattern& p) { return p.column.size() * (9 * sizeof(double) + sizeof(int)); }

    void multiply(Workers&, const VecX& x, VecX& y) const;  // y = A x

    template <int C>
    void multiply_columns(Workers&, const double* x, double* y) const;  // the same for C columns, laid out as in BlockRows

private:
    std::shared_ptr<const BlockPattern> pattern_;
    LargeVector<double> values_;
};

// The rows of a matrix, which must outlive them, for loops over its products: made inside the function that loops, with x and y as local
// copies of their addresses, all of them stay in registers. Every end of a row is mispredicted, and what is then looked up again before the
// next can begin is waited for: a third of a product's time. (Writing lanes makes the compiler forget whatever it had read through
// references, the captured variables of a lambda among it.)
class BlockRows {
public:
    explicit BlockRows(const BlockMatrix& A)
        : row_begin_(A.pattern().row_begin.data()),
          column_(A.pattern().column.data()),
          values_(A.block(0)),
          last_(A.rows() - 1),
          touches_last_(A.pattern().touches_last) {}

    // One block row times C columns: y[3 c + d] = sum_j (A_ij x_jc)[d], a particle's columns side by side: x[3 (C j + c) + d].
    template <int C = 1>
    void multiply(int row, const double* x, double* y) const;

    // The same with columns as in column_lanes.h.
    template <int P>
    [[gnu::always_inline]] ColumnVectors<P> multiply(int row, const double* x) const {
        ColumnVectors<P> sum{};
        if constexpr (P == 1) {
            multiply<1>(row, x, sum.x);
        } else {
            const int end = row_begin_[row + 1];
            for (int k = row_begin_[row]; k < end; ++k) {
                const double* const a = values_ + 9 * static_cast<std::size_t>(k);
                const auto [x0, x1, x2] = ColumnVectors<P>::read(x + static_cast<std::size_t>(3 * P) * column_[k]).x;
                for (int d = 0; d < 3; ++d) sum.x[d] += a[3 * d] * x0 + a[3 * d + 1] * x1 + a[3 * d + 2] * x2;
            }
        }
        return sum;
    }

private:
    const int *row_begin_, *column_;
    const double* values_;
    int last_, touches_last_;
};

template <int C>
inline void BlockMatrix::multiply_columns(Workers& workers, const double* x, double* y) const {
    pattern_->split(workers, [&](int begin, int end) {
        const BlockRows A(*this);
        const double* const from = x;
        double* const to = y;
        for (int i = begin; i < end; ++i) A.multiply<C>(i, from, to + static_cast<std::size_t>(3 * C) * i);
    });
}

namespace block_rows {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // processors without such registers pass lanes in memory, if a call is left at all

typedef double Lane __attribute__((vector_size(32)));
typedef double Pair __attribute__((vector_size(16)));
typedef double UnalignedLane __attribute__((vector_size(32), aligned(8), may_alias));
typedef double UnalignedPair __attribute__((vector_size(16), aligned(8), may_alias));

// Left alone the compiler reads a number that is used three times three times, from memory.
[[gnu::always_inline]] inline Lane load(const double* p) {
    Lane a = *reinterpret_cast<const UnalignedLane*>(p);
#ifdef __AVX__
    asm("" : "+x"(a));
#endif
    return a;
}

// sum[3 c + d] += row d of the block times column c, lane by lane; x: the columns of one particle.
template <int C>
[[gnu::always_inline]] inline void add(Lane (&sum)[3 * C], const double* block, const double* x) {
    const Lane a0 = load(block), a1 = load(block + 3), a2 = load(block + 6);
    for (int c = 0; c < C; ++c) {
        const Lane b = load(x + 3 * c);
        sum[3 * c] += a0 * b, sum[3 * c + 1] += a1 * b, sum[3 * c + 2] += a2 * b;
    }
}

// y[r] = the sum of the first three lanes of sum[r]; two at a time, because the ends of rows are a fifth of the work.
template <int N>
[[gnu::always_inline]] inline void add_lanes(const Lane (&sum)[N], double* y) {
    for (int r = 0; r + 1 < N; r += 2) {
        const Lane even = __builtin_shufflevector(sum[r], sum[r + 1], 0, 4, 2, 6);
        const Lane odd = __builtin_shufflevector(sum[r], sum[r + 1], 1, 5, 3, 7);
        const Pair first = __builtin_shufflevector(even, even, 0, 1), second = __builtin_shufflevector(odd, odd, 0, 1);
        *reinterpret_cast<UnalignedPair*>(y + r) = first + second + __builtin_shufflevector(even, even, 2, 3);
    }
    if (N % 2 == 1) y[N - 1] = sum[N - 1][0] + sum[N - 1][1] + sum[N - 1][2];
}

#pragma GCC diagnostic pop

}  // namespace block_rows

template <int C>
[[gnu::always_inline]] inline void BlockRows::multiply(int row, const double* x, double* y) const {
    using block_rows::Lane;
    constexpr int most = 4;  // columns whose sums fit into registers
    const int begin = row_begin_[row], end = row_begin_[row + 1];
    const auto some = [&]<int from, int N>() {
        Lane sum[3 * N] = {};
        const double* block = values_ + 9 * static_cast<std::size_t>(begin);
        // Four numbers cannot be read from the last particle, whose block ends its row. No row before touches_last_ has one: they need not
        // look at their last column, which may still be on its way from memory.
        const int inside = end - (row >= touches_last_ && column_[end - 1] == last_);
        for (int k = begin; k < inside; ++k, block += 9)
            block_rows::add<N>(sum, block, x + static_cast<std::size_t>(3 * C) * column_[k] + 3 * from);
        if (inside < end) {
            double last[3 * N + 1] = {};
            std::copy_n(x + static_cast<std::size_t>(3 * C) * last_ + 3 * from, 3 * N, last);
            block_rows::add<N>(sum, block, last);
        }
        block_rows::add_lanes(sum, y + 3 * from);
    };
    if constexpr (C <= most) some.template operator()<0, C>();
    else some.template operator()<0, C - C / 2>(), some.template operator()<C - C / 2, C / 2>();
}

}  // namespace wobble
