#include "app/record/film.h"

#include "app/record/offscreen_renderer.h"
#include "engine/core/text.h"
#include "engine/scene/limits.h"

#include <cmath>

namespace wobble {

namespace {

constexpr double most_frames = 1e6;

std::string whole(double x) { return std::to_string(static_cast<long>(x)); }

std::string span(const Range& r) { return whole(r.low) + " to " + whole(r.high); }

Error kept(const std::string& why, const FrameWriter& writer) {
    return {why + " The film so far (" + counted(writer.frames(), "picture", "pictures") + ") is in " + writer.path().string() + "."};
}

}  // namespace

int frame_count(int fps, double seconds) { return static_cast<int>(std::lround(fps * seconds)); }

Result<void> check_length(int fps, double seconds) {
    if (!limits::fps.contains(fps))
        return Error{"A film cannot have " + whole(fps) + " pictures per second; choose " + span(limits::fps) + ".", "fps"};
    if (!(seconds > 0) || seconds * fps > most_frames)
        return Error{"A film cannot last " + std::to_string(seconds) + " s; choose more than 0 and at most " + whole(most_frames / fps) +
                         " at this rate.",
                     "seconds"};
    if (frame_count(fps, seconds) < 1)
        return Error{"The film would have no picture; at this rate it must last at least " + std::to_string(1.0 / fps) + " s.", "seconds"};
    return {};
}

Result<void> check_size(int width, int height) {
    if (limits::pixels.contains(width) && limits::pixels.contains(height)) return {};
    return Error{"A film cannot have " + whole(width) + "x" + whole(height) + " pixels; both numbers may be " + span(limits::pixels) + ".",
                 "size"};
}

Result<FrameWriter> open_film(const FilmOptions& options) {
    if (auto checked = check_length(options.fps, options.seconds); !checked) return checked.error();
    if (auto checked = check_size(options.width, options.height); !checked) return checked.error();
    return FrameWriter::open(options.out, options.width, options.height, options.fps, options.ffmpeg);
}

Result<FilmReport> record_film(const FrameSource& at, const FilmOptions& options, const Progress& progress) {
    auto opened = open_film(options);
    if (!opened) return opened.error();
    return record_film(std::move(opened).value(), at, options, progress);
}

Result<FilmReport> record_film(FrameWriter writer, const FrameSource& at, const FilmOptions& options, const Progress& progress) {
    auto painter = OffscreenRenderer::make(TextRaster(options.width, options.height));
    if (!painter) return painter.error();

    const int count = frame_count(options);
    bool cancelled = false;
    FilmLook look{.camera = {}, .view = options.view, .runs = {}, .legends = options.legends};
    for (int k = 0; k < count && !cancelled; ++k) {
        auto snapshot = at(static_cast<double>(k) / options.fps);  // not by adding: no rounding error grows
        if (!snapshot) {
            cancelled = !keep_going(progress, "recording", static_cast<double>(k) / count);
            if (cancelled) break;
            if (writer.frames() == 0) return snapshot.error();
            if (auto finished = writer.finish(); !finished) return finished.error();
            return kept(snapshot.message(), writer);
        }
        if (k == 0) look.camera = make_camera(options.camera, snapshot.value().surface ? snapshot.value().surface->rest_box : Box{});
        const std::shared_ptr<const Snapshot> body = std::make_shared<const Snapshot>(std::move(snapshot).value());
        const auto picture = painter.value()->paint(std::span(&body, 1), look, options.width, options.height);
        if (!picture) return picture.error();
        if (auto added = writer.add(picture.value()); !added) return added.error();
        cancelled = !keep_going(progress, "recording", static_cast<double>(k + 1) / count);
    }
    if (writer.frames() == 0) return Error{"Stopped before the first picture; no film was made."};
    if (auto finished = writer.finish(); !finished) return finished.error();
    return FilmReport{writer.path(), writer.frames(), cancelled};
}

}  // namespace wobble
