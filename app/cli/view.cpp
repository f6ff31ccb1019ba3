// `wobble [SCENE | FILE]`: the viewer.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/window.h"
#include "engine/sim/body.h"

#include <cstdlib>

namespace wobble::cli {

int view(const ViewOptions& options) {
    auto scene = scene_from(options.scene);
    if (!scene) return complain(scene.message()), bad_input;
    // Said before the body is built, so that nobody waits for a window that cannot come.
    const auto set = [](const char* name) { return std::getenv(name) && *std::getenv(name); };
    if (!set("DISPLAY") && !set("WAYLAND_DISPLAY"))
        return complain("There is no display to open a window on; make a film instead: wobble record " + options.scene.scene +
                        " --out wobble.mp4"),
               bad_input;

    TerminalProgress progress(options.scene.quiet);
    auto loaded = build_scene(std::move(scene).value(), progress.function());
    progress.clear();
    if (interrupted()) return complain("Stopped on request."), stopped;
    if (!loaded) return complain(loaded.message()), bad_input;
    ViewerOptions viewer;
    viewer.threads = options.scene.threads;
    viewer.should_stop = interrupted;
    const int code = run_viewer(std::move(loaded).value(), viewer);
    return interrupted() ? stopped : code;
}

}  // namespace wobble::cli
