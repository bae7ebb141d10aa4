// SPDX-License-Identifier: Apache-2.0
#include "compile/process.h"

#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "scoped_environment.h"

namespace xeforge::compile {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

ProcessResult shell(const std::string& text, std::chrono::milliseconds timeout = 20s) {
  ProcessRequest request;
  request.program = "/bin/sh";
  request.arguments = {"-c", text};
  request.timeout = timeout;
  return run_process(request);
}

TEST(Process, CollectsBothStreamsAndTheExitCode) {
  const auto result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.output, "out\nerr\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.how_it_ended(), "ended with exit code 3");
  EXPECT_TRUE(shell("true").ok());
}

TEST(Process, TellsTheSignalThatEndedIt) {
  const auto result = shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_FALSE(result.ok());
  EXPECT_THAT(result.how_it_ended(), HasSubstr("signal 11"));
  EXPECT_THAT(shell("sh -c 'kill -FPE $$'; exit $?").how_it_ended(), HasSubstr("Floating point"));
}

TEST(Process, SaysThatAProgramIsMissing) {
  ProcessRequest request;
  request.program = "/nowhere/program";
  const auto result = run_process(request);
  EXPECT_FALSE(result.started);
  EXPECT_THAT(result.how_it_ended(), HasSubstr("No such file"));
}

TEST(Process, KillsTheWholeGroupAfterTheTimeLimit) {
  const ScratchDirectory scratch;
  const auto pid_file = scratch.path() / "pid";
  const auto begin = std::chrono::steady_clock::now();
  const auto result = shell("sleep 100 & echo $! > " + pid_file.string() + "; wait", 300ms);
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  pid_t grandchild = 0;
  std::ifstream(pid_file) >> grandchild;
  ASSERT_GT(grandchild, 0);
  // It becomes a zombie of init or is gone; it does not go on sleeping.
  for (int i = 0; i < 100 && ::kill(grandchild, 0) == 0; ++i) {
    const auto state = read_text_file("/proc/" + std::to_string(grandchild) + "/stat");
    if (!state || state->find(") Z ") != std::string::npos) break;
    std::this_thread::sleep_for(50ms);
  }
  const auto state = read_text_file("/proc/" + std::to_string(grandchild) + "/stat");
  EXPECT_TRUE(!state || state->find(") Z ") != std::string::npos) << *state;
}

TEST(Process, DoesNotWaitForOutputThatAnotherProcessHolds) {
  const auto begin = std::chrono::steady_clock::now();
  const auto result = shell("setsid sleep 3 & echo started", 500ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2500ms);
  EXPECT_THAT(result.output, HasSubstr("started"));
}

TEST(Process, DropsWhatWouldChangeACompiler) {
  ScopedEnvironment environment;
  environment.set("LD_LIBRARY_PATH", "/elsewhere");
  environment.set("ZE_ENABLE_ALT_DRIVERS", "driver.so");
  environment.set("IGC_ShaderDumpEnable", "1");
  environment.set("KEPT_FOR_TEST", "yes");
  const auto result = shell("env");
  EXPECT_THAT(result.output, Not(HasSubstr("LD_LIBRARY_PATH")));
  EXPECT_THAT(result.output, Not(HasSubstr("ZE_ENABLE_ALT_DRIVERS")));
  EXPECT_THAT(result.output, Not(HasSubstr("IGC_")));
  EXPECT_THAT(result.output, HasSubstr("KEPT_FOR_TEST=yes"));
  EXPECT_STREQ(std::getenv("LD_LIBRARY_PATH"), "/elsewhere");
}

TEST(Process, InheritsNoDescriptorSignalMaskOrInput) {
  const int leaked = ::open("/dev/zero", O_RDONLY);  // not close-on-exec, as a careless host has
  ASSERT_GT(leaked, 2);
  ::signal(SIGPIPE, SIG_IGN);
  const auto result = shell("ls -l /proc/self/fd; cat; grep SigIgn /proc/self/status");
  ::signal(SIGPIPE, SIG_DFL);
  ::close(leaked);
  EXPECT_THAT(result.output, Not(HasSubstr("/dev/zero")));
  const size_t at = result.output.find("SigIgn:");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(std::stoull(result.output.substr(at + 7), nullptr, 16) & 1u << (SIGPIPE - 1), 0u);
}

TEST(Process, WritesBufferedOutputOfTheHostOnce) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "host";
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("once\n", file);
  EXPECT_TRUE(shell("true").ok());
  std::fclose(file);
  EXPECT_EQ(read_text_file(path), "once\n");
}

TEST(Process, WorksWhereTheHostIgnoresItsChildren) {
  ::signal(SIGCHLD, SIG_IGN);
  const auto result = shell("echo done");
  ::signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ(result.output, "done\n");
  EXPECT_TRUE(result.started);
}

TEST(Process, KeepsOnlySoMuchOutput) {
  const auto result = shell("head -c 40000000 /dev/zero");
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.output.size(), kMaxOutput);
}

}  // namespace
}  // namespace xeforge::compile
