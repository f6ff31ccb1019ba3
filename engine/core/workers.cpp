#include "engine/core/workers.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace wobble {

namespace {

// Loops follow each other within microseconds during a step, so waiting spins for a short while before it sleeps.
constexpr int spins_before_sleep = 4000;

void pause_processor() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

// Waits until `value` differs from `old`.
std::uint32_t wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
    for (int i = 0; i < spins_before_sleep; ++i) {
        const std::uint32_t now = value.load(std::memory_order_acquire);
        if (now != old) return now;
        pause_processor();
    }
    value.wait(old, std::memory_order_acquire);
    return value.load(std::memory_order_acquire);
}

}  // namespace

struct Workers::Pool {
    std::atomic<std::uint32_t> job{0};        // counts up once per loop; the helpers wait for it
    std::atomic<std::uint32_t> unfinished{0};  // helpers still busy with the current loop
    Erased call = nullptr;                     // null: time to leave
    void* body = nullptr;
    std::vector<std::jthread> helpers;
};

Workers::Workers(int threads) : count_(threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency())) {
    if (count_ == 1) return;
    pool_ = std::make_unique<Pool>();
    for (int part = 1; part < count_; ++part)
        pool_->helpers.emplace_back([pool = pool_.get(), part] {
            std::uint32_t seen = 0;
            while (true) {
                // Loops are handed out one at a time and each waits for all helpers, so none is ever missed.
                seen = wait_for_change(pool->job, seen);
                if (!pool->call) return;
                pool->call(pool->body, part);
                if (pool->unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) pool->unfinished.notify_one();
            }
        });
}

Workers::~Workers() {
    if (!pool_) return;
    pool_->call = nullptr;
    pool_->job.fetch_add(1, std::memory_order_acq_rel);
    pool_->job.notify_all();
}

void Workers::run_erased(Erased call, void* body) {
    pool_->call = call;
    pool_->body = body;
    pool_->unfinished.store(static_cast<std::uint32_t>(count_ - 1), std::memory_order_relaxed);
    pool_->job.fetch_add(1, std::memory_order_acq_rel);
    pool_->job.notify_all();
    call(body, 0);
    while (const std::uint32_t left = pool_->unfinished.load(std::memory_order_acquire)) wait_for_change(pool_->unfinished, left);
}

}  // namespace wobble
