#include "engine/core/child_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

namespace wobble {
namespace {

using End = ChildOutcome::End;

ChildOutcome shell(const std::string& script, const std::string& input = {}, ChildLimits limits = {},
                   const ChildProcess::KeepGoing& keep = {}) {
    Result<ChildProcess> child = ChildProcess::start("/bin/sh", {"-c", script}, limits);
    EXPECT_TRUE(child.ok());
    child.value().write(input, keep);
    return child.value().finish(keep);
}

void expect_no_zombie() { EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is still there"; }

TEST(ChildProcess, MegabytesGoThroughBothWaysWithoutDeadlock) {
    std::string input(20 << 20, 'x');
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i * 2654435761u >> 13);
    const ChildOutcome outcome = shell("cat", input);
    EXPECT_TRUE(outcome.fine());
    EXPECT_TRUE(outcome.output == input);
    expect_no_zombie();
}

TEST(ChildProcess, OutputAndErrorsAreKeptApart) {
    const ChildOutcome outcome = shell("echo out; echo err >&2; exit 3");
    EXPECT_EQ(outcome.end, End::exited);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.output, "out\n");
    EXPECT_EQ(outcome.errors, "err\n");
}

TEST(ChildProcess, AChildThatDoesNotListenIsNoSigpipe) {
    const ChildOutcome outcome = shell("exec 0<&-; exit 5", std::string(4 << 20, 'x'));
    EXPECT_EQ(outcome.end, End::exited);
    EXPECT_EQ(outcome.code, 5);
    expect_no_zombie();
}

TEST(ChildProcess, SignalsAreReported) {
    const ChildOutcome outcome = shell("kill -SEGV $$");
    EXPECT_EQ(outcome.end, End::signalled);
    EXPECT_EQ(outcome.code, SIGSEGV);
}

TEST(ChildProcess, TimeOutKillsGrandchildrenToo) {
    ChildLimits limits;
    limits.timeout_seconds = 0.3;
    // The grandchild would hold the pipe open for a minute.
    const ChildOutcome outcome = shell("sleep 60 & sleep 60", "", limits);
    EXPECT_EQ(outcome.end, End::timed_out);
    expect_no_zombie();
}

TEST(ChildProcess, AGrandchildThatStaysDoesNotHoldUp) {
    const ChildOutcome outcome = shell("sleep 60 & echo done");
    EXPECT_TRUE(outcome.fine());
    EXPECT_EQ(outcome.output, "done\n");
}

TEST(ChildProcess, CancelKills) {
    int asked = 0;
    const ChildOutcome outcome = shell("sleep 60", "", {}, [&] { return ++asked < 3; });
    EXPECT_EQ(outcome.end, End::cancelled);
    EXPECT_EQ(asked, 3);
    expect_no_zombie();
}

TEST(ChildProcess, TooMuchOutputStops) {
    ChildLimits limits;
    limits.output_bytes = 1 << 20;
    EXPECT_EQ(shell("cat /dev/zero", "", limits).end, End::too_much_output);
    // Endless errors are only thinned out.
    const ChildOutcome errors = shell("head -c 5000000 /dev/zero >&2", "", limits);
    EXPECT_TRUE(errors.fine());
    EXPECT_LT(errors.errors.size(), 1u << 17);
}

TEST(ChildProcess, MemoryLimitHolds) {
    ChildLimits limits;
    limits.memory_gb = 0.25;
    const ChildOutcome outcome = shell("ulimit -v", "", limits);
    EXPECT_EQ(outcome.output, "262144\n");
}

TEST(ChildProcess, AMissingProgramIsASentence) {
    const Result<ChildProcess> child = ChildProcess::start("no/such/program", {}, {});
    ASSERT_FALSE(child.ok());
    EXPECT_NE(child.message().find("no/such/program"), std::string::npos);
    EXPECT_FALSE(ChildProcess::start("/etc/passwd", {}, {}).ok());
    EXPECT_FALSE(ChildProcess::start("/tmp", {}, {}).ok());
    expect_no_zombie();
}

TEST(ChildProcess, DestroyingARunningOneKillsIt) {
    { ASSERT_TRUE(ChildProcess::start("/bin/sleep", {"60"}, {}).ok()); }
    expect_no_zombie();
}

TEST(ChildProcess, InheritsNoDescriptors) {
    // 0, 1, 2 and the one ls itself opens.
    EXPECT_EQ(shell("ls /proc/self/fd | wc -l").output, "4\n");
}

}  // namespace
}  // namespace wobble
