// `wobble record`: a film without a window.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/record/film.h"
#include "engine/sim/world.h"

#include <cmath>
#include <iostream>

namespace wobble::cli {

namespace {

FilmOptions film_options(const RecordOptions& options, const Scene& scene) {
    FilmOptions film;
    film.fps = options.fps.value_or(scene.recording.fps);
    film.width = options.size ? options.size->first : scene.recording.width;
    film.height = options.size ? options.size->second : scene.recording.height;
    film.seconds = scene.recording.seconds;
    film.out = options.out;
    film.camera = scene.camera;
    film.camera.yaw = options.yaw.value_or(film.camera.yaw);
    film.camera.pitch = options.pitch.value_or(film.camera.pitch);
    film.camera.distance = options.distance.value_or(film.camera.distance);
    return film;
}

// What can be judged before any work is done.
Result<void> check(const FilmOptions& film) {
    constexpr double most_frames = 1e6;
    if (film.out.extension() == ".mp4" && (film.width % 2 != 0 || film.height % 2 != 0))
        return Error{"--size: MP4 films need an even width and height, not " + std::to_string(film.width) + "x" +
                     std::to_string(film.height) + "."};
    const double frames = film.seconds * film.fps;
    if (frames < 0.5)
        return Error{"--seconds: the film would have no frame; at this --fps it takes at least " + std::to_string(1.0 / film.fps) + "."};
    if (frames > most_frames) return Error{"--seconds: the film would have more than a million frames; make it shorter or lower --fps."};
    const std::filesystem::path folder = std::filesystem::absolute(film.out).parent_path();
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
        return Error{"--out: there is no folder \"" + folder.string() + "\"; create it first or choose another place."};
    return {};
}

}  // namespace

int record(const RecordOptions& options) {
    auto scene = scene_from(options.scene);
    if (!scene) return complain(scene.message()), bad_input;
    const FilmOptions film = film_options(options, scene.value());
    if (auto good = check(film); !good) return complain(good.message()), bad_input;

    TerminalProgress progress(options.scene.quiet);
    auto loaded = build_scene(std::move(scene).value(), progress.function());
    if (interrupted()) return progress.clear(), complain("Stopped on request; no film was made."), stopped;
    if (!loaded) return progress.clear(), complain(loaded.message()), bad_input;

    World world(loaded.value(), options.scene.threads);
    const auto report = record_film(world, film, progress.function());
    progress.clear();
    if (!report) return complain(report.message()), failed;
    std::cout << report.value().path.string() << ": " << report.value().frames << " frames at " << film.fps << " per second, " << film.width
              << " x " << film.height << std::endl;
    if (report.value().cancelled) return complain("Stopped on request; the film ends early."), stopped;
    return fine;
}

}  // namespace wobble::cli
