#pragma once
// Sums that give the same bits for any number of threads: the index range is always cut into the same blocks, whose
// partial sums are added in order.
#include "engine/core/workers.h"

#include <array>
#include <cstddef>
#include <vector>

namespace wobble {

constexpr int reduction_blocks = 64;

inline int block_begin(int n, int block) { return static_cast<int>(static_cast<long>(n) * block / reduction_blocks); }

// The block that begins about index i of [0, n]; for n the end.
inline int nearest_block(int n, int i) {
    return i < n ? static_cast<int>((2 * static_cast<long>(i) * reduction_blocks + n) / (2 * static_cast<long>(n))) : reduction_blocks;
}

// Calls partial(begin, end, with) -> std::array<double, N> for each block of [0, n), in parallel, where with = prepare(begin, end) of all
// the blocks a thread has, which it visits in ascending order; returns the sums. Thread `part` has the blocks from first_block(part) to
// first_block(part + 1): which ones those are does not change the sums. It must not fall, from 0 for the first part to reduction_blocks
// beyond the last. Does not allocate.
template <std::size_t N, class FirstBlock, class Prepare, class Partial>
std::array<double, N> blocked_sums(Workers& workers, int n, FirstBlock&& first_block, Prepare&& prepare, Partial&& partial) {
    std::array<std::array<double, N>, reduction_blocks> parts{};
    workers.run([&](int part) {
        const int first = first_block(part), last = first_block(part + 1);
        if (first == last) return;
        const auto with = prepare(block_begin(n, first), block_begin(n, last));
        for (int block = first; block < last; ++block) parts[block] = partial(block_begin(n, block), block_begin(n, block + 1), with);
    });
    std::array<double, N> sums{};
    for (const auto& part : parts)
        for (std::size_t k = 0; k < N; ++k) sums[k] += part[k];
    return sums;
}

template <std::size_t N, class Partial>
std::array<double, N> blocked_sums(Workers& workers, int n, Partial&& partial) {
    return blocked_sums<N>(
        workers, n, [&](int part) { return workers.range_begin(reduction_blocks, part); }, [](int, int) { return 0; },
        [&](int begin, int end, int) { return partial(begin, end); });
}

template <class Partial>
double blocked_sum(Workers& workers, int n, Partial&& partial) {
    return blocked_sums<1>(workers, n, [&](int begin, int end) { return std::array<double, 1>{partial(begin, end)}; })[0];
}

// The same sums wherever they are formed: a few thousand numbers are added up before another thread would have heard of them.
inline double sum(Workers& workers, const std::vector<double>& numbers) {
    const int n = static_cast<int>(numbers.size());
    const auto partial = [&](int begin, int end) {
        double part = 0;
        for (int k = begin; k < end; ++k) part += numbers[static_cast<std::size_t>(k)];
        return part;
    };
    if (n > 1 << 14) return blocked_sum(workers, n, partial);
    double total = 0;
    for (int block = 0; block < reduction_blocks; ++block) total += partial(block_begin(n, block), block_begin(n, block + 1));
    return total;
}

}  // namespace wobble
