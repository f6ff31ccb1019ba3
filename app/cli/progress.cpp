#include "app/cli/progress.h"

#include "app/cli/interrupt.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace wobble::cli {

TerminalProgress::TerminalProgress(bool quiet) : visible_(!quiet && ::isatty(STDERR_FILENO)) {}

Progress TerminalProgress::function() {
    return [this](std::string_view stage, double fraction) { return report(stage, fraction); };
}

bool TerminalProgress::report(std::string_view stage, double fraction) {
    const auto now = std::chrono::steady_clock::now();
    if (visible_ && now - last_ > std::chrono::milliseconds(100)) {
        last_ = now;
        drawn_ = true;
        const int percent = static_cast<int>(100 * std::clamp(fraction, 0.0, 1.0));
        std::fprintf(stderr, "\r\033[K%.*s %d %%", static_cast<int>(std::min<std::size_t>(stage.size(), 60)), stage.data(), percent);
        std::fflush(stderr);
    }
    return !interrupted();
}

void TerminalProgress::clear() {
    if (drawn_) std::fputs("\r\033[K", stderr);
    drawn_ = false;
}

}  // namespace wobble::cli
