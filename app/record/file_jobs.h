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

class FileJobs {
public:
    struct JobResult {
        bool good;
        std::string sentence;
    };
    FileJobs() = default;
    ~FileJobs();  // does what is left
    FileJobs(const FileJobs&) = delete;
    FileJobs& operator=(const FileJobs&) = delete;

    void add(std::function<JobResult()>);
    std::optional<JobResult> poll();  // what one of them said, once

private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<JobResult()>> jobs_;
    std::deque<JobResult> told_;
    bool quit_ = false;
    std::thread thread_;  // started with the first
};

}  // namespace wobble
