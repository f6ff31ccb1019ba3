#include "app/cli/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace wobble::cli {

namespace {

// A signal handler can only reach a global; this is the only one of the program.
volatile std::sig_atomic_t signalled = 0;

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { signalled = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one has its usual effect
    for (const int number : {SIGINT, SIGTERM}) {
        struct sigaction old {};
        if (sigaction(number, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;  // nohup and background jobs stay deaf
        sigaction(number, &action, nullptr);
    }
}

bool interrupted() { return signalled != 0; }

}  // namespace wobble::cli
