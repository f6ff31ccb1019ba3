#pragma once
// Films of a run without a window or an X server: pictures at fixed simulated times 0, 1/fps, 2/fps, ...
#include "app/record/frame_writer.h"
#include "app/viewer/view_options.h"
#include "engine/core/progress.h"
#include "engine/core/result.h"
#include "engine/scene/scene.h"
#include "engine/sim/snapshot.h"

#include <filesystem>
#include <functional>
#include <string>

namespace wobble {

class World;

struct FilmOptions {
    int fps = 30;
    int width = 1280, height = 720;
    double seconds = 4;         // simulated; round(fps * seconds) pictures
    std::filesystem::path out;  // X.mp4 (even sides), X.gif, X.webp, or a folder for frame_000000.png; existing ones are not touched
    CameraView camera;
    ViewOptions view;
    bool legends = true;            // the scale of the colours
    std::string ffmpeg = "ffmpeg";  // the program to use
};

struct FilmReport {
    std::filesystem::path path;  // the name really taken
    int frames = 0;
    bool cancelled = false;  // by progress; the film so far is complete in itself
};

// Gives the state at a simulated time, or a sentence why there is none (it may also fail because the progress asked it to stop).
// Called with growing times.
using FrameSource = std::function<Result<Snapshot>(double t)>;

// The states of a world at these times, played from where it is; it must outlive this. The progress is asked at every step.
FrameSource frames_of(World&, double seconds, const Progress&);

// Judges everything that can be judged before the work (rate, length, size, place, ffmpeg) and takes the film's name.
Result<FrameWriter> open_film(const FilmOptions&);

// Makes its own OpenGL context on the calling thread. When the source fails, the film so far is kept and the sentence names it.
Result<FilmReport> record_film(FrameWriter, const FrameSource&, const FilmOptions&, const Progress& = {});
Result<FilmReport> record_film(const FrameSource&, const FilmOptions&, const Progress& = {});  // opens it itself

// A world, played from where it is; it should be at t = 0. The progress is asked at every step.
Result<FilmReport> record_film(FrameWriter, World&, const FilmOptions&, const Progress& = {});

int frame_count(int fps, double seconds);
inline int frame_count(const FilmOptions& options) { return frame_count(options.fps, options.seconds); }
Result<void> check_length(int fps, double seconds);  // whether that many frames can be
Result<void> check_size(int width, int height);      // whether pictures can be so large

}  // namespace wobble
