#pragma once
// Runs a program with its output captured and a time limit after which it is killed: a test that hangs is a test that fails.
#include <csignal>
#include <functional>
#include <string>
#include <vector>

namespace wobble {

struct Finished {
    int exit_code = -1;  // -1: killed by a signal or by the time limit
    bool timed_out = false;
    std::string out, err;
};

// `environment` entries ("NAME=value", or "NAME" to unset) change a copy of ours.
// `interrupt_when`, if not empty, is asked several times a second; the first true sends `interrupt`.
Finished run_process(const std::vector<std::string>& arguments, double seconds = 120, const std::vector<std::string>& environment = {},
                     const std::function<bool()>& interrupt_when = {}, int interrupt = SIGINT);

}  // namespace wobble
