#pragma once
// Runs studies on a background thread of low priority, one at a time, so that the window and the simulation go on undisturbed.
// All functions are for the UI thread and return at once, except the destructor, which waits for the work to notice it is unwanted.
#include "app/window/ui_state.h"
#include "engine/study/study.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace wobble {

class StudyRunner {
public:
    using Outcome = Result<StudyResult>;

    StudyRunner() = default;
    ~StudyRunner();
    StudyRunner(const StudyRunner&) = delete;
    StudyRunner& operator=(const StudyRunner&) = delete;

    void start(const Study&, StudyOptions);  // does nothing while one is under way
    void cancel() { unwanted_ = true; }
    bool busy() const { return thread_.joinable(); }
    void frame(StudiesPage&);       // once per display frame: takes the page's wishes, shows how far it is
    std::optional<Outcome> poll();  // the result, once; nothing for cancelled work
    std::string stage() const;
    double fraction() const;

private:
    void work(const Study&, const StudyOptions&);

    std::thread thread_;
    std::atomic<bool> unwanted_ = false, done_ = false;
    mutable std::mutex mutex_;  // guards the three below
    std::string stage_;
    double fraction_ = 0;
    std::optional<Outcome> outcome_;
};

}  // namespace wobble
