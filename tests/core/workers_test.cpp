#include "engine/core/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

namespace wobble {
namespace {

TEST(Workers, EveryPartRunsExactlyOnce) {
    for (int threads : {1, 2, 3, 5}) {
        Workers workers(threads);
        ASSERT_EQ(workers.count(), threads);
        std::vector<int> calls(threads, 0);
        for (int round = 0; round < 2000; ++round) workers.run([&](int part) { ++calls[part]; });
        for (int part = 0; part < threads; ++part) EXPECT_EQ(calls[part], 2000) << "part " << part << " of " << threads;
    }
}

TEST(Workers, RangesCoverEverythingOnceAndInOrder) {
    for (int threads : {1, 2, 4})
        for (int n : {0, 1, 3, 1000}) {
            Workers workers(threads);
            std::vector<std::atomic<int>> seen(n);
            workers.ranges(n, [&](int begin, int end) {
                for (int i = begin; i < end; ++i) ++seen[i];
            });
            for (int i = 0; i < n; ++i) EXPECT_EQ(seen[i], 1);
        }
}

TEST(Workers, FewerThreadsDoTheSameParts) {
    Workers workers(4);
    for (const int most : {4, 1, 3, 1, 4}) {
        workers.limit(most);
        EXPECT_EQ(workers.at_work(), most);
        std::vector<std::thread::id> by(4);
        std::set<std::thread::id> helpers;
        std::vector<int> calls(4, 0);
        // A thread that had begun to look for work before the limit came may still take a part of the first loops.
        for (int round = 0; round < 300; ++round) {
            std::fill(calls.begin(), calls.end(), 0);
            workers.run([&](int part) { ++calls[part], by[part] = std::this_thread::get_id(); });
            EXPECT_EQ(calls, std::vector<int>(4, 1));
            if (round >= 100) helpers.insert(by.begin(), by.end());
        }
        helpers.erase(std::this_thread::get_id());
        EXPECT_LE(static_cast<int>(helpers.size()), most - 1);
    }
    // Who slept is there again: slow parts leave helpers time to come.
    std::atomic<bool> helped = false;
    const auto caller = std::this_thread::get_id();
    for (int round = 0; round < 200 && !helped; ++round)
        workers.run([&](int) {
            if (std::this_thread::get_id() != caller) helped = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
    EXPECT_TRUE(helped);
    workers.limit(1);  // the end wakes who sleeps
}

TEST(Workers, WakeUpAfterALongSleep) {
    Workers workers(2);
    int sum[2] = {0, 0};
    for (int round = 0; round < 3; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        workers.run([&](int part) { sum[part] += part + 1; });
    }
    EXPECT_EQ(sum[0], 3);
    EXPECT_EQ(sum[1], 6);
}

// A helper that looks for work just as its workers end must see the end: one that missed it slept for ever, and with it the
// thread that waits for its helpers. A failure is a test that does not return.
TEST(Workers, EndWhileTheirHelpersBegin) {
    std::atomic<int> parts = 0;
    for (int round = 0; round < 4000; ++round) {
        Workers workers(4);
        if (round % 4 == 1) workers.run([&](int) { ++parts; });
        if (round % 4 == 2) workers.limit(2);
    }
    EXPECT_EQ(parts, 4000);
}

}  // namespace
}  // namespace wobble
