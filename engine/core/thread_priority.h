#pragma once
#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace wobble {

// The calling thread, and those it starts from now on, leave the processor to others that want it: a display on a machine whose cores all
// compute. Where the system knows no priorities of threads, nothing happens.
inline void give_way() {
#if defined(__linux__)
    constexpr int niceness = 5;  // a third of the weight of a thread that draws; less, and any other busy program would stop the motion
    // Linux keeps it per thread, against what POSIX says of setpriority; a refusal only costs smoothness.
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);
#endif
}

}  // namespace wobble
