#include "engine/linalg/extra_blocks.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace wobble {

VaryingPairs::VaryingPairs(std::vector<std::array<int, 2>> sorted_pairs) : pairs(std::move(sorted_pairs)) {
    ends.reserve(2 * pairs.size());
    for (int k = 0; k < static_cast<int>(pairs.size()); ++k) {
        const auto [i, j] = pairs[static_cast<std::size_t>(k)];
        ends.push_back({i, j, k}), ends.push_back({j, i, k});
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return std::tie(a.row, a.other) < std::tie(b.row, b.other); });
}

void ExtraBlocks::allow_local(int rows) {
    local_.assign(static_cast<std::size_t>(rows), {});
    acts_.assign(static_cast<std::size_t>(rows), 0);
    rows_.clear();
    rows_.reserve(static_cast<std::size_t>(rows));  // gather() does not allocate
}

void ExtraBlocks::gather() {
    rows_.clear();
    for (auto at = acts_.begin(); (at = std::find(at, acts_.end(), 1)) != acts_.end(); ++at)
        rows_.push_back(static_cast<int>(at - acts_.begin()));
}

void ExtraBlocks::set_pairs(std::shared_ptr<const VaryingPairs> pairs) {
    pairs_ = std::move(pairs);
    const std::size_t count = pairs_ ? pairs_->pairs.size() : 0;
    lines_.assign(count, {});
    skew_.assign(3 * count, 0.0);
}

void ExtraBlocks::set_zero() {
    for (std::size_t i = 0; i < acts_.size(); ++i)
        if (acts_[i]) acts_[i] = 0, local_[i] = {};
    rows_.clear();
    std::fill(lines_.begin(), lines_.end(), EdgeLine{});
    std::fill(skew_.begin(), skew_.end(), 0.0);
}

void ExtraBlocks::scale(double s) {
    for (std::size_t i = 0; i < acts_.size(); ++i)
        if (acts_[i])
            for (double& x : local_[i].symmetric) x *= s;
    for (EdgeLine& line : lines_)
        for (double& x : line.symmetric) x *= s;
    for (double& x : skew_) x *= s;
}

template <int P>
void ExtraBlocks::add_columns(const Layout& layout, const double* x, double* sums, int first, int last) const {
    const auto of = [&](int row) { return x + static_cast<std::size_t>(layout.stride) * row; };
    const auto sum = [&](int row) { return sums + static_cast<std::size_t>(layout.per_row) * row; };
    const int lanes = layout.lanes;
    const auto multiply = [lanes](const double* S, const double(&a)[3][P], double* to) {
        for (int c = 0; c < P; ++c) {
            to[c] += S[0] * a[0][c] + S[1] * a[1][c] + S[2] * a[2][c];
            to[lanes + c] += S[1] * a[0][c] + S[3] * a[1][c] + S[4] * a[2][c];
            to[2 * lanes + c] += S[2] * a[0][c] + S[4] * a[1][c] + S[5] * a[2][c];
        }
    };
    for (auto at = std::lower_bound(rows_.begin(), rows_.end(), first); at != rows_.end() && *at < last; ++at) {
        double a[3][P];
        for (int d = 0; d < 3; ++d) std::copy_n(of(*at) + P * d, P, a[d]);
        multiply(local(*at), a, sum(*at));
    }
    if (!pairs_) return;
    const auto& ends = pairs_->ends;
    const auto from = std::lower_bound(ends.begin(), ends.end(), first, [](const VaryingPairs::End& e, int row) { return e.row < row; });
    for (auto end = from; end != ends.end() && end->row < last; ++end) {
        const double *const own = of(end->row), *const other = of(end->other), *const s = varying_skew(end->pair);
        const double sign = end->row < end->other ? 1 : -1;  // K_ji = S - [s]
        double* const to = sum(end->row);
        double a[3][P];
        for (int d = 0; d < 3; ++d)
            for (int c = 0; c < P; ++c) a[d][c] = other[P * d + c] - own[P * d + c];
        multiply(varying(end->pair), a, to);
        for (int c = 0; c < P; ++c) {
            const double b[3] = {other[c], other[P + c], other[2 * P + c]};
            to[c] += sign * (s[1] * b[2] - s[2] * b[1]);
            to[lanes + c] += sign * (s[2] * b[0] - s[0] * b[2]);
            to[2 * lanes + c] += sign * (s[0] * b[1] - s[1] * b[0]);
        }
    }
}

void ExtraBlocks::add_product(const Layout& layout, const double* x, double* sums, int first, int last) const {
    switch (layout.columns) {
        case 1:
            return add_columns<1>(layout, x, sums, first, last);
        case 2:
            return add_columns<2>(layout, x, sums, first, last);
        case 3:
            return add_columns<3>(layout, x, sums, first, last);
        case 4:
            return add_columns<4>(layout, x, sums, first, last);
        default:
            return add_columns<8>(layout, x, sums, first, last);
    }
}

void ExtraBlocks::subtract_diagonal(double* sums, int first, int last) const {
    const auto add = [&](int row, const double* S, double sign) {
        double* const to = sums + static_cast<std::size_t>(4) * row;
        to[0] += sign * S[0], to[1] += sign * S[3], to[2] += sign * S[5];
    };
    for (auto at = std::lower_bound(rows_.begin(), rows_.end(), first); at != rows_.end() && *at < last; ++at) add(*at, local(*at), -1);
    if (!pairs_) return;
    for (const auto& [row, other, pair] : pairs_->ends)
        if (row >= first && row < last) add(row, varying(pair), 1);
}

}  // namespace wobble
