#pragma once
// Another program, fed through its standard input and heard through its output, that can neither hang, flood nor kill this one.
#include "engine/core/result.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wobble {

struct ChildLimits {
    double timeout_seconds = 60;           // for each call of write() or finish()
    double memory_gb = 0;                  // address space; 0: unlimited
    std::size_t output_bytes = 1ul << 30;  // more is the end of the child
};

struct ChildOutcome {
    enum class End { exited, signalled, timed_out, cancelled, too_much_output };
    End end = End::exited;
    int code = 0;        // exit code, or signal number
    std::string output;  // all of its standard output
    std::string errors;  // the last of its standard error
    bool fine() const { return end == End::exited && code == 0; }
};

// Not copied, not shared between threads. Destroying it kills a child that still runs; no zombie stays.
class ChildProcess {
public:
    using KeepGoing = std::function<bool()>;  // asked about 20 times a second while waiting; false kills the child

    // The program is a path (no search), or a bare name looked up in PATH.
    static Result<ChildProcess> start(const std::filesystem::path& program, const std::vector<std::string>& arguments, const ChildLimits&);
    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    ~ChildProcess();

    // Sends all of it while taking what the child says. False: the child ended, closed its ear, or ran out of time; see finish().
    bool write(std::string_view bytes, const KeepGoing& = {});
    // Closes its input, takes the rest of its output and waits for its end.
    ChildOutcome finish(const KeepGoing& = {});

private:
    ChildProcess(int pid, int input, int output, int errors, const ChildLimits&);
    using Clock = std::chrono::steady_clock;
    bool wait_and_take(Clock::time_point deadline, const KeepGoing&);
    bool take(int& descriptor, std::string& to, std::size_t keep);
    void stop(ChildOutcome::End);

    int pid_, input_, output_, errors_;
    ChildLimits limits_;
    ChildOutcome outcome_;
    bool stopped_ = false;
};

}  // namespace wobble
