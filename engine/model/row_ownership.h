#pragma once
// How element loops (springs, tets) use several threads and still give the same bits for any number of them: each part
// owns a range of particles and adds only to those; an element across a border is computed by both sides. Elements are
// visited in ascending order everywhere, so every sum is formed in the same order.
#include "engine/core/workers.h"

#include <algorithm>
#include <array>
#include <vector>

namespace wobble {

struct OwnedRange {
    int row_begin, row_end;          // particles this part adds to
    int element_begin, element_end;  // elements that may touch them
    bool owns(int row) const { return row >= row_begin && row < row_end; }
};

// `elements` sorted by smallest particle.
template <std::size_t N>
std::vector<OwnedRange> split_rows(int rows, const std::vector<std::array<int, N>>& elements, const Workers& workers) {
    std::vector<OwnedRange> parts;
    for (int part = 0; part < workers.count(); ++part) {
        OwnedRange r{workers.range_begin(rows, part), workers.range_begin(rows, part + 1), static_cast<int>(elements.size()), 0};
        for (int e = 0; e < static_cast<int>(elements.size()); ++e)
            if (std::any_of(elements[e].begin(), elements[e].end(), [&](int i) { return r.owns(i); }))
                r.element_begin = std::min(r.element_begin, e), r.element_end = e + 1;
        r.element_begin = std::min(r.element_begin, r.element_end);
        parts.push_back(r);
    }
    return parts;
}

}  // namespace wobble
