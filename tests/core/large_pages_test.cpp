#include "engine/core/large_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace wobble {
namespace {

TEST(LargePages, LargeArraysBeginWithAPageAndSmallOnesWithACacheLine) {
    for (const std::size_t numbers : {1u, 1000u, (1u << 18) - 1, 1u << 18, 1000003u}) {
        const LargeVector<double> v(numbers);
        const std::uintptr_t wanted = numbers * sizeof(double) >= (2u << 20) ? 2u << 20 : 64;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v.data()) % wanted, 0u) << numbers;
    }
}

TEST(LargePages, KeepWhatTheyHoldAcrossTheSizeOfAPage) {
    LargeVector<int> v;
    for (int i = 0; i < 2'000'000; ++i) v.push_back(i);  // moved from small to large memory on the way
    v.resize(100);
    v.shrink_to_fit();
    EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 4950);
    const LargeVector<int> copy = v, moved = std::move(v);
    EXPECT_EQ(copy, moved);
}

TEST(LargePages, MoreThanThereIsFails) { EXPECT_THROW(LargeVector<double>(std::size_t{1} << 62), std::length_error); }

}  // namespace
}  // namespace wobble
