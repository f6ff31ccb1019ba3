#pragma once
// The stiffness matrix of a body whose forces act between particles and do not change when the whole body moves: half of it. Per edge
// i < j six numbers (xx, xy, xz, yy, yz, zz), the symmetric part S of the block K_ij, and, for forces that are not springs, three more, s
// with K_ij = S + [s], [s] y = s cross y. Then K_ji = K_ij^T = S - [s], K_ii = -sum_j S_ij, and
//     (K x)_i = sum_j S_ij (x_j - x_i) + s_ij cross x_j:
// an edge's g = S (x_j - x_i) is added to row i and subtracted from row j, and the diagonal is not needed at all. That reads 68 bytes per
// edge of springs where BlockMatrix reads 152. Bodies larger than the cache pay for just that; within it products are a fifth to a third
// faster. What acts against the outside world, and pairs that come and go, are lists of their own (extra_blocks.h).
//
// Rows are visited in ascending order. Row i is complete once its own edges are done: those from before have left their part in `sums`.
// Threads: each has a range of rows and computes the edges that come from rows before it a second time, in the same ascending order: the
// same bits for any number of threads.
#include "engine/linalg/block_matrix.h"
#include "engine/linalg/column_lanes.h"
#include "engine/linalg/extra_blocks.h"
#include "engine/linalg/large_pages.h"

#include <memory>
#include <vector>

namespace wobble {

struct EdgePattern {
    std::vector<int> begin;     // rows + 1: the edges (i, j), i < j, of row i
    std::vector<int> other;     // j of each edge, ascending in a row
    std::vector<int> earliest;  // rows + 1: the first row with an edge to this row or a later one

    explicit EdgePattern(const BlockPattern&);
    int rows() const { return static_cast<int>(begin.size()) - 1; }
    int edges() const { return static_cast<int>(other.size()); }

    // body(first, last) for ranges of rows with about the same number of edges to compute, those across the border included.
    template <class Body>
    void split(Workers& workers, Body&& body) const {
        workers.run([&](int part) {
            const int first = first_row(part, workers.count()), last = first_row(part + 1, workers.count());
            if (first < last) body(first, last);
        });
    }
    int first_row(int part, int parts) const;

private:
    int across_ = 0;  // edges that cross the middle
};

class EdgeMatrix {
public:
    EdgeMatrix(std::shared_ptr<const EdgePattern>, bool with_skew);

    const EdgePattern& pattern() const { return *pattern_; }
    int rows() const { return pattern_->rows(); }
    EdgeLine* lines() { return lines_.data(); }  // one per edge, and one more that stays zero
    const EdgeLine* lines() const { return lines_.data(); }
    bool has_skew() const { return with_skew_; }
    double* skew() { return skew_.data(); }  // s, three numbers per edge
    const double* skew() const { return skew_.data(); }
    ExtraBlocks& extra() { return extra_; }
    const ExtraBlocks& extra() const { return extra_; }
    std::size_t bytes() const;

private:
    std::shared_ptr<const EdgePattern> pattern_;
    LargeVector<EdgeLine> lines_;
    bool with_skew_;
    LargeVector<double> skew_;
    ExtraBlocks extra_;
};

namespace edge_rows {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // as in column_lanes.h

// How the vectors of a particle lie in registers: in general as above.
template <int P>
struct Vectors : ColumnVectors<P> {
    using Base = ColumnVectors<P>;
    static constexpr int lanes = P == 3 ? 4 : P;  // sums have whole registers: part of one is read back slowly
    static constexpr int sums = 3 * lanes;        // numbers per row
    [[gnu::always_inline]] static Vectors read(const double* p) { return {Base::read(p)}; }
    [[gnu::always_inline]] static Vectors read_sum(const double* p) {
        return {{{load_columns<lanes>(p), load_columns<lanes>(p + lanes), load_columns<lanes>(p + 2 * lanes)}}};
    }
    [[gnu::always_inline]] void write_sum(double* p) const {
        for (int d = 0; d < 3; ++d) store_columns<lanes>(p + lanes * d, this->x[d]);
    }
    [[gnu::always_inline]] Base columns() const { return *this; }
    [[gnu::always_inline]] Columns<4> in_register() const { return Columns<4>{this->x[0], this->x[1], this->x[2], 0.0}; }  // of one column
    // S times these.
    [[gnu::always_inline]] Vectors times(const double* S) const {
        const auto [a, b, c] = this->x;
        return {{{S[0] * a + S[1] * b + S[2] * c, S[1] * a + S[3] * b + S[4] * c, S[2] * a + S[4] * b + S[5] * c}}};
    }
    [[gnu::always_inline]] Vectors turned(const double* s) const {  // s cross these
        const auto [a, b, c] = this->x;
        return {{{s[1] * c - s[2] * b, s[2] * a - s[0] * c, s[0] * b - s[1] * a}}};
    }
};

// One column: x, y, z in the lanes of one register, the fourth without a meaning.
struct InLane {
    static constexpr int sums = 4, lanes = 1;
    using Lane = Columns<4>;
    Lane a;
    [[gnu::always_inline]] static InLane read(const double* x) { return {load_columns<4>(x)}; }
    [[gnu::always_inline]] static InLane read_sum(const double* p) { return read(p); }
    [[gnu::always_inline]] void write_sum(double* p) const { store_columns<4>(p, a); }
    [[gnu::always_inline]] ColumnVectors<1> columns() const { return {{a[0], a[1], a[2]}}; }
    [[gnu::always_inline]] Columns<4> in_register() const { return a; }
    [[gnu::always_inline]] void operator+=(const InLane& b) { a += b.a; }
    [[gnu::always_inline]] void operator-=(const InLane& b) { a -= b.a; }
    [[gnu::always_inline]] InLane times(const double* S) const {
        const Lane s0 = load_columns<4>(S), rest = load_columns<4>(S + 4);
        const Lane s1 = __builtin_shufflevector(s0, rest, 1, 3, 4, 4), s2 = __builtin_shufflevector(s0, rest, 2, 4, 5, 5);
        return {s0 * __builtin_shufflevector(a, a, 0, 0, 0, 0) + s1 * __builtin_shufflevector(a, a, 1, 1, 1, 1) +
                s2 * __builtin_shufflevector(a, a, 2, 2, 2, 2)};
    }
};

// Two columns: all six numbers in one register of eight.
struct InWide {
    static constexpr int sums = 8, lanes = 2;
    using Wide = Columns<8>;
    Wide a;
    [[gnu::always_inline]] static InWide read(const double* x) { return {load_columns<8>(x)}; }
    [[gnu::always_inline]] static InWide read_sum(const double* p) { return read(p); }
    [[gnu::always_inline]] void write_sum(double* p) const { store_columns<8>(p, a); }
    [[gnu::always_inline]] ColumnVectors<2> columns() const {
        return {{__builtin_shufflevector(a, a, 0, 1), __builtin_shufflevector(a, a, 2, 3), __builtin_shufflevector(a, a, 4, 5)}};
    }
    [[gnu::always_inline]] void operator+=(const InWide& b) { a += b.a; }
    [[gnu::always_inline]] void operator-=(const InWide& b) { a -= b.a; }
    [[gnu::always_inline]] InWide times(const double* S) const {
        const Wide s = load_columns<8>(S);
        return {__builtin_shufflevector(s, s, 0, 0, 1, 1, 2, 2, 2, 2) * __builtin_shufflevector(a, a, 0, 1, 0, 1, 0, 1, 0, 1) +
                __builtin_shufflevector(s, s, 1, 1, 3, 3, 4, 4, 4, 4) * __builtin_shufflevector(a, a, 2, 3, 2, 3, 2, 3, 2, 3) +
                __builtin_shufflevector(s, s, 2, 2, 4, 4, 5, 5, 5, 5) * __builtin_shufflevector(a, a, 4, 5, 4, 5, 4, 5, 4, 5)};
    }
};

template <int P, bool skewed>
struct Choice {
    using Type = Vectors<P>;
};
#ifdef __AVX__
template <>
struct Choice<1, false> {
    using Type = InLane;
};
#endif
#ifdef __AVX512F__
template <>
struct Choice<2, false> {
    using Type = InWide;
};
#endif

#pragma GCC diagnostic pop

}  // namespace edge_rows

// One thread's rows [first, last) of a product with P columns (column_lanes.h), to be visited in ascending order, all of them; a copy is
// made inside the function that loops, as of BlockRows. sums: sums_per_row numbers per row, zero, and zero again afterwards. `beyond`
// numbers past the end of x and of sums must be readable. stride: numbers of x per row; one column may have four, the last without a
// meaning.
template <int P, bool skewed, int stride = 3 * P>
class EdgeRows {
    using Vectors = typename edge_rows::Choice<P, skewed>::Type;

public:
    static constexpr int sums_per_row = Vectors::sums, beyond = 2;

    EdgeRows(const EdgeMatrix& A, const double* x, double* sums, int first, int last)
        : begin_(A.pattern().begin.data()), other_(A.pattern().other.data()), lines_(A.lines()), skew_(A.skew()), sums_(sums), last_(last) {
        if (!A.extra().empty()) A.extra().add_product({P, stride, Vectors::lanes, sums_per_row}, x, sums, first, last);
        // What the rows before do to these.
        for (int i = A.pattern().earliest[first]; i < first; ++i) {
            const Vectors xi = read(x, i);
            for (int k = begin_[i + 1] - 1; k >= begin_[i] && other_[k] >= first; --k)
                if (other_[k] < last) subtract(k, product(k, read(x, other_[k]), xi), xi);
        }
    }

    // (K x)_row
    template <int columns = P>
    [[gnu::always_inline]] ColumnVectors<P> multiply(int row, const double* x) const {
        static_assert(columns == P);  // as one says it to BlockRows
        return this->row(row, x).columns();
    }
    // The same as registers have it.
    [[gnu::always_inline]] Vectors row(int row, const double* x) const {
        const Vectors xi = read(x, row);
        double* const own = sums_ + static_cast<std::size_t>(sums_per_row) * row;
        Vectors sum = Vectors::read_sum(own);
        const int end = begin_[row + 1];
        int k = begin_[row];
        for (; k < end && other_[k] < last_; ++k) {
            const Vectors xj = read(x, other_[k]), g = product(k, xj, xi);
            add(sum, k, g, xj);
            subtract(k, g, xi);
        }
        for (; k < end; ++k) {
            const Vectors xj = read(x, other_[k]);
            add(sum, k, product(k, xj, xi), xj);
        }
        Vectors{}.write_sum(own);
        return sum;
    }

private:
    [[gnu::always_inline]] static Vectors read(const double* x, int i) { return Vectors::read(x + static_cast<std::size_t>(stride) * i); }
    [[gnu::always_inline]] Vectors product(int k, Vectors xj, const Vectors& xi) const {
        xj -= xi;
        return xj.times(lines_[k].symmetric);
    }
    [[gnu::always_inline]] void add(Vectors& sum, int k, const Vectors& g, const Vectors& xj) const {
        sum += g;
        if constexpr (skewed) sum += xj.turned(skew_ + static_cast<std::size_t>(3) * k);
    }
    [[gnu::always_inline]] void subtract(int k, const Vectors& g, const Vectors& xi) const {
        double* const at = sums_ + static_cast<std::size_t>(sums_per_row) * other_[k];
        Vectors sum = Vectors::read_sum(at);
        sum -= g;
        if constexpr (skewed) sum -= xi.turned(skew_ + static_cast<std::size_t>(3) * k);
        sum.write_sum(at);
    }

    const int *begin_, *other_;
    const EdgeLine* lines_;
    const double* skew_;
    double* sums_;
    int last_;
};

// y = K x for one column; x has EdgeRows' numbers beyond its end. sums: four per row and as many beyond, zero, and zero again afterwards.
void multiply(Workers&, const EdgeMatrix&, const double* x, double* y, double* sums);

// Largest |K_ii| entry times its row's weight (of three equal ones); sums as above.
double largest_diagonal(Workers&, const EdgeMatrix&, const double* weights, double* sums);

}  // namespace wobble
