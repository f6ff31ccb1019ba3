// The standard input is a socket, not a pipe: MSG_NOSIGNAL spares this program the SIGPIPE of a child that died.
// The child leads its own process group, so that what it started dies with it.
#include "engine/core/child_process.h"

#include "engine/core/text.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace wobble {
namespace {

constexpr std::size_t errors_kept = 1 << 14;

void close_if_open(int& descriptor) {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
}

struct Pair {
    int ours = -1, theirs = -1;
    ~Pair() { close_if_open(ours), close_if_open(theirs); }
};

bool open_pipe(Pair& p) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    p.ours = ends[0], p.theirs = ends[1];
    return true;
}
bool open_socket(Pair& p) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    p.ours = ends[0], p.theirs = ends[1];
    return true;
}

// Between fork and exec: system calls only, no allocation.
[[noreturn]] void become(const char* program, char* const* arguments, const std::array<int, 3>& standard, int failure,
                         const ChildLimits& limits) {
    setpgid(0, 0);
    for (int k = 0; k < 3; ++k)
        if (dup2(standard[k], k) < 0) _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    const auto bound = [](auto what, double value) {
        const rlimit limit{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
        setrlimit(what, &limit);
    };
    bound(RLIMIT_CORE, 0);
    if (limits.memory_gb > 0) bound(RLIMIT_AS, limits.memory_gb * (1ul << 30));
    close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
    execvp(program, arguments);
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(failure, &error, sizeof error);
    _exit(127);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                                         const ChildLimits& limits) {
    const std::string name = program.string();
    std::vector<char*> argv{const_cast<char*>(name.c_str())};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);

    Pair input, output, errors, failure;
    if (!open_socket(input) || !open_pipe(output) || !open_pipe(errors) || !open_pipe(failure))
        return Error{text("Cannot start ", name, " (", std::strerror(errno), "); close other programs.")};
    const std::array<int, 3> standard = {input.theirs, output.theirs, errors.theirs};
    // Descriptors 0..2 of ours may be closed, then a pipe could sit there and be overwritten by dup2: refuse that odd case.
    if (*std::min_element(standard.begin(), standard.end()) < 3 || failure.theirs < 3)
        return Error{text("Cannot start ", name, " because this program has no standard input or output; start it from a shell.")};
    const pid_t pid = fork();
    if (pid < 0) return Error{text("Cannot start ", name, " (", std::strerror(errno), "); close other programs.")};
    if (pid == 0) become(name.c_str(), argv.data(), standard, failure.theirs, limits);

    close_if_open(failure.theirs);
    int error = 0;
    ssize_t got;
    do got = read(failure.ours, &error, sizeof error);
    while (got < 0 && errno == EINTR);
    if (got == static_cast<ssize_t>(sizeof error)) {
        while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        return Error{text("Cannot start ", name, " (", std::strerror(error), "); check that it is installed and executable.")};
    }
    for (int descriptor : {input.ours, output.ours, errors.ours}) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    ChildProcess child(pid, input.ours, output.ours, errors.ours, limits);
    input.ours = output.ours = errors.ours = -1;
    return child;
}

ChildProcess::ChildProcess(int pid, int input, int output, int errors, const ChildLimits& limits)
    : pid_(pid), input_(input), output_(output), errors_(errors), limits_(limits) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      limits_(other.limits_),
      outcome_(std::move(other.outcome_)),
      stopped_(other.stopped_) {}

ChildProcess::~ChildProcess() {
    if (pid_ > 0) stop(ChildOutcome::End::cancelled), finish();
}

void ChildProcess::stop(ChildOutcome::End why) {
    if (stopped_) return;
    stopped_ = true;
    outcome_.end = why;
    if (pid_ > 0) kill(-pid_, SIGKILL), kill(pid_, SIGKILL);  // the group, and the leader should it not lead yet
}

// Takes what is there; closes the descriptor at its end. False when the child said more than is allowed.
bool ChildProcess::take(int& descriptor, std::string& to, std::size_t keep) {
    char buffer[1 << 16];
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) return close_if_open(descriptor), true;
    to.append(buffer, static_cast<std::size_t>(got));
    if (&to == &outcome_.output) return to.size() <= keep;
    if (to.size() > 2 * keep) to.erase(0, to.size() - keep);
    return true;
}

// One round of waiting for any of the three streams. False when the child was stopped.
bool ChildProcess::wait_and_take(Clock::time_point deadline, const KeepGoing& keep_going) {
    if (keep_going && !keep_going()) return stop(ChildOutcome::End::cancelled), false;
    if (Clock::now() >= deadline) return stop(ChildOutcome::End::timed_out), false;
    std::array<pollfd, 3> streams = {pollfd{input_, POLLOUT, 0}, pollfd{output_, POLLIN, 0}, pollfd{errors_, POLLIN, 0}};
    poll(streams.data(), streams.size(), 50);
    if (output_ >= 0 && streams[1].revents && !take(output_, outcome_.output, limits_.output_bytes))
        return stop(ChildOutcome::End::too_much_output), false;
    if (errors_ >= 0 && streams[2].revents) take(errors_, outcome_.errors, errors_kept);
    return true;
}

bool ChildProcess::write(std::string_view bytes, const KeepGoing& keep_going) {
    const auto deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits_.timeout_seconds));
    while (!bytes.empty() && !stopped_) {
        if (input_ < 0) return false;
        const ssize_t sent = send(input_, bytes.data(), std::min(bytes.size(), std::size_t{1} << 18), MSG_NOSIGNAL);
        if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return close_if_open(input_), false;
        if (!wait_and_take(deadline, keep_going)) return false;
    }
    return !stopped_;
}

ChildOutcome ChildProcess::finish(const KeepGoing& keep_going) {
    close_if_open(input_);
    const auto deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits_.timeout_seconds));
    int status = 0;
    bool reaped = pid_ <= 0;
    // A grandchild may hold the streams open after the child's end: what counts is the child.
    while (!stopped_ && !reaped) {
        if (output_ < 0 && errors_ < 0) usleep(2000);
        if (!wait_and_take(deadline, keep_going)) break;
        reaped = waitpid(pid_, &status, WNOHANG) == pid_;
    }
    if (!reaped)
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
    if (pid_ > 0) kill(-pid_, SIGKILL);
    pid_ = -1;
    while (!stopped_ && output_ >= 0) {  // what is still in the pipe
        const std::size_t before = outcome_.output.size();
        if (!take(output_, outcome_.output, limits_.output_bytes)) stop(ChildOutcome::End::too_much_output);
        if (outcome_.output.size() == before) break;
    }
    if (errors_ >= 0) take(errors_, outcome_.errors, errors_kept);
    close_if_open(output_), close_if_open(errors_);
    if (!stopped_) {
        outcome_.end = WIFSIGNALED(status) ? ChildOutcome::End::signalled : ChildOutcome::End::exited;
        outcome_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    stopped_ = true;
    return outcome_;
}

}  // namespace wobble
