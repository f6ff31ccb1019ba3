#include "engine/core/workers.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
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

template <class T>
void wait_while_equal(const std::atomic<T>& value, T old) {
    for (int i = 0; i < spins_before_sleep; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause_processor();
    }
    value.wait(old, std::memory_order_acquire);
}

}  // namespace

// A loop is a number, and its parts are handed out by counting: `ticket` holds the loop's number and the next free part.
// A part can be claimed only while its loop is unfinished, so the thread that holds one may read `call` and `body`.
// What is announced by notify is stored sequentially consistently: notify asks whether any thread sleeps, and must not ask before the new
// value can be seen.
struct Workers::Pool {
    explicit Pool(int parts) : count(static_cast<std::uint32_t>(parts)) {}

    const std::uint32_t count;
    std::atomic<std::uint64_t> ticket{0};               // loop number << 32 | next part
    std::atomic<std::uint32_t> done{0};                 // finished parts of the current loop
    std::atomic<int> at_work{static_cast<int>(count)};  // helpers with this number and higher ones sleep
    std::atomic<bool> quit{false};
    Erased call = nullptr;
    void* body = nullptr;
    std::vector<std::jthread> helpers;

    // Does parts of loop `number` until none is left to begin.
    void work(std::uint32_t number) {
        std::uint64_t now = ticket.load(std::memory_order_acquire);
        while (now >> 32 == number && static_cast<std::uint32_t>(now) < count) {
            if (!ticket.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel)) continue;
            call(body, static_cast<int>(static_cast<std::uint32_t>(now)));
            if (done.fetch_add(1, std::memory_order_seq_cst) + 1 == count) done.notify_one();
            now = ticket.load(std::memory_order_acquire);
        }
    }

    void help(int number) {
        std::uint64_t seen = count;  // loop 0 has no parts left
        while (true) {
            // The ticket first: the thread with the last one, which no other follows, then sees that it was the last. Asked the other
            // way round, a helper held up in between would wait for the next ticket for ever.
            const std::uint64_t now = ticket.load(std::memory_order_acquire);
            if (quit.load(std::memory_order_acquire)) return;
            if (const int wanted = at_work.load(std::memory_order_acquire); number >= wanted) {
                at_work.wait(wanted, std::memory_order_acquire);
                continue;
            }
            if (now >> 32 == seen >> 32 || static_cast<std::uint32_t>(now) >= count) {
                wait_while_equal(ticket, now);
                continue;
            }
            seen = now;
            work(static_cast<std::uint32_t>(now >> 32));
        }
    }
};

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

Workers::Workers(int threads, std::stop_token stop) : count_(threads > 0 ? threads : cores()), stop_(std::move(stop)) {
    if (count_ == 1) return;
    pool_ = std::make_unique<Pool>(count_);
    pool_->ticket = pool_->count;
    for (int number = 1; number < count_; ++number) pool_->helpers.emplace_back([pool = pool_.get(), number] { pool->help(number); });
}

Workers::~Workers() {
    if (!pool_) return;
    pool_->quit.store(true, std::memory_order_release);
    pool_->ticket.fetch_add(std::uint64_t{1} << 32, std::memory_order_acq_rel);  // parts stay exhausted; only the number changes
    pool_->ticket.notify_all();
    limit(count_ + 1);  // wakes those who sleep
}

void Workers::limit(int threads) {
    if (!pool_) return;
    pool_->at_work.store(std::max(1, threads), std::memory_order_seq_cst);
    pool_->at_work.notify_all();
}

int Workers::at_work() const { return pool_ ? std::min(count_, pool_->at_work.load(std::memory_order_acquire)) : 1; }

void Workers::run_erased(Erased call, void* body) {
    Pool& pool = *pool_;
    pool.call = call;
    pool.body = body;
    pool.done.store(0, std::memory_order_relaxed);
    const std::uint32_t number = static_cast<std::uint32_t>(pool.ticket.load(std::memory_order_relaxed) >> 32) + 1;
    pool.ticket.store(static_cast<std::uint64_t>(number) << 32, std::memory_order_seq_cst);
    pool.ticket.notify_all();
    pool.work(number);
    while (true) {
        const std::uint32_t finished = pool.done.load(std::memory_order_acquire);
        if (finished == pool.count) return;
        wait_while_equal(pool.done, finished);
    }
}

}  // namespace wobble
