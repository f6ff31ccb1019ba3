// `wobble export SCENE --out DIR`: the assembled system for other tools.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "engine/core/spelling.h"
#include "engine/study/system_export.h"

#include <iostream>

namespace wobble::cli {

int export_system(const ExportOptions& options) {
    auto scene = scene_from(options.scene);
    if (!scene) return complain(scene.message()), bad_input;
    if (auto made = make_folder(options.out); !made) return complain(made.message()), bad_input;
    TerminalProgress progress(options.scene.quiet);
    auto loaded = build_scene(std::move(scene).value(), progress.function());
    progress.clear();
    std::error_code ignored;
    if (!loaded) {
        std::filesystem::remove(options.out, ignored);  // only if empty
        if (interrupted()) return complain("Stopped on request."), stopped;
        return complain(loaded.message()), bad_input;
    }
    say_how_opened(*loaded.value(), options.scene.quiet);
    const std::vector<FileToWrite> files = system_files(loaded.value());
    if (auto written = write_files(options.out, files); !written) return complain(written.message()), failed;
    std::vector<std::string> names;
    for (const FileToWrite& file : files) names.push_back(file.name);
    std::cout << "Written to " << options.out.string() << ": " << join(names) << std::endl;
    return fine;
}

}  // namespace wobble::cli
