#include "app/cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace wobble::cli {

namespace {

// A signal handler can only reach a global; this is the only one of the program.
std::atomic<int> signalled = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // the handler must not wait; threads that build bodies read it

}  // namespace

void catch_interrupts(bool twice) {
    struct sigaction action {};
    action.sa_handler = [](int) { ++signalled; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the next one has its usual effect
    if (twice) {
        action.sa_flags = 0;
        action.sa_handler = [](int number) {
            if (++signalled > 1) std::signal(number, SIG_DFL);
        };
    }
    for (const int number : {SIGINT, SIGTERM}) {
        struct sigaction old {};
        if (sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;  // nohup and background jobs stay deaf
        sigaction(number, &action, nullptr);
    }
}

int interrupts() { return signalled; }

}  // namespace wobble::cli
