#pragma once
// Small jobs that write files, done one after the other on a background thread so that the window never waits for a disk.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace wobble {

class Errands {
public:
    struct Told {
        bool good;
        std::string sentence;
    };
    Errands() = default;
    ~Errands();  // does what is left
    Errands(const Errands&) = delete;
    Errands& operator=(const Errands&) = delete;

    void add(std::function<Told()>);
    std::optional<Told> poll();  // what one of them said, once

private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<Told()>> jobs_;
    std::deque<Told> told_;
    bool quit_ = false;
    std::thread thread_;  // started with the first
};

}  // namespace wobble
