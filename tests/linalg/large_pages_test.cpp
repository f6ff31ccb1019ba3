#include "engine/linalg/large_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>

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

// Sanitizers end the process where memory is short, and map it by themselves.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(LargePages, MoreThanThereIsFails) { EXPECT_THROW(LargeVector<double>(std::size_t{1} << 59), std::bad_alloc); }

// All of it is in memory that the system has been asked to give large pages: whether it has any is its own affair.
TEST(LargePages, AreAskedForToTheEnd) {
    const bool can_be_asked(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"));
    const LargeVector<double> v(450'000);  // 3.4 MB
    const auto first = reinterpret_cast<std::uintptr_t>(v.data()), last = reinterpret_cast<std::uintptr_t>(v.data() + v.size());
    std::ifstream maps("/proc/self/smaps");
    std::uintptr_t asked = 0;
    std::string line;
    for (std::uintptr_t begin = 0, end = 0; std::getline(maps, line);) {
        std::uintptr_t a = 0, b = 0;
        if (std::sscanf(line.c_str(), "%zx-%zx ", &a, &b) == 2) begin = a, end = b;
        else if (line.starts_with("VmFlags:") && line.find(" hg") != std::string::npos && begin < last && end > first)
            asked += std::min(end, last) - std::max(begin, first);
    }
    EXPECT_EQ(asked, can_be_asked ? last - first : 0);
}
#endif

}  // namespace
}  // namespace wobble
