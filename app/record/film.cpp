#include "app/record/film.h"

#include "app/record/frame_writer.h"
#include "app/viewer/camera.h"
#include "app/viewer/headless.h"
#include "app/viewer/renderer.h"

#include <cmath>

namespace wobble {

namespace {

constexpr double most_frames = 1e6;

Result<void> check(const FilmOptions& options) {
    if (options.fps < 1 || options.fps > 1000)
        return Error{"A film cannot have " + std::to_string(options.fps) + " pictures per second; --fps takes 1 to 1000."};
    if (!(options.seconds > 0) || options.seconds * options.fps > most_frames)
        return Error{"A film cannot last " + std::to_string(options.seconds) + " s; --seconds takes more than 0 and at most " +
                     std::to_string(static_cast<int>(most_frames / options.fps)) + " at this rate."};
    if (frame_count(options) < 1) return Error{"The film would have no picture; --seconds must be at least one picture long."};
    if (options.width < 16 || options.height < 16 || options.width > 8192 || options.height > 8192)
        return Error{"A film cannot have " + std::to_string(options.width) + "x" + std::to_string(options.height) +
                     " pixels; --size takes 16x16 to 8192x8192."};
    return {};
}

Error kept(const std::string& why, const FrameWriter& writer) {
    return {why + " The film so far (" + std::to_string(writer.frames()) + " pictures) is in " + writer.path().string() + "."};
}

}  // namespace

int frame_count(const FilmOptions& options) { return static_cast<int>(std::lround(options.fps * options.seconds)); }

Result<FilmReport> record_film(const FrameSource& at, const FilmOptions& options, const Progress& progress) {
    if (auto checked = check(options); !checked) return checked.error();
    auto context = HeadlessContext::make();
    if (!context) return context.error();
    auto renderer = Renderer::make();
    if (!renderer) return renderer.error();
    auto opened = FrameWriter::open(options.out, options.width, options.height, options.fps, options.ffmpeg);
    if (!opened) return opened.error();
    FrameWriter writer = std::move(opened).value();

    const int count = frame_count(options);
    bool cancelled = false;
    std::optional<Camera> camera;
    for (int k = 0; k < count && !cancelled; ++k) {
        const auto snapshot = at(static_cast<double>(k) / options.fps);  // not by adding: no rounding error grows
        if (!snapshot) {
            if (auto finished = writer.finish(); !finished) return finished.error();
            return kept(snapshot.message(), writer);
        }
        if (!camera) camera = make_camera(options.camera, snapshot.value().surface ? snapshot.value().surface->rest_box : Box{});
        auto drawn = renderer.value()->draw(snapshot.value(), *camera, options.view, options.width, options.height);
        if (!drawn) return drawn.error();
        if (auto added = writer.add(renderer.value()->picture()); !added) return added.error();
        cancelled = !keep_going(progress, "recording", static_cast<double>(k + 1) / count);
    }
    if (auto finished = writer.finish(); !finished) return finished.error();
    return FilmReport{writer.path(), writer.frames(), cancelled};
}

}  // namespace wobble
