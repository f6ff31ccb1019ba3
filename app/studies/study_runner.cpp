#include "app/studies/study_runner.h"

#include "engine/core/spelling.h"
#include "engine/study/output/write.h"

#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <utility>

namespace wobble {

StudyRunner::~StudyRunner() {
    unwanted_ = true;
    if (thread_.joinable()) thread_.join();
}

void StudyRunner::start(const Study& study, StudyOptions options) {
    if (thread_.joinable()) return;
    unwanted_ = done_ = false;
    {
        const std::lock_guard lock(mutex_);
        stage_ = "starting";
        fraction_ = 0;
        outcome_.reset();
    }
    thread_ = std::thread([this, &study, options = std::move(options)] { work(study, options); });
}

void StudyRunner::work(const Study& study, const StudyOptions& options) {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 10);  // of this thread: on Linux each has its own
    const auto progress = [this](std::string_view stage, double fraction) {
        const std::lock_guard lock(mutex_);
        stage_ = stage;
        fraction_ = fraction;
        return !unwanted_;
    };
    const auto guarded = [&]() -> Outcome {  // nothing may leave a thread but a sentence
        try {
            return study.run(options, progress);
        } catch (const std::bad_alloc&) {
            return Error{"There is not enough memory for this study; choose a smaller body."};
        } catch (const std::exception& error) {
            return Error{std::string("The study failed unexpectedly (") + error.what() + ")."};
        }
    };
    Outcome outcome = guarded();
    const std::lock_guard lock(mutex_);
    outcome_ = std::move(outcome);
    done_ = true;
}

std::optional<StudyRunner::Outcome> StudyRunner::poll() {
    if (!thread_.joinable() || !done_) return std::nullopt;
    thread_.join();
    std::optional<Outcome> outcome = std::exchange(outcome_, std::nullopt);
    if (unwanted_) outcome.reset();
    return outcome;
}

std::string StudyRunner::stage() const {
    const std::lock_guard lock(mutex_);
    return stage_;
}

double StudyRunner::fraction() const {
    const std::lock_guard lock(mutex_);
    return fraction_;
}

void StudyRunner::frame(StudiesPage& page) {
    if (std::exchange(page.cancel, false)) cancel();
    if (auto options = std::exchange(page.start, std::nullopt); options && page.started) {
        page.message.clear();
        start(*page.started, std::move(*options));
    }
    if (auto outcome = poll()) {
        if (*outcome) {
            page.result = std::make_shared<const StudyResult>(std::move(*outcome).value());
            page.plot = 0;
            page.folder = std::string("study-") + page.started->id;
        } else {
            page.message = outcome->message();
        }
    }
    if (std::exchange(page.save, false) && page.result) {
        const auto written = write_study(*page.result, page.folder);
        page.message =
            written ? std::to_string(written.value().size()) + " files are in " + in_quotes(page.folder) + "." : written.message();
    }
    page.running = busy();
    page.stage = stage();
    page.fraction = fraction();
}

}  // namespace wobble
