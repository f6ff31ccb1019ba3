#include "tests/app/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

namespace wobble {

namespace {

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::vector<std::string>& environment, int out, int err) {
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    for (const std::string& entry : environment) {
        const auto equals = entry.find('=');
        if (equals == std::string::npos) ::unsetenv(entry.c_str());
        else ::setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
    }
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
}

}  // namespace

Finished run_process(const std::vector<std::string>& arguments, double seconds, const std::vector<std::string>& environment,
                     const std::function<bool()>& interrupt_when, int interrupt) {
    Finished result;
    int out[2], err[2];
    if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) return result;
    const pid_t child = ::fork();
    if (child == 0) become(arguments, environment, out[1], err[1]);
    ::close(out[1]);
    ::close(err[1]);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    bool interrupted = false;
    pollfd open[] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    std::string* texts[] = {&result.out, &result.err};
    while (open[0].fd >= 0 || open[1].fd >= 0) {
        if (!result.timed_out && std::chrono::steady_clock::now() > end) {
            result.timed_out = true;
            ::kill(child, SIGKILL);
        }
        if (!interrupted && interrupt_when && interrupt_when()) {
            interrupted = true;
            ::kill(child, interrupt);
        }
        if (::poll(open, 2, 100) <= 0) continue;
        for (int i = 0; i < 2; ++i) {
            if (open[i].fd < 0 || open[i].revents == 0) continue;
            char buffer[4096];
            const ssize_t n = ::read(open[i].fd, buffer, sizeof buffer);
            if (n > 0) texts[i]->append(buffer, static_cast<std::size_t>(n));
            else ::close(open[i].fd), open[i].fd = -1;
        }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    return result;
}

}  // namespace wobble
