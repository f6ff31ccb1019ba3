#pragma once
// The simulations of the window: one, or two to four of the same scene with different integrators, each on its own engine thread, locked
// to simulated time. Commands go to all of them; what belongs to one integrator (method, step, solver) to the run it is meant for.
// All functions are for the UI thread and wait for no other: Worlds are made, and given up, on threads of their own. What a run shows
// until then is made here, once for all runs of a comparison. Only the destructor waits.
#include "app/runs/retiring.h"
#include "engine/sim/frame_barrier.h"
#include "engine/sim/simulation.h"

#include <memory>
#include <string>
#include <vector>

namespace wobble {

class SimulationGroup {
public:
    static constexpr int most = 4;
    static constexpr double lock_rate = 60;  // frames per simulated second that a comparison is locked to

    SimulationGroup(std::shared_ptr<const LoadedScene>, int threads);
    ~SimulationGroup();

    int count() const { return static_cast<int>(runs_.size()); }
    bool comparing() const { return count() > 1; }
    void post(Command, int active = 0);  // to all, or to `active` if it is about its integrator

    // The same scene from its start, one run per method, with the parameters, pins and speed of the run there is.
    // step: s, of all; 0: each its own choice. False: not yet, the run there is has not carried out all that was posted to it.
    bool compare(const std::vector<std::string>& methods, double step = 0);
    void set_step_of_all(double step);            // while they run
    double step_of_all() const { return step_; }  // 0: each its own
    void end_comparison(int keep);                // goes on with this run alone

    std::shared_ptr<const Snapshot> latest(int run) const { return runs_[static_cast<std::size_t>(run)]->latest(); }
    // What is to be shown: states of the same simulated time; of one run its latest.
    FrameBarrier::Set shown() const;
    std::vector<EnergySample> take_trace(int run) { return runs_[static_cast<std::size_t>(run)]->take_trace(); }
    std::vector<FrameBarrier::Distance> take_distances();
    const Simulation& first() const { return *runs_.front(); }
    const std::vector<std::string>& methods() const { return methods_; }  // of a comparison, as asked for: also before a run is there
    int leaving() { return leaving_.count(); }                            // runs that were dropped and have not ended yet

    // Every state at now + k / fps goes to the sink, all runs' together; nothing goes on until it has taken it.
    void begin_film(int fps, FrameBarrier::Sink);
    void end_film();
    bool filming() const { return sink_ != nullptr; }  // a comparison that begins or ends also ends the film

    // Once per display frame: a run that has stopped by itself no longer holds up the others. True if there is a new one.
    bool leave_failed_behind();
    bool left_behind(int run) const { return left_[static_cast<std::size_t>(run)]; }

private:
    void lock();         // new frame times for all; who was left behind stays so
    void begin_again();  // from another time, and everybody takes part
    void revive(std::size_t run);
    void drop_all_but_first();
    void share_threads();

    int threads_;
    RetiringSimulations leaving_;
    std::vector<std::unique_ptr<Simulation>> runs_;
    std::vector<std::string> methods_;  // of a comparison
    double step_ = 0;                   // s, of all of a comparison; 0: each its own choice
    std::vector<bool> left_;
    // Play and pause are seen at once, even while a long step is under way: of one run what was asked for, until it has been carried
    // out; in a comparison what the lock does.
    struct Asked {
        std::uint64_t command = 0;
        bool running = false;
    } asked_;
    std::uint64_t posted_ = 0;  // the newest command of the first run
    bool paused_ = false;
    std::vector<std::uint64_t> revived_;  // commands that start the runs again: what was before them is no failure
    struct Altered {
        std::shared_ptr<const Snapshot> from, to;
    };
    mutable std::vector<Altered> altered_;  // snapshots that say so, one per run
    std::shared_ptr<const Snapshot> saying(const std::shared_ptr<const Snapshot>&, bool running, std::size_t run) const;
    std::shared_ptr<FrameBarrier> lock_;  // null: one run without a film
    int fps_ = 0;
    double rate_ = lock_rate;  // frames per simulated second, at present
    FrameBarrier::Sink sink_;
};

}  // namespace wobble
