#pragma once
// Waits for what another thread does; gives up after half a minute, which only ever ends a broken test.
#include <chrono>
#include <thread>

namespace wobble::support {

template <class Condition>
bool wait_for(Condition&& condition) {
    for (int i = 0; i < 3000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

}  // namespace wobble::support
