#pragma once
// Progress of long work: a line on the terminal that rewrites itself, nothing anywhere else; Ctrl-C cancels.
#include "engine/core/progress.h"

#include <chrono>
#include <string>

namespace wobble::cli {

class TerminalProgress {
public:
    explicit TerminalProgress(bool quiet);
    ~TerminalProgress() { clear(); }

    // Refers to this object.
    Progress function();
    void clear();

private:
    bool report(std::string_view stage, double fraction);

    bool visible_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_{};
};

}  // namespace wobble::cli
