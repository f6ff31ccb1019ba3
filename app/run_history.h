#pragma once
// The energies of the last seconds, for the plot; bounded in memory.
#include "engine/sim/snapshot.h"

#include <deque>

namespace wobble {

class RunHistory {
public:
    static constexpr double window = 10;      // s of simulated time that are kept
    static constexpr double spacing = 0.004;  // s, at least, between samples

    void add(const EnergySample&);  // starts anew when time runs backwards: after a reset or with a new body
    const std::deque<EnergySample>& samples() const { return samples_; }

private:
    std::deque<EnergySample> samples_;
};

}  // namespace wobble
