#pragma once
// How element loops (springs, tets) use several threads and still give the same bits for any number of them: each part
// owns a range of particles and adds only to those; an element across a border is computed by both sides. Elements are
// visited in ascending order everywhere, so every sum is formed in the same order.
// Parts own about the rows that Workers::ranges gives them in every other loop (block_matrix.h says why): the borders are shifted until
// all have about the same number of elements to visit, two parts just the same, because the last one done is the one that counts.
#include "engine/core/workers.h"

#include <algorithm>
#include <array>
#include <vector>

namespace wobble {

struct OwnedRange {
    int row_begin, row_end;          // particles this part adds to
    int element_begin, element_end;  // elements that may touch them
    int inner_begin, inner_end;      // among those, elements that touch nothing else: no ownership test needed
    bool owns(int row) const { return row >= row_begin && row < row_end; }
    // Where to add what belongs to `row` of a vector: there, or into `waste`. A choice of addresses instead of a jump, because at the
    // border the branch is unpredictable.
    double* at(double* vector, int row, double* waste) const { return owns(row) ? vector + static_cast<std::size_t>(3) * row : waste; }
};

// Rows at which parts begin, count + 1 of them. With first(b), last(b): the elements before first(b) touch nothing from row b on, those
// from last(b) on nothing before it, the elements between are visited from both sides. A border lies where the middle of those is an even
// share of all.
template <std::size_t N>
std::vector<int> balanced_borders(int rows, const std::vector<std::array<int, N>>& elements, int count) {
    const int all = static_cast<int>(elements.size());
    std::vector<int> first(rows + 1, all), last(rows + 1, 0);
    for (int e = 0; e < all; ++e) {
        const auto [low, high] = std::minmax_element(elements[e].begin(), elements[e].end());
        first[*high] = std::min(first[*high], e);
        last[*low + 1] = e + 1;
    }
    for (int b = rows; b-- > 0;) first[b] = std::min(first[b], first[b + 1]);
    for (int b = 1; b <= rows; ++b) last[b] = std::max(last[b], last[b - 1]);
    std::vector<int> borders{0};
    for (int part = 1, b = 0; part < count; ++part) {
        const long middle = 2l * all * part / count;
        while (b < rows && long(first[b]) + last[b] < middle) ++b;
        borders.push_back(b);
    }
    borders.push_back(rows);
    return borders;
}

// `elements` about sorted by smallest particle.
template <std::size_t N>
std::vector<OwnedRange> split_rows(int rows, const std::vector<std::array<int, N>>& elements, const Workers& workers) {
    const std::vector<int> borders = balanced_borders(rows, elements, workers.count());
    std::vector<OwnedRange> parts;
    const int count = static_cast<int>(elements.size());
    for (int part = 0; part < workers.count(); ++part) {
        OwnedRange r{borders[part], borders[part + 1], count, 0, 0, 0};
        const auto owned = [&](int i) { return r.owns(i); };
        for (int e = 0, run = 0; e < count; ++e) {  // run: first of the elements up to e that touch nothing else
            if (std::any_of(elements[e].begin(), elements[e].end(), owned))
                r.element_begin = std::min(r.element_begin, e), r.element_end = e + 1;
            if (!std::all_of(elements[e].begin(), elements[e].end(), owned)) run = e + 1;
            else if (e + 1 - run > r.inner_end - r.inner_begin) r.inner_begin = run, r.inner_end = e + 1;
        }
        r.element_begin = std::min(r.element_begin, r.element_end);
        parts.push_back(r);
    }
    return parts;
}

// Neighbours in a sorted list share particles, and sums to the same place wait for each other. This takes elements apart again:
// within each 64, four that follow each other are 16 apart in the given order.
template <class Element>
void interleave(std::vector<Element>& elements) {
    for (std::size_t begin = 0; begin + 64 <= elements.size(); begin += 64) {
        const std::vector<Element> sorted(elements.begin() + begin, elements.begin() + begin + 64);
        for (std::size_t k = 0; k < 64; ++k) elements[begin + k] = sorted[16 * (k % 4) + k / 4];
    }
}

// What is known of a group of four elements when its code is compiled: `inner`, all their particles are owned; `whole`, there are four
// of them, as everywhere but in the last group. Loops over a number of lanes that is known only later keep their lanes in memory.
template <bool inner_, bool whole_>
struct GroupKind {
    static constexpr bool inner = inner_, whole = whole_;
};

// each(g, kind) for all groups of four elements, 4 g to 4 g + 3 of `count`, that the part has to visit.
template <class Each>
void for_fours(const OwnedRange& range, int count, Each&& each) {
    const int begin = range.element_begin / 4, end = (range.element_end + 3) / 4, whole_end = std::min(end, count / 4);
    const int inner_begin = std::clamp((range.inner_begin + 3) / 4, begin, end);
    const int inner_end = std::clamp(range.inner_end / 4, inner_begin, end);
    for (int g = begin; g < std::min(inner_begin, whole_end); ++g) each(g, GroupKind<false, true>{});
    for (int g = inner_begin; g < inner_end; ++g) each(g, GroupKind<true, true>{});
    for (int g = inner_end; g < whole_end; ++g) each(g, GroupKind<false, true>{});
    if (whole_end < end) each(whole_end, GroupKind<false, false>{});  // never an inner one: those are whole
}

}  // namespace wobble
