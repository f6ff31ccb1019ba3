#pragma once
// A few threads that wait for short loops. Made once, passed to all code with a loop to share; no global pool.
#include <algorithm>
#include <functional>
#include <memory>
#include <stop_token>

namespace wobble {

int cores();  // at least 1

class Workers {
public:
    explicit Workers(int threads = 0, std::stop_token stop = {});  // 0: one per core
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int count() const { return count_; }

    // How many of the threads do the parts of loops, the calling one included; the parts stay the same, and so do the results. Any thread.
    void limit(int threads);
    int at_work() const;

    // The result is no longer wanted: solvers look here once per iteration and then fail instead of finishing.
    bool stop_requested() const { return stop_.stop_requested(); }
    const std::stop_token& stop() const { return stop_; }  // for workers made on behalf of these

    // Calls body(part) once for every part in [0, count()) and returns when all are done. The calling thread takes every part that
    // no helper has begun, so a busy machine slows a loop down but never stalls it.
    // The body must not throw and must not call run() again. Costs a few microseconds; does not allocate.
    template <class Body>
    void run(Body&& body) {
        if (count_ == 1) return body(0);
        run_erased([](void* b, int part) { (*static_cast<std::remove_reference_t<Body>*>(b))(part); }, &body);
    }

    // Splits [0, n) into count() contiguous ranges and calls body(begin, end) for each that is not empty.
    template <class Body>
    void ranges(int n, Body&& body) {
        run([&](int part) {
            const int begin = range_begin(n, part), end = range_begin(n, part + 1);
            if (begin < end) body(begin, end);
        });
    }
    // The same ranges of particles as ranges of their coordinates, three each.
    template <class Body>
    void coordinates(int particles, Body&& body) {
        ranges(particles, [&](int begin, int end) { body(3 * begin, 3 * end); });
    }
    int range_begin(int n, int part) const { return static_cast<int>(static_cast<long>(n) * part / count_); }

private:
    using Erased = void (*)(void*, int);
    void run_erased(Erased, void*);

    struct Pool;
    int count_;
    std::stop_token stop_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace wobble
