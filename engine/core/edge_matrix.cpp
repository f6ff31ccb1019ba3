#include "engine/core/edge_matrix.h"

#include <algorithm>
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
}

EdgeMatrix::EdgeMatrix(std::shared_ptr<const EdgePattern> pattern, bool with_skew)
    : pattern_(std::move(pattern)),
      lines_(pattern_->other.size()),
      with_skew_(with_skew),
      skew_(with_skew ? 3 * pattern_->other.size() : 0) {}

std::size_t EdgeMatrix::bytes() const { return lines_.size() * (sizeof(EdgeLine) + sizeof(int)) + skew_.size() * sizeof(double); }

}  // namespace wobble
