// `wobble [SCENE | FILE]`: the viewer.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/scene/scene_loader.h"
#include "app/window/process_age.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "engine/scene/loaded_scene.h"
#include "engine/scene/scene_file.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <future>

namespace wobble::cli {

namespace {

double scale_of_environment() {  // 0: none, or none that makes sense
    const char* text = std::getenv("WOBBLE_SCALE");
    const double scale = text ? std::strtod(text, nullptr) : 0;
    return scale >= 0.5 && scale <= 4 ? scale : 0;
}

}  // namespace

int view(const ViewOptions& options) {
    auto scene = scene_from(options.scene);
    if (!scene) return complain(scene.message()), bad_input;
    // Checked before the body is built: without a display there is no window.
    const auto set = [](const char* name) { return std::getenv(name) && *std::getenv(name); };
    if (!set("DISPLAY") && !set("WAYLAND_DISPLAY"))
        return complain("There is no display to open a window on; make a film instead: wobble record " + options.scene.scene +
                        " --out wobble.mp4"),
               bad_input;

    // A file may take long, or have faults that are better seen than told: the window opens at once on the default scene and shows how
    // far the file is.
    ViewerOptions viewer;
    if (std::holds_alternative<FileSource>(scene.value().body().source)) {
        const auto says_resolution = [](const auto& pair) { return pair.first == "resolution"; };
        viewer.fit_opened = SceneLoader::is_plain_mesh(scene.value()) && std::ranges::none_of(options.scene.set, says_resolution);
        viewer.mesh_chosen = options.scene.mesh.any();
        viewer.open = std::move(scene).value();
        scene = load_scene(builtin_scene_names().front());
        if (!scene) return complain(scene.message()), bad_input;
    }
    TerminalProgress progress(options.scene.quiet);
    // On a thread of its own: the window is made meanwhile.
    SceneToCome to_come;
    to_come.scene =
        std::async(std::launch::async, [scene = std::move(scene).value(), &progress, unwanted = to_come.unwanted.get_token()]() mutable {
            auto loaded = build_scene(std::move(scene), [report = progress.function(), unwanted](std::string_view stage, double fraction) {
                return report(stage, fraction) && !unwanted.stop_requested();
            });
            progress.clear();
            return loaded;
        });
    viewer.threads = options.scene.threads;
    viewer.settings_file = default_settings_file();
    viewer.scale = options.scale.value_or(scale_of_environment());
    viewer.should_stop = interrupts;
    if (!options.scene.quiet)
        viewer.ready = [] { std::fprintf(stderr, "wobble: the first picture came %.2f s after the start\n", seconds_since_start()); };
    const auto shown = run_viewer(std::move(to_come), viewer);
    if (interrupted()) return stopped;  // the result is no longer wanted
    if (!shown) return complain(shown.message()), bad_input;
    return 0;
}

}  // namespace wobble::cli
