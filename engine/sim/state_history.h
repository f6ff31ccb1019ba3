#pragma once
// The states a run went through, to step back to and to continue from. Bounded in memory: the last `dense` states are all kept, older
// ones at frame times and at distances of at least `spacing` simulated seconds, and the oldest make room for new ones. What is kept
// depends on the steps alone, not on any clock, so a replayed run has the same history.
// With each state goes the ControllerState of the run there, so that going on from it gives the same bits as the first time (stepper.h says
// for which methods). A method that goes by a few earlier states has these kept as well, as support: they cannot be gone to. Its states are
// farther apart where its steps are short, which makes up for it.
#include "engine/model/state.h"
#include "engine/sim/energy_book.h"
#include "engine/sim/stepper.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace wobble {

// How the run goes on from a state, besides by the state itself.
struct ControllerState {
    int choices = -1;         // of method, step and solver before it
    double frame_end = 0;     // s
    Stepper::Memory stepper;  // and of the RescueLadder
};

struct KeptState {
    std::uint64_t step = 0;
    int edits = 0;                          // of parameters and pins before it
    bool support = false, decided = false;  // only there for later ones; it has left the dense part, and this is certain
    bool frame = false;  // at a frame time: these stay reachable exactly, so that runs that are compared go back to the same time
    State state;
    EnergyBook::Account account;
    ControllerState controller_state;
};

class StateHistory {
public:
    static constexpr int dense = 64;
    static constexpr int most_support = 4;        // states
    static constexpr double spacing = 1.0 / 120;  // s

    explicit StateHistory(std::size_t most_bytes = std::size_t{256} << 20) : most_bytes_(most_bytes) {}
    void clear();
    // The newest state. States at or after its time are forgotten: they belonged to another future.
    void add(std::uint64_t step, int edits, bool frame, const State&, const EnergyBook::Account&, ControllerState = {});

    bool empty() const { return states_.empty(); }
    double begin() const { return states_.empty() ? 0 : first().state.t; }  // s
    double end() const { return states_.empty() ? 0 : states_.back().state.t; }
    std::size_t size() const { return states_.size(); }
    const KeptState* at(double t) const;      // the last one with a time of at most t, else the first; null if there is none
    const KeptState* before(double t) const;  // the last one with a time of less than t; null if there is none
    std::vector<const State*> states_before(const KeptState&) const;  // as many as its controller_state wants, the oldest first

private:
    void drop(std::size_t index);
    void thin();
    const KeptState& first() const;  // that can be gone to
    bool supports_others(std::size_t index) const;
    const KeptState* reachable(std::deque<KeptState>::const_iterator end) const;  // the last one before

    std::size_t most_bytes_;
    std::deque<KeptState> states_;  // by growing time
    std::vector<KeptState> spare_;  // their memory is used again
};

}  // namespace wobble
