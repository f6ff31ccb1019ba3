#pragma once
// An X server of its own for one test program: starts Xvfb on a free display, points DISPLAY at it, ends it.
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <string>

#include <csignal>
#include <vector>

namespace wobble {

class Xvfb {
public:
    Xvfb() {
        int ends[2];
        if (pipe(ends) != 0) return;
        const pid_t parent = getpid();
        child_ = fork();
        if (child_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);  // a killed test leaves no server behind
            if (getppid() != parent) _exit(127);
            close(ends[0]);
            const std::string descriptor = std::to_string(ends[1]);
            execlp("Xvfb", "Xvfb", "-displayfd", descriptor.c_str(), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset",
                   static_cast<char*>(nullptr));
            _exit(127);
        }
        close(ends[1]);
        std::string number;
        char c = 0;
        pollfd ready{ends[0], POLLIN, 0};
        while (poll(&ready, 1, 30'000) == 1 && read(ends[0], &c, 1) == 1 && c != '\n') number += c;  // written when the server is ready
        close(ends[0]);
        if (number.empty() || c != '\n') return;
        display_ = ":" + number;
        setenv("DISPLAY", display_.c_str(), 1);
    }
    ~Xvfb() {
        unsetenv("DISPLAY");
        if (child_ <= 0) return;
        kill(child_, SIGTERM);
        waitpid(child_, nullptr, 0);
    }
    Xvfb(const Xvfb&) = delete;
    Xvfb& operator=(const Xvfb&) = delete;
    bool ready() const { return !display_.empty(); }

    // Synthetic mouse and keys, e.g. "mousemove 10 20 click 1". True if xdotool did it.
    static bool xdotool(const std::string& words) { return std::system(("xdotool " + words + " >/dev/null 2>&1").c_str()) == 0; }

private:
    pid_t child_ = -1;
    std::string display_;
};

}  // namespace wobble
