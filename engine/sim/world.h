#pragma once
// The deterministic heart: one body, one method, commands in, steps out. Single-threaded; the same commands at the same
// steps give the same bits, whatever the number of worker threads.
#include "engine/sim/command.h"
#include "engine/sim/snapshot.h"
#include "engine/sim/stepper.h"

#include <memory>
#include <stop_token>

namespace wobble {

class World {
public:
    // Paused at the initial state. threads 0: all cores. `stop`: makes a long step fail soon, from any thread.
    explicit World(std::shared_ptr<const LoadedScene>, int threads = 0, std::stop_token stop = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    void use_threads(int most);  // of those it was made with; the motion stays the same
    void apply(const Command&);  // a refused command leaves everything as it was and sets the message
    bool running() const;        // playing
    bool wants_step() const;     // playing, or one step asked for
    void step();                 // one step of the method; a failed one leaves the state and pauses with a message
    // One step on the way to t > time(), which the last one hits exactly: the method's own step gives way a little, so that all are
    // equal; a step asked for is kept, and the last one cut. False if it failed.
    bool step_towards(double t);
    bool advance_to(double t);  // all of them

    double time() const;
    double next_step() const;  // s
    double speed() const;
    const Energies& energies() const;
    const StepReport& report() const;
    const VecX& positions() const;  // q, all particles
    const VecX& velocities() const;
    const VecX& internal() const;  // variables of the forces, see State
    using Totals = Stepper::Counters;
    const Totals& totals() const;
    EnergySample sample() const;  // of the last step
    std::uint64_t state_hash() const;
    bool on_frame() const;        // the state is at a frame time, see SetFrameTimes
    std::uint64_t frame() const;  // its number
    void keep_history();          // from now on; else StepBack and GoTo find nothing
    Snapshot snapshot() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> self_;
};

}  // namespace wobble
