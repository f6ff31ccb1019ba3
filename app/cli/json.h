#pragma once
// What `wobble run` says, for machines (JSON) and people.
#include "engine/sim/snapshot.h"
#include "engine/sim/world.h"

#include <string>

namespace wobble::cli {

struct RunOutcome {
    std::string status;        // "ok", "diverged", ... or "stopped"
    std::string message;       // empty, or why it did not get to the end
    double wall_seconds = 0;   // of stepping, without building the body
    double setup_seconds = 0;  // of building the body
};

// One object with every key product users rely on; numbers that are not finite become null.
std::string run_json(const Snapshot&, const World::Totals&, const RunOutcome&, std::uint64_t seed);
std::string run_summary(const Snapshot&, const World::Totals&, const RunOutcome&);

}  // namespace wobble::cli
