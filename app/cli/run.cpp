// `wobble run`: simulate without graphics.
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/json.h"
#include "app/cli/progress.h"
#include "engine/core/file.h"
#include "engine/sim/status_name.h"
#include "engine/sim/world.h"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>

namespace wobble::cli {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void write_energies(OutputFile& csv, const World& world, std::uint64_t step) {
    const Energies& e = world.energies();
    char line[400];
    std::snprintf(line, sizeof line, "%llu,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", static_cast<unsigned long long>(step),
                  world.time(), e.kinetic, e.elastic, e.potential, e.dissipated, e.supplied, e.total(), e.error());
    csv.write(line);
}

void write_state(OutputFile& file, const World& world) {
    file.write("x,y,z,vx,vy,vz\n");
    const VecX &q = world.positions(), &v = world.velocities();
    for (int i = 0; i < q.size() / 3; ++i) {
        const Vec3 x = particle(q, i), u = particle(v, i);
        char line[200];
        std::snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", x.x(), x.y(), x.z(), u.x(), u.y(), u.z());
        file.write(line);
    }
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;  // what cannot be resolved is compared as it is written
    return a == b || (!b.empty() && std::filesystem::weakly_canonical(a, ignored) == std::filesystem::weakly_canonical(b, ignored));
}

// Steps to `seconds`; says how it went.
RunOutcome simulate(World& world, double seconds, OutputFile* csv, const Progress& progress) {
    std::uint64_t step = 0;
    if (csv) csv->write("step,t,kinetic,elastic,potential,dissipated,supplied,total,error\n"), write_energies(*csv, world, step);
    const auto start = Clock::now();
    RunOutcome outcome{"ok", "", 0, 0};
    world.apply(Play{});
    while (world.time() < seconds) {
        if (!keep_going(progress, "simulating", world.time() / seconds)) {
            outcome.status = "stopped";
            outcome.message = "Stopped on request.";
            break;
        }
        const bool good = world.step_towards(seconds);
        if (!good) {
            outcome.status = status_name(world.report().status);
            if (outcome.status == "ok") outcome.status = "failed";
            outcome.message = world.snapshot().message;
            break;
        }
        if (csv) write_energies(*csv, world, ++step);
        if (csv && csv->failed()) {
            outcome.status = "failed";  // commit() tells why
            break;
        }
    }
    outcome.wall_seconds = seconds_since(start);
    return outcome;
}

}  // namespace

int run(const RunOptions& options) {
    auto scene = scene_from(options.scene);
    if (!scene) return complain(scene.message()), bad_input;

    // Files that cannot be written are noticed before the work, not after it.
    if (!options.csv.empty() && same_file(options.csv, options.final_state))
        return complain("--csv and --final both name " + options.csv.string() + "; one would overwrite the other: give them two names."),
               bad_input;
    std::optional<OutputFile> csv, final_state;
    for (auto [path, file] : {std::pair{&options.csv, &csv}, std::pair{&options.final_state, &final_state}}) {
        if (path->empty()) continue;
        auto created = OutputFile::create(*path);
        if (!created) return complain(created.message()), bad_input;
        file->emplace(std::move(created).value());
    }

    TerminalProgress progress(options.scene.quiet);
    const double seconds = scene.value().recording.seconds;
    const auto start = Clock::now();
    auto loaded = build_scene(std::move(scene).value(), progress.function());
    if (interrupted()) return progress.clear(), complain("Stopped on request."), stopped;
    if (!loaded) return progress.clear(), complain(loaded.message()), bad_input;
    const double setup_seconds = seconds_since(start);
    for (const BodyReport& report : loaded.value()->reports)
        for (const std::string& note : report.notes)
            if (!options.scene.quiet) complain(note);

    progress.clear();
    say_how_opened(*loaded.value(), options.scene.quiet);
    World world(loaded.value(), options.scene.threads);
    RunOutcome outcome = simulate(world, seconds, csv ? &*csv : nullptr, progress.function());
    outcome.setup_seconds = setup_seconds;
    progress.clear();

    int code = outcome.status == "ok" ? fine : outcome.status == "stopped" ? stopped : failed;
    if (final_state) write_state(*final_state, world);
    for (auto* file : {&csv, &final_state})
        if (*file)
            if (auto written = (*file)->commit(); !written) complain(written.message()), code = code == fine ? failed : code;
    const Snapshot last = world.snapshot();
    std::cout << (options.json ? run_json(last, world.totals(), outcome, options.scene.seed) : run_summary(last, world.totals(), outcome))
              << std::endl;
    if (!outcome.message.empty()) complain(outcome.message);
    return code;
}

}  // namespace wobble::cli
