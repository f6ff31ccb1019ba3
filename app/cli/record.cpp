// `wobble record`: a film, or the moving mesh, without a window.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/record/film.h"
#include "app/record/motion.h"
#include "engine/core/text.h"
#include "engine/sim/world.h"

#include <iostream>

namespace wobble::cli {

namespace {

wobble::ViewOptions view_options(const RecordOptions& options, const Scene& scene) {
    wobble::ViewOptions view = scene.view.value_or(wobble::ViewOptions{});
    if (options.field) view.field = *options.field, view.field_high = 0;
    return view;
}

// What the command line says counts, then what the name says, then what the scene says.
Result<RecordTarget> target_of(const RecordOptions& options, const Scene& scene) {
    const auto& said = scene.recording.format;
    std::error_code ignored;
    const bool folder = !options.out.has_filename() || std::filesystem::is_directory(options.out, ignored);
    if (options.format || !said || (folder && *info_of(*said).suffix)) return record_target(options.out, options.format);
    const auto as_scene = record_target(options.out, said);
    return as_scene ? as_scene : record_target(options.out, std::nullopt);
}

FilmOptions film_options(const RecordOptions& options, const RecordTarget& target, const Scene& scene) {
    FilmOptions film;
    film.fps = options.fps.value_or(scene.recording.fps);
    film.width = options.size ? options.size->first : fitting_side(scene.recording.width, target.format);
    film.height = options.size ? options.size->second : fitting_side(scene.recording.height, target.format);
    film.seconds = scene.recording.seconds;
    film.out = target.out;
    film.view = view_options(options, scene);
    film.legends = scene.recording.legends && !options.no_legends;
    film.camera = scene.camera;
    film.camera.yaw = options.yaw.value_or(film.camera.yaw);
    film.camera.pitch = options.pitch.value_or(film.camera.pitch);
    film.camera.distance = options.distance.value_or(film.camera.distance);
    return film;
}

int film(const RecordOptions& options, const RecordTarget& target, Scene scene) {
    const FilmOptions film = film_options(options, target, scene);
    auto writer = open_film(film);  // a film that cannot be written is noticed before the work, not after it
    if (!writer) return complain(writer.error()), bad_input;

    TerminalProgress progress(options.scene.quiet);
    auto loaded = build_scene(std::move(scene), progress.function());
    if (interrupted()) return progress.clear(), complain("Stopped on request; no film was made."), stopped;
    if (!loaded) return progress.clear(), complain(loaded.error()), bad_input;

    progress.clear();
    say_how_opened(*loaded.value(), options.scene.quiet);
    World world(loaded.value(), options.scene.threads);
    const auto report = record_film(std::move(writer).value(), world, film, progress.function());
    progress.clear();
    if (!report) return complain(report.error()), interrupted() ? stopped : failed;
    std::cout << report.value().path.string() << ": " << counted(report.value().frames, "frame", "frames") << " at " << film.fps
              << " per second, " << film.width << " x " << film.height << std::endl;
    if (report.value().cancelled) return complain("Stopped on request; the film ends early."), stopped;
    return fine;
}

int motion(const RecordOptions& options, const RecordTarget& target, Scene scene) {
    const MotionOptions motion{options.fps.value_or(scene.recording.fps), scene.recording.seconds, target, view_options(options, scene)};
    auto writer = open_motion(motion);
    if (!writer) return complain(writer.error()), bad_input;

    TerminalProgress progress(options.scene.quiet);
    auto loaded = build_scene(std::move(scene), progress.function());
    if (interrupted()) return progress.clear(), complain("Stopped on request; nothing was written."), stopped;
    if (!loaded) return progress.clear(), complain(loaded.error()), bad_input;

    progress.clear();
    say_how_opened(*loaded.value(), options.scene.quiet);
    World world(loaded.value(), options.scene.threads);
    const auto report = record_motion(*writer.value(), world, motion, progress.function());
    progress.clear();
    if (!report) return complain(report.error()), interrupted() ? stopped : failed;
    std::cout << report.value().path.string() << ": " << counted(report.value().frames, "frame", "frames") << " at " << motion.fps
              << " per second" << std::endl;
    if (report.value().cancelled) return complain("Stopped on request; the motion ends early."), stopped;
    return fine;
}

}  // namespace

int record(const RecordOptions& options) {
    auto scene = scene_from(options.scene);
    if (!scene) return complain(scene.error()), bad_input;
    const auto target = target_of(options, scene.value());
    if (!target) return complain(target.error()), bad_input;
    return (info_of(target.value().format).film ? film : motion)(options, target.value(), std::move(scene).value());
}

}  // namespace wobble::cli
