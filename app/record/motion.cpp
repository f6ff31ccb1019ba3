#include "app/record/motion.h"

#include "app/record/film.h"
#include "engine/core/text.h"
#include "engine/sim/world.h"

namespace wobble {

Result<std::unique_ptr<MotionWriter>> open_motion(const MotionOptions& options) {
    if (auto checked = check_length(options.fps, options.seconds); !checked) return checked.error();
    return MotionWriter::open(options.target, options.fps);
}

Result<MotionReport> record_motion(MotionWriter& writer, World& world, const MotionOptions& options, const Progress& progress) {
    world.apply(wanted_data(options.view, true));
    const FrameSource at = frames_of(world, options.seconds, progress);
    const int count = frame_count(options.fps, options.seconds);
    const auto so_far = [&](const std::string& why) {
        return Error{why + " The motion so far (" + counted(writer.frames(), "frame", "frames") + ") is in " + writer.path().string() +
                     "."};
    };
    bool cancelled = false;
    for (int k = 0; k < count && !cancelled; ++k) {
        auto snapshot = at(static_cast<double>(k) / options.fps);
        cancelled = !keep_going(progress, "recording", static_cast<double>(k) / count);
        if (cancelled) break;
        Result<void> added = snapshot ? Result<void>{} : Result<void>{snapshot.error()};
        if (snapshot) added = writer.add(snapshot.value());
        if (added) continue;
        if (writer.frames() == 0) return added.error();
        const auto finished = writer.finish();
        return so_far(finished ? added.message() : added.message() + " " + finished.message());
    }
    if (writer.frames() == 0) return Error{"Stopped before the first frame; nothing was written."};
    if (auto finished = writer.finish(); !finished) return so_far(finished.message());
    return MotionReport{writer.path(), writer.frames(), cancelled};
}

}  // namespace wobble
