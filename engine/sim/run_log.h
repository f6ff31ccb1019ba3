#pragma once
// What was done to a simulation and when, so that the same run can be had again, bit for bit. As a file it is text:
//     wobble run log 1
//     # lines of explanation
//     scene NAME BODY             what it began with; BODY is a fingerprint of the mesh that was built from it
//     | ...                       that scene as TOML, every line behind a bar; meshes are named by absolute paths
//     STEP COMMAND VALUES         done after this many steps were tried; steps that failed count
//     STEP load NAME BODY         and the new scene behind bars as above
//     end STEPS HASH              where the run was when the log was saved: all steps tried, and the hash of the state
// Numbers are written so that they read back as the same bits. Which threads took part is not in it: it makes no difference.
#include "engine/core/progress.h"
#include "engine/sim/command.h"
#include "engine/sim/world.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <vector>

namespace wobble {

struct RunLog {
    static constexpr std::size_t most = 2'000'000;  // commands that are kept: 200 MB

    struct Entry {
        std::uint64_t step;  // tried before it
        double t;            // s; not in the file
        Command command;     // of a Load: the scene without its body
    };
    std::shared_ptr<const LoadedScene> start;  // without its body
    std::deque<Entry> entries;
    std::vector<std::uint64_t> bodies;  // fingerprints: of the start, then of every Load
    bool complete = true;               // false: there were more commands than are kept
    std::uint64_t steps = 0, hash = 0;  // at the end
    double t = 0;                       // s, at the end; not in the file

    void begin(const LoadedScene&);
    void note(std::uint64_t step, double t, const Command&);
    void keep_first(std::size_t commands);
};

std::uint64_t fingerprint(const BodyMesh&);  // of all bits that are simulated or drawn

// Refuses what could not be read again.
Result<void> write_run_log(const RunLog&, const std::filesystem::path&);
// Every mistake is told with its line.
Result<RunLog> read_run_log(const std::filesystem::path&);

struct Replayed {
    World world;  // at the end
    std::uint64_t steps = 0, hash = 0;
    bool same = false;  // as the log says
};
// Builds the scenes and does it all again. Refuses a mesh that is not what it was; a wish of the progress to stop is a failure, too.
Result<Replayed> replay(const RunLog&, int threads = 0, const Progress& = {});

}  // namespace wobble
