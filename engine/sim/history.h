#pragma once
// The states a run went through, to step back to and to continue from. Bounded in memory: the last `dense` states are all kept, older
// ones at frame times and at distances of at least `spacing` simulated seconds, and the oldest make room for new ones. What is kept depends on the steps
// alone, not on any clock, so a replayed run has the same history.
#include "engine/model/state.h"
#include "engine/sim/energy_book.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace wobble {

struct KeptState {
    std::uint64_t step = 0;
    int edits = 0;       // of parameters and pins before it
    bool frame = false;  // at a frame time: these stay reachable exactly, so that runs that are compared go back to the same time
    State state;
    EnergyBook::Account account;
};

class History {
public:
    static constexpr int dense = 64;
    static constexpr double spacing = 1.0 / 120;  // s

    explicit History(std::size_t most_bytes = std::size_t{256} << 20) : most_bytes_(most_bytes) {}
    void clear();
    // The newest state. States at or after its time are forgotten: they belonged to another future.
    void add(std::uint64_t step, int edits, bool frame, const State&, const EnergyBook::Account&);

    bool empty() const { return states_.empty(); }
    double begin() const { return states_.empty() ? 0 : states_.front().state.t; }  // s
    double end() const { return states_.empty() ? 0 : states_.back().state.t; }
    std::size_t size() const { return states_.size(); }
    const KeptState* at(double t) const;      // the last one with a time of at most t, else the first; null if there is none
    const KeptState* before(double t) const;  // the last one with a time of less than t; null if there is none

private:
    void drop(std::size_t index);

    std::size_t most_bytes_;
    std::deque<KeptState> states_;  // by growing time
    std::vector<KeptState> spare_;  // their memory is used again
};

}  // namespace wobble
