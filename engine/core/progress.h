#pragma once
// How long work reports what it is doing and learns that it was cancelled.
#include <functional>
#include <string_view>

namespace wobble {

// Called now and then with the stage and its fraction in [0, 1]; returning false asks the work to stop.
// May be empty. Called on the thread that does the work.
using Progress = std::function<bool(std::string_view stage, double fraction)>;

inline bool keep_going(const Progress& progress, std::string_view stage, double fraction) { return !progress || progress(stage, fraction); }

}  // namespace wobble
