#pragma once
// Records a running simulation: every state at a frame time is taken on the engine's thread, waits in a short queue, and is drawn and
// written by a thread of the recorder's own. A full queue makes the simulation wait, so no frame is ever lost or shown twice, however
// slow the display, the disk or ffmpeg are. Pictures that include the UI are made by the window, which shows exactly the queued states.
// What goes wrong ends the recording with a sentence and lets the simulation go on.
#include "app/record/offscreen_renderer.h"
#include "app/record/record_format.h"
#include "engine/sim/frame_barrier.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace wobble {

class Recorder {
public:
    struct Options {
        RecordTarget target;
        int width = 1280, height = 720, fps = 30;  // size: of films
        double seconds = 0;                        // simulated; round(fps * seconds) frames; 0: until stopped
        bool with_ui = false;                      // films: see ui_frame_wanted()
        FilmLook look;                             // until look() says otherwise
        std::string ffmpeg = "ffmpeg";
        int patience_seconds = 20;                                 // for the end of a film when the window is closed
        std::function<void(const FrameBarrier::Set&)> watch = {};  // every frame after it was written, on the recorder's thread
    };
    static constexpr std::size_t queue = 8;  // frames on their way

    Recorder() = default;
    ~Recorder();  // ends a recording properly, but waits no longer than the patience; a window asks leave() and draws meanwhile
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // All for the UI thread; none of them waits.
    Result<void> start(Options);  // refuses bad numbers, or while one is under way; everything else comes later by progress()
    void stop();                  // no more frames; those on their way are written
    void leave();                 // stop(); pictures the window has not made yet are not waited for: it is about to close
    void abandon();               // at once: a film without its end is removed, whole pictures and meshes stay
    void look(const FilmLook&);   // of the frames taken from now on
    bool busy() const { return session_ != nullptr; }
    bool takes_frames() const;  // false: it has all it wants

    // Who takes the frames; any thread, any time, also after the end.
    FrameBarrier::Sink sink() const;
    bool offer(const FrameBarrier::Set& set) const { return sink()(set); }

    struct State {
        bool takes_frames = false;
        int frames = 0;           // written
        int wanted = 0;           // 0: until stopped
        std::uint64_t bytes = 0;  // on disk
        std::string path;         // absolute, once the name is taken
    };
    State state() const;

    struct Outcome {
        bool good;
        std::string message;  // where it is, or what went wrong
        std::string path;
        int frames;
        std::uint64_t bytes;
    };
    std::optional<Outcome> poll();  // once, when everything is written

    // Films with the UI: the states to be shown in the window, and its picture. Empty: nothing is wanted now.
    FrameBarrier::Set ui_frame_wanted() const;
    void add_ui_frame(Image);  // of the window while it showed them

private:
    struct Session;
    std::shared_ptr<Session> session_;
    std::thread thread_;
};

}  // namespace wobble
