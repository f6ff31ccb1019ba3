#include "engine/linalg/edge_matrix.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace wobble {

EdgePattern::EdgePattern(const BlockPattern& pattern) : earliest(static_cast<std::size_t>(pattern.rows()) + 1) {
    const int n = pattern.rows();
    begin.reserve(static_cast<std::size_t>(n) + 1);
    begin.push_back(0);
    for (int i = 0; i < n; ++i) {
        other.insert(other.end(), pattern.column.begin() + pattern.diagonal[i] + 1, pattern.column.begin() + pattern.row_begin[i + 1]);
        begin.push_back(edges());
    }
    earliest[n] = n;
    for (int i = n - 1; i >= 0; --i) earliest[i] = std::min(earliest[i + 1], pattern.column[pattern.row_begin[i]]);
    for (int i = earliest[n / 2]; i < n / 2; ++i)
        across_ += static_cast<int>(other.begin() + begin[i + 1] -
                                    std::lower_bound(other.begin() + begin[i], other.begin() + begin[i + 1], n / 2));
}

// All but the first part have another across_ edges: share of all = own of the first = own of the others + across_.
int EdgePattern::first_row(int part, int parts) const {
    if (part <= 0) return 0;
    if (part >= parts) return rows();
    const double share = (edges() + (parts - 1.0) * across_) / parts, before = share + (part - 1) * std::max(0.0, share - across_);
    return static_cast<int>(std::lower_bound(begin.begin(), begin.end() - 1, static_cast<int>(std::min<double>(before, edges()))) -
                            begin.begin());
}

EdgeMatrix::EdgeMatrix(std::shared_ptr<const EdgePattern> pattern, bool with_skew)
    : pattern_(std::move(pattern)),
      lines_(pattern_->other.size() + 1),
      with_skew_(with_skew),
      skew_(with_skew ? 3 * (pattern_->other.size() + 1) : 0) {}

std::size_t EdgeMatrix::bytes() const {
    return pattern_->other.size() * (sizeof(EdgeLine) + sizeof(int) + (with_skew_ ? 3 * sizeof(double) : 0));
}

namespace {

template <bool skewed>
void multiply_rows(Workers& workers, const EdgeMatrix& A, const double* x, double* y, double* sums) {
    A.pattern().split(workers, [&](int begin, int end) {
        const EdgeRows<1, skewed> K(A, x, sums, begin, end);
        const double* const from = x;
        double* const to = y;
        for (int i = begin; i < end; ++i) K.multiply(i, from).write(to + static_cast<std::size_t>(3) * i);
    });
}

}  // namespace

void multiply(Workers& workers, const EdgeMatrix& A, const double* x, double* y, double* sums) {
    if (A.has_skew()) multiply_rows<true>(workers, A, x, y, sums);
    else multiply_rows<false>(workers, A, x, y, sums);
}

// K_ii = -sum of S, in the order of EdgeRows.
double largest_diagonal(Workers& workers, const EdgeMatrix& A, const double* weights, double* sums) {
    const EdgePattern& pattern = A.pattern();
    std::atomic<double> largest = 0;
    pattern.split(workers, [&](int first, int last) {
        using Diagonal = Columns<4>;  // xx, yy, zz, and zz again
        const EdgeLine* const lines = A.lines();
        const int *const begin = pattern.begin.data(), *const other = pattern.other.data();
        double* const all = sums;
        const auto diagonal = [=](int edge) {
            const double* const six = lines[edge].symmetric;
            return __builtin_shufflevector(load_columns<4>(six), load_columns<4>(six + 4), 0, 3, 5, 5);
        };
        const auto add = [=](int row, Diagonal part) {
            double* const sum = all + static_cast<std::size_t>(4) * row;
            store_columns<4>(sum, load_columns<4>(sum) + part);
        };
        if (!A.extra().empty()) A.extra().subtract_diagonal(all, first, last);
        for (int i = pattern.earliest[first]; i < first; ++i)
            for (int k = begin[i + 1] - 1; k >= begin[i] && other[k] >= first; --k)
                if (other[k] < last) add(other[k], diagonal(k));
        double most = 0;
        for (int i = first; i < last; ++i) {
            double* const before = all + static_cast<std::size_t>(4) * i;
            Diagonal own = load_columns<4>(before);
            for (int k = begin[i]; k < begin[i + 1]; ++k) {
                const Diagonal part = diagonal(k);
                own += part;
                if (other[k] < last) add(other[k], part);
            }
            store_columns<4>(before, Diagonal{});
            for (int d = 0; d < 3; ++d) {
                const double size = weights[3 * i] * std::abs(own[d]);
                if (!(size <= most)) most = size;  // NaN stays
            }
        }
        double known = largest.load();
        while (!(most <= known) && !std::isnan(known) && !largest.compare_exchange_weak(known, most)) continue;
    });
    return largest;
}

}  // namespace wobble
