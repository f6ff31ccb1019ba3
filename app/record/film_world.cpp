#include "app/record/film.h"
#include "engine/sim/world.h"

namespace wobble {

Result<FilmReport> record_film(World& world, const FilmOptions& options, const Progress& progress) {
    const double start = world.time();
    const auto at = [&](double t) -> Result<Snapshot> {
        if (!world.advance_to(start + t)) {
            Snapshot last = world.snapshot();
            return Error{last.message.empty() ? "The simulation stopped at t = " + std::to_string(last.t) + " s." : last.message};
        }
        return world.snapshot();
    };
    return record_film(at, options, progress);
}

}  // namespace wobble
