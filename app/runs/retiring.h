#pragma once
// Simulations no longer shown. Each gives up what it is doing and ends on a thread of its own, so that no frame waits for
// a step under way or a World half made. UI thread.
#include "engine/sim/simulation.h"

#include <future>
#include <memory>
#include <vector>

namespace wobble {

class RetiringSimulations {
public:
    RetiringSimulations() = default;
    RetiringSimulations(const RetiringSimulations&) = delete;
    RetiringSimulations& operator=(const RetiringSimulations&) = delete;
    ~RetiringSimulations() = default;  // waits for all of them, at the same time

    void add(std::unique_ptr<Simulation>);
    int count();  // still there

private:
    std::vector<std::future<void>> ends_;  // of std::async: their destructors wait
};

}  // namespace wobble
