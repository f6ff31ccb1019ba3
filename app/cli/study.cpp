// `wobble study NAME`: runs a study, prints its table, writes its files.
#include "engine/study/study.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "engine/core/folder.h"
#include "engine/core/spelling.h"
#include "engine/study/output/table_text.h"
#include "engine/study/output/write.h"

#include <iostream>

namespace wobble::cli {

int study(const StudyCommand& command) {
    auto found = study_named(command.name);
    if (!found) return complain(found.message()), bad_input;
    const Study& study = *found.value();
    if (!study.takes_scene && command.scene_options)
        return complain("The study " + std::string(study.id) +
                        " has its own equations: --scene, --seconds, --set and --steps mean nothing to it; leave them out."),
               bad_input;
    if (auto known = check_integrators(command.options.integrators); !known) return complain(known.message()), bad_input;
    const std::filesystem::path folder = command.out.empty() ? std::filesystem::path(std::string("study-") + study.id) : command.out;

    // A place that cannot be written is noticed before the work, not after it.
    std::error_code ignored;
    const bool was_there = std::filesystem::exists(folder, ignored);
    if (auto possible = write_files(folder, {{"." + std::string(study.id) + ".try", [](OutputFile&) {}}}); !possible)
        return complain(possible.message()), bad_input;
    std::filesystem::remove(folder / ("." + std::string(study.id) + ".try"), ignored);

    TerminalProgress progress(command.quiet);
    const auto result = study.run(command.options, progress.function());
    progress.clear();
    if (!result) {
        if (!was_there) std::filesystem::remove(folder, ignored);  // made above, still empty
        complain(result.message());
        return interrupted() ? stopped : bad_input;
    }
    for (const Table& table : result.value().tables)
        if (table.printed) std::cout << to_columns(table) << '\n';
    for (const std::string& note : result.value().notes) std::cout << note << '\n';
    const auto written = write_study(result.value(), folder);
    if (!written) return complain(written.message()), failed;
    std::cout << "Written to " << folder.string() << ": " << join(written.value()) << std::endl;
    return fine;
}

}  // namespace wobble::cli
