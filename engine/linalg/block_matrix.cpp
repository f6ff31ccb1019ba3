#include "engine/linalg/block_matrix.h"

#include <algorithm>
#include <cassert>

namespace wobble {

BlockPattern::BlockPattern(int rows, const std::vector<std::pair<int, int>>& pairs) {
    std::vector<std::vector<int>> columns(rows);
    for (int i = 0; i < rows; ++i) columns[i].push_back(i);
    for (const auto& [i, j] : pairs) columns[i].push_back(j), columns[j].push_back(i);

    row_begin.reserve(rows + 1);
    row_begin.push_back(0);
    diagonal.reserve(rows);
    for (int i = 0; i < rows; ++i) {
        auto& row = columns[i];
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        diagonal.push_back(row_begin.back() + static_cast<int>(std::lower_bound(row.begin(), row.end(), i) - row.begin()));
        column.insert(column.end(), row.begin(), row.end());
        row_begin.push_back(static_cast<int>(column.size()));
    }
    if (rows > 0) touches_last = column[row_begin[rows - 1]];  // by symmetry
}

int BlockPattern::find(int i, int j) const {
    const auto begin = column.begin() + row_begin[i], end = column.begin() + row_begin[i + 1];
    const auto found = std::lower_bound(begin, end, j);
    assert(found != end && *found == j);
    return static_cast<int>(found - column.begin());
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)), values_(9 * static_cast<std::size_t>(pattern_->blocks()) + 4, 0.0) {}

void BlockMatrix::multiply(Workers& workers, const VecX& x, VecX& y) const {
    assert(x.size() == 3 * rows() && y.size() == x.size() && &x != &y);
    multiply_columns<1>(workers, x.data(), y.data());
}

}  // namespace wobble
