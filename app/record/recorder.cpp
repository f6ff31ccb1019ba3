#include "app/record/recorder.h"

#include "app/record/film.h"
#include "app/record/frame_writer.h"
#include "app/record/motion_writer.h"
#include "engine/core/text.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>

namespace wobble {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_pictures = 3;  // of the window, waiting to be written

std::string where(const fs::path& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    return (error ? path : absolute.lexically_normal()).string();
}

}  // namespace

// Shared with the sources of frames, so that it outlives the recorder where necessary.
struct Recorder::Session {
    struct Frame {
        FrameBarrier::Set bodies;
        FilmLook look;
        Image picture;  // of the window; empty unless with the UI
    };
    const Options options;
    const int wanted;  // frames; 0: until stopped
    const TextRaster lettering;
    std::stop_source give_up;

    mutable std::mutex mutex;  // guards what follows
    std::condition_variable changed;
    bool open = true, done = false;
    FilmLook look;
    std::deque<Frame> frames, pictured;  // without the UI: all in `frames`
    int accepted = 0;
    State state;
    Outcome outcome{};

    explicit Session(Options o)
        : options(std::move(o)),
          wanted(options.seconds > 0 ? frame_count(options.fps, options.seconds) : 0),
          lettering(options.width, options.height),
          look(options.look) {
        state.wanted = wanted;
        state.takes_frames = true;
    }

    bool given_up() const { return give_up.stop_requested(); }
    bool ui() const { return options.with_ui && info_of(options.target.format).film; }

    void close() {
        open = state.takes_frames = false;
        changed.notify_all();
    }

    bool offer(const FrameBarrier::Set& set) {
        const std::lock_guard lock(mutex);
        if (!open) return true;
        if (frames.size() >= queue) return false;
        Frame frame{{}, look, {}};
        for (const auto& shot : set)
            if (!shot || !shot->surface) return true;
        frame.bodies = set;
        if (frame.bodies.empty()) return true;
        frames.push_back(std::move(frame));
        changed.notify_all();
        if (++accepted == wanted) close();
        return true;
    }

    std::optional<Frame> take() {
        std::unique_lock lock(mutex);
        std::deque<Frame>& from = ui() ? pictured : frames;
        changed.wait(lock, [&] { return given_up() || !from.empty() || (!open && (!ui() || frames.empty())); });
        if (from.empty() || given_up()) return std::nullopt;
        Frame frame = std::move(from.front());
        from.pop_front();
        return frame;
    }

    void wrote(const fs::path& path, std::uint64_t bytes, const Frame* frame) {
        {
            const std::lock_guard lock(mutex);
            state.path = where(path);
            state.bytes = bytes;
            state.frames += frame != nullptr;
        }
        if (frame && options.watch) options.watch(frame->bodies);
    }

    // What there is of a motion, as its writers know it.
    void count(const std::vector<std::unique_ptr<MotionWriter>>& writers) {
        const std::lock_guard lock(mutex);
        state.path = where(writers.front()->path());
        state.frames = writers.front()->frames();
        state.bytes = 0;
        for (const auto& writer : writers) state.bytes += writer->bytes();
    }

    Result<fs::path> film();
    Result<fs::path> motion();
    void work();
};

Result<fs::path> Recorder::Session::film() {
    auto writer = FrameWriter::open(options.target.out, options.width, options.height, options.fps, options.ffmpeg, give_up.get_token());
    if (!writer) return writer.error();
    FrameWriter& out = writer.value();
    wrote(out.path(), 0, nullptr);
    std::unique_ptr<OffscreenRenderer> painter;
    if (!ui()) {
        auto made = OffscreenRenderer::make(lettering);
        if (!made) return made.error();
        painter = std::move(made).value();
    }
    while (auto frame = take()) {
        auto picture = painter ? painter->paint(frame->bodies, frame->look, options.width, options.height)
                               : Result<Image>(fitted(frame->picture, options.width, options.height));
        if (!picture) return picture.error();
        if (auto added = out.add(picture.value()); !added) return added.error();
        wrote(out.path(), out.bytes(), &*frame);
    }
    if (out.frames() == 0) return out.path();  // nothing is left of it
    if (auto finished = out.finish(); !finished) return finished.error();
    wrote(out.path(), out.bytes(), nullptr);
    return out.path();
}

Result<fs::path> Recorder::Session::motion() {
    std::vector<std::unique_ptr<MotionWriter>> writers;  // one per body
    std::vector<double> written_at;                      // t of its last frame
    std::optional<Error> failure;
    while (auto frame = take()) {
        for (std::size_t i = 0; i < frame->bodies.size() && !failure; ++i) {
            const Snapshot& shot = *frame->bodies[i];
            if (i >= writers.size()) {
                RecordTarget target = options.target;
                if (frame->bodies.size() > 1)  // runs of a comparison: each has its method in its name
                    target.out.replace_filename(target.out.stem().string() + "-" + shot.settings.method + target.out.extension().string());
                auto opened = MotionWriter::open(target, options.fps);
                if (!opened) {
                    failure = opened.error();
                    break;
                }
                writers.push_back(std::move(opened).value());
                written_at.push_back(-1);
            }
            // A run of a comparison that failed stands still; a list of frames with their times has each time once.
            if (options.target.format == RecordFormat::vtu && !(shot.t > std::exchange(written_at[i], shot.t))) continue;
            if (auto added = writers[i]->add(shot); !added) failure = added.error();
        }
        if (failure) break;
        count(writers);
        if (options.watch) options.watch(frame->bodies);
    }
    for (const auto& writer : writers)
        if (auto finished = writer->finish(); !finished)
            failure = failure ? Error{failure->message + " " + finished.message()} : finished.error();
    if (!writers.empty()) count(writers);  // a full disk may have cost some frames
    if (failure && !writers.empty() && writers.front()->frames() > 0)
        return Error{failure->message + " The motion so far (" + counted(writers.front()->frames(), "frame", "frames") + ") is in " +
                     where(writers.front()->path()) + "."};
    if (failure) return *failure;
    return writers.empty() ? fs::path() : writers.front()->path();
}

void Recorder::Session::work() {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 5);  // of this thread and those it starts: the window comes first
    const auto guarded = [&]() -> Result<fs::path> {                // nothing may leave a thread but a sentence
        try {
            return info_of(options.target.format).film ? film() : motion();
        } catch (const std::bad_alloc&) {
            return Error{"There is not enough memory for this recording; choose a smaller size."};
        } catch (const std::exception& error) {
            return Error{std::string("The recording failed unexpectedly (") + error.what() + ")."};
        }
    };
    const auto result = guarded();
    const std::lock_guard lock(mutex);
    close();
    frames.clear(), pictured.clear();
    outcome = {result.ok(), "", state.path, state.frames, state.bytes};
    if (!result) outcome.message = result.message();
    else if (state.frames == 0) outcome = {true, "Nothing was recorded: it was stopped before the first frame.", "", 0, 0};
    else {
        char size[40];
        std::snprintf(size, sizeof size, "%.4g s, %.1f MB", static_cast<double>(state.frames) / options.fps,
                      1e-6 * static_cast<double>(state.bytes));
        outcome.message = counted(state.frames, "frame", "frames") + " (" + size + ") are in " + state.path;
    }
    done = true;
}

Recorder::~Recorder() {
    if (!session_) return;
    leave();
    if (!session_->given_up()) {
        std::unique_lock lock(session_->mutex);
        session_->changed.wait_for(lock, std::chrono::seconds(session_->options.patience_seconds), [&] { return session_->done; });
    }
    abandon();
    thread_.join();
}

Result<void> Recorder::start(Options options) {
    if (session_) return Error{"A recording is under way; stop it first."};
    if (auto checked = check_length(options.fps, options.seconds > 0 ? options.seconds : 1); !checked) return checked.error();
    if (info_of(options.target.format).film)
        if (auto checked = check_size(options.width, options.height); !checked) return checked.error();
    session_ = std::make_shared<Session>(std::move(options));
    thread_ = std::thread([session = session_] {
        session->work();
        session->changed.notify_all();
    });
    return {};
}

void Recorder::stop() {
    if (!session_) return;
    const std::lock_guard lock(session_->mutex);
    session_->close();
}

void Recorder::leave() {
    if (!session_) return;
    const std::lock_guard lock(session_->mutex);
    if (session_->ui()) session_->frames.clear();  // the rest will not be shown
    session_->close();
}

void Recorder::abandon() {
    if (!session_) return;
    session_->give_up.request_stop();
    const std::lock_guard lock(session_->mutex);
    session_->close();
}

void Recorder::look(const FilmLook& now) {
    if (!session_) return;
    const std::lock_guard lock(session_->mutex);
    session_->look = now;
}

bool Recorder::takes_frames() const { return state().takes_frames; }

FrameBarrier::Sink Recorder::sink() const {
    if (!session_) return [](const FrameBarrier::Set&) { return true; };
    return [session = session_](const FrameBarrier::Set& set) { return session->offer(set); };
}

Recorder::State Recorder::state() const {
    if (!session_) return {};
    const std::lock_guard lock(session_->mutex);
    return session_->state;
}

std::optional<Recorder::Outcome> Recorder::poll() {
    if (!session_) return std::nullopt;
    {
        const std::lock_guard lock(session_->mutex);
        if (!session_->done) return std::nullopt;
    }
    thread_.join();
    Outcome outcome = session_->outcome;
    session_.reset();
    return outcome;
}

FrameBarrier::Set Recorder::ui_frame_wanted() const {
    if (!session_ || !session_->ui()) return {};
    const std::lock_guard lock(session_->mutex);
    if (session_->frames.empty() || session_->pictured.size() >= most_pictures) return {};
    return session_->frames.front().bodies;
}

void Recorder::add_ui_frame(Image picture) {
    if (!session_) return;
    const std::lock_guard lock(session_->mutex);
    if (session_->frames.empty()) return;  // it failed meanwhile
    session_->frames.front().picture = std::move(picture);
    session_->pictured.push_back(std::move(session_->frames.front()));
    session_->frames.pop_front();
    session_->changed.notify_all();
}

}  // namespace wobble
