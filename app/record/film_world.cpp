#include "app/record/film.h"
#include "engine/sim/world.h"

namespace wobble {

FrameSource frames_of(World& world, double seconds, const Progress& progress) {
    const double start = world.time();
    return [&world, seconds, progress, start](double t) -> Result<Snapshot> {
        while (world.time() < start + t) {
            // Between pictures many steps can pass: a wish to stop must not wait for the next picture.
            if (!keep_going(progress, "recording", (world.time() - start) / seconds)) return Error{"Stopped on request."};
            if (world.step_towards(start + t)) continue;
            const Snapshot last = world.snapshot();
            return Error{last.message.empty() ? "The simulation stopped at t = " + std::to_string(last.t) + " s." : last.message};
        }
        return world.snapshot();
    };
}

Result<FilmReport> record_film(FrameWriter writer, World& world, const FilmOptions& options, const Progress& progress) {
    world.apply(wanted_data(options.view));
    return record_film(std::move(writer), frames_of(world, options.seconds, progress), options, progress);
}

}  // namespace wobble
