#pragma once
// The only thread of the engine: steps a World paced to real time, takes commands, publishes snapshots.
// Its lock guards a pointer and a queue and is never held while stepping, so neither side waits for the other.
#include "engine/sim/command.h"
#include "engine/sim/run_log.h"
#include "engine/sim/snapshot.h"

#include <memory>
#include <vector>

namespace wobble {

// Who wants every state at a frame time: a film, or the other runs of a comparison. Called on engine threads.
class FrameGate {
public:
    virtual ~FrameGate() = default;
    // False: not yet; no step is taken until it is true, and it is asked again soon, with the same snapshot. Never blocks.
    virtual bool pass(const std::shared_ptr<const Snapshot>&) = 0;
};

class Simulation {
public:
    enum class Log { off, on };  // a log keeps every command, see run_log.h
    // Its World is made on the engine's thread, and until then latest() is the initial state, marked as `preparing`. Starts paused, keeps
    // its history.
    explicit Simulation(std::shared_ptr<const LoadedScene>, int threads = 0, Log = Log::off);
    // The same with that state (first_snapshot(), surface_view.h), which several may share: returns at once, also for a large body.
    explicit Simulation(std::shared_ptr<const Snapshot> first, int threads = 0, Log = Log::off);
    ~Simulation();        // request_stop(), then waits for its thread
    void request_stop();  // any thread; returns at once. A long step under way is given up, and no other is begun

    // Any thread; returns at once. The number of commands posted so far: it has been carried out when Snapshot::commands is not less.
    std::uint64_t post(Command);
    // At most so many of the threads it was made with work for it from the next step on; the motion stays the same.
    void use_threads(int most);
    // SetFrameTimes, and who wants the states at these times; replaces earlier ones. No gates: no waiting.
    std::uint64_t set_frames(double interval, std::vector<std::shared_ptr<FrameGate>> gates = {}, double origin = -1);
    std::shared_ptr<const Snapshot> latest() const;  // any thread; never null; returns at once

    // The energies after every step since the last call, for plots: snapshots may be skipped by a slow display, these are not.
    std::vector<EnergySample> take_trace();

    using Logged = RunLog::Entry;
    std::vector<Logged> log() const;  // commands as applied: before which step; empty if the log is off
    RunLog run_log() const;           // with the state it leads to, that of latest(); any thread, may take a while

private:
    struct Implementation;
    std::unique_ptr<Implementation> self_;
};

}  // namespace wobble
