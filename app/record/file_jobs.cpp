#include "app/record/file_jobs.h"

#include <exception>

namespace wobble {

FileJobs::~FileJobs() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void FileJobs::add(std::function<JobResult()> job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
}

std::optional<FileJobs::JobResult> FileJobs::poll() {
    const std::lock_guard lock(mutex_);
    if (told_.empty()) return std::nullopt;
    JobResult first = std::move(told_.front());
    told_.pop_front();
    return first;
}

void FileJobs::work() {
    const auto guarded = [](const std::function<JobResult()>& job) -> JobResult {
        try {
            return job();
        } catch (const std::exception& error) {
            return {false, std::string("The file could not be written (") + error.what() + ")."};
        }
    };
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return quit_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        const std::function<JobResult()> job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        JobResult told = guarded(job);
        lock.lock();
        told_.push_back(std::move(told));
    }
}

}  // namespace wobble
