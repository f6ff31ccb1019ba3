// `wobble replay`: a logged session once more, and whether it ends in the same state.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "engine/sim/run_log.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace wobble::cli {

namespace {

std::string hex(std::uint64_t hash) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

}  // namespace

int replay(const ReplayOptions& options) {
    const auto log = read_run_log(options.file);
    if (!log) return complain(log.message()), bad_input;
    TerminalProgress progress(options.quiet);
    auto again = wobble::replay(log.value(), options.threads, progress.function());
    progress.clear();
    if (interrupted()) return complain("Stopped on request."), stopped;
    if (!again) return complain(again.message()), bad_input;
    const Replayed& run = again.value();
    const char* verdict = run.same ? "same state" : "different state";
    if (options.json) {
        nlohmann::ordered_json json;
        json["scene"] = log.value().start->scene.name;
        json["commands"] = log.value().entries.size();
        json["steps"] = run.steps;
        json["sim_seconds"] = run.world.time();
        json["state_hash"] = hex(run.hash);
        json["logged_hash"] = hex(log.value().hash);
        json["same"] = run.same;
        std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
    } else {
        std::printf("commands   %zu\nsteps      %llu\ntime       %.17g s\nstate      %s\nlogged     %s\n%s\n", log.value().entries.size(),
                    static_cast<unsigned long long>(run.steps), run.world.time(), hex(run.hash).c_str(), hex(log.value().hash).c_str(),
                    verdict);
        std::fflush(stdout);
    }
    return run.same ? fine : failed;
}

}  // namespace wobble::cli
