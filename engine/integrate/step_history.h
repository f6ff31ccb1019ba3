#pragma once
// The last accepted states of a multistep method. It is not told which step was accepted: it recognises the state a step begins
// with, among the particles without constraints (moving pins get a new velocity between steps), bit by bit:
//   the result of the last step   it was accepted: the states move up by one
//   the start of the last step    it was rejected (or is repeated): nothing changes
//   anything else                 a new beginning
// The internal variables must be the same, too: a step that changed them at its end is a new beginning.
// Times may differ by rounding: a step that lands on a frame has its time rounded to it.
#include "engine/model/mechanical_system.h"
#include "engine/model/state.h"

#include <array>

namespace wobble {

class StepHistory {
public:
    static constexpr int most = 6;
    explicit StepHistory(int depth = most) : depth_(depth) {}  // how many states it keeps

    // Call at the beginning of a step with its `in`; afterwards (*this)[0] is `in`. False: a new beginning.
    bool begin(const MechanicalSystem&, const State& in);
    // Call with the result of a successful step.
    void result(const State& out) { result_ = out, has_result_ = true; }
    void forget() { size_ = 0, has_result_ = false; }

    int size() const { return size_; }
    const State& operator[](int j) const { return states_[slot(j)]; }  // j steps back
    int slot(int j) const { return (newest_ + j) % depth_; }           // where it lies: for what a method keeps beside it

private:
    std::array<State, most> states_;
    State result_;
    bool has_result_ = false;
    int depth_, newest_ = 0, size_ = 0;
};

}  // namespace wobble
