// SPDX-License-Identifier: Apache-2.0
//
// With the real compiler where it has to be, with scripts in its place where it has to misbehave.
#include "compile/compile.h"

#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "binary/zebin.h"
#include "compile/cache.h"
#include "compile/ocloc.h"
#include "compile/process.h"
#include "scoped_environment.h"

namespace xeforge::compile {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

std::vector<std::byte> source(const std::string& name) {
  const auto bytes = read_file(fs::path(XEFORGE_TEST_SOURCE_DIR) / "sources" / name);
  if (!bytes) throw std::runtime_error("no test source " + name);
  return *bytes;
}

Request opencl(const std::string& name, const std::string& options = "", const char* device = "a770") {
  return {{{Source::Kind::OpenClC, source(name)}}, options, &device::find_device(device)};
}

class Compile : public testing::Test {
 protected:
  Compile() { environment_.set("XEFORGE_CACHE_DIR", (directory_.path() / "cache").string()); }
  size_t entries() const {
    size_t count = 0;
    std::error_code none;
    for (const auto& item : fs::recursive_directory_iterator(directory_.path() / "cache", none))
      count += item.is_regular_file() ? 1 : 0;
    return count;
  }
  /// A compiler whose query works and whose other uses do `body`.
  void use_compiler(const std::string& body) {
    environment_.set("XEFORGE_OCLOC",
                     write_script(directory_, "ocloc", "if [ \"$1\" = query ]; then echo 1.0; exit 0; fi\n" + body));
  }
  ScratchDirectory directory_;
  ScopedEnvironment environment_;
};

TEST_F(Compile, MakesKernelsFromOpenClCForBothFamilies) {
  for (const char* device : {"a770", "b580"}) {
    const Result result = compile(opencl("vadd.cl", "-DFACTOR=2", device));
    ASSERT_TRUE(result.ok) << result.error;
    EXPECT_THAT(result.warnings, IsEmpty());
    const auto zebin = binary::read_zebin(result.zebin);
    ASSERT_NE(zebin.find_kernel("vadd"), nullptr);
    EXPECT_EQ(zebin.find_kernel("vadd")->grf_count, 128u);
  }
}

TEST_F(Compile, AnswersFromTheCacheTheSecondTime) {
  const Result first = compile(opencl("spill.cl"));
  const Result second = compile(opencl("spill.cl"));
  ASSERT_TRUE(first.ok) << first.error;
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.zebin, first.zebin);
  EXPECT_EQ(second.log, first.log);
  EXPECT_EQ(second.warnings, first.warnings);
}

TEST_F(Compile, TellsRequestsApart) {
  for (int round = 0; round < 2; ++round) {
    std::vector<Result> results;
    results.push_back(compile(opencl("vadd.cl", "-DFACTOR=2")));
    results.push_back(compile(opencl("vadd.cl", "-DFACTOR=3")));
    results.push_back(compile(opencl("vadd.cl", "-DFACTOR=2", "b580")));
    results.push_back(compile(opencl("vadd.cl", "-DFACTOR=2 -ze-opt-large-register-file")));
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_TRUE(results[i].ok) << results[i].error;
      EXPECT_EQ(results[i].from_cache, round == 1);
      for (size_t j = 0; j < i; ++j) EXPECT_NE(results[i].zebin, results[j].zebin) << i << " and " << j;
    }
    EXPECT_EQ(binary::read_zebin(results[3].zebin).find_kernel("vadd")->grf_count, 256u);
  }
  EXPECT_EQ(entries(), 4u);
}

TEST_F(Compile, RebuildsADamagedEntry) {
  const Result first = compile(opencl("vadd.cl", "-DFACTOR=2"));
  for (const auto& item : fs::recursive_directory_iterator(directory_.path() / "cache"))
    if (item.is_regular_file()) fs::resize_file(item.path(), fs::file_size(item.path()) / 2);
  const Result second = compile(opencl("vadd.cl", "-DFACTOR=2"));
  EXPECT_FALSE(second.from_cache);
  EXPECT_EQ(second.zebin, first.zebin);
  EXPECT_TRUE(compile(opencl("vadd.cl", "-DFACTOR=2")).from_cache);
}

TEST_F(Compile, WorksWithoutACache) {
  write_file(directory_.path() / "file", as_bytes("x"));
  environment_.set("XEFORGE_CACHE_DIR", (directory_.path() / "file" / "cache").string());
  for (int i = 0; i < 2; ++i) {
    const Result result = compile(opencl("vadd.cl", "-DFACTOR=2"));
    EXPECT_TRUE(result.ok) << result.error;
    EXPECT_FALSE(result.from_cache);
  }
}

TEST_F(Compile, ThreadsMayAskForTheSameAtOnce) {
  std::vector<Result> results(8);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&] { result = compile(opencl("vadd.cl", "-DFACTOR=2")); });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) {
    ASSERT_TRUE(result.ok) << result.error;
    EXPECT_EQ(result.zebin, results[0].zebin);
  }
  EXPECT_EQ(entries(), 1u);
}

// What the processes of the next test do; alone it is a test like any other.
TEST(CompileOnce, GivesARightKernel) {
  const Result result = compile(opencl("vadd.cl", "-DFACTOR=5"));
  ASSERT_TRUE(result.ok) << result.error;
  EXPECT_NE(binary::read_zebin(result.zebin).find_kernel("vadd"), nullptr);
}

TEST_F(Compile, ProcessesMayShareTheCache) {
  std::vector<ProcessResult> results(6);
  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&] {
      ProcessRequest request;
      request.program = fs::read_symlink("/proc/self/exe");
      request.arguments = {"--gtest_filter=CompileOnce.*"};
      request.timeout = std::chrono::seconds(120);
      result = run_process(request);
    });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_TRUE(result.ok()) << result.output;
  EXPECT_EQ(entries(), 1u);
  EXPECT_TRUE(compile(opencl("vadd.cl", "-DFACTOR=5")).from_cache);
}

TEST_F(Compile, WarnsOfSpilling) {
  const Result result = compile(opencl("spill.cl"));
  ASSERT_TRUE(result.ok) << result.error;
  EXPECT_THAT(result.warnings, Contains(AllOf(HasSubstr("'spill'"), HasSubstr("spilled around"))));
  EXPECT_GT(binary::read_zebin(result.zebin).find_kernel("spill")->spill_size, 0u);
}

TEST_F(Compile, GivesTheCompilersErrorsAndKeepsNone) {
  Request request = opencl("vadd.cl");  // FACTOR is not defined
  for (int i = 0; i < 2; ++i) {
    const Result result = compile(request);
    EXPECT_FALSE(result.ok);
    EXPECT_TRUE(result.zebin.empty());
    EXPECT_THAT(result.error, HasSubstr("use of undeclared identifier 'FACTOR'"));
    EXPECT_THAT(result.error, Not(HasSubstr("/tmp")));
  }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(Compile, ExplainsMissingDoubles) {
  Request request = opencl("vadd.cl");
  const std::string text = "kernel void k(global double* p) { p[0] *= 2; }";
  request.sources[0].bytes = {as_bytes(text).begin(), as_bytes(text).end()};
  EXPECT_THAT(compile(request).error, HasSubstr("has no 64-bit floating point"));
  request.device = &device::find_device("b580");
  EXPECT_TRUE(compile(request).ok);
}

TEST_F(Compile, ChecksOpenClCLikeSpirv) {
  Request request = opencl("vadd.cl");
  const std::string text =
      "__attribute__((intel_reqd_sub_group_size(64))) kernel void k(global int* p) { p[get_global_id(0)] = 1; }";
  request.sources[0].bytes = {as_bytes(text).begin(), as_bytes(text).end()};
  EXPECT_THAT(compile(request).error, HasSubstr("requires sub-groups of 64"));
}

TEST_F(Compile, RefusesWhatIsNoModule) {
  const Request base = opencl("vadd.cl");
  Request request = base;
  request.sources[0].kind = Source::Kind::Spirv;
  EXPECT_THAT(compile(request).error, HasSubstr("not a SPIR-V module"));
  request.sources[0].bytes.clear();
  EXPECT_THAT(compile(request).error, HasSubstr("empty module"));
  request.sources.clear();
  EXPECT_THAT(compile(request).error, HasSubstr("nothing to compile"));
  request = base;
  request.sources.push_back(base.sources[0]);
  EXPECT_THAT(compile(request).error, HasSubstr("one source at a time"));
  request.device = nullptr;
  EXPECT_THROW(compile(request), std::invalid_argument);
}

TEST_F(Compile, TurnsACrashOfTheCompilerIntoAnError) {
  use_compiler("kill -SEGV $$");
  const Result result = compile(opencl("vadd.cl", "-DFACTOR=2"));
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.error, HasSubstr("killed by signal 11"));
  EXPECT_EQ(entries(), 0u);
}

TEST_F(Compile, TurnsACrashInsideTheCompilerIntoAnError) {
  use_compiler("echo 'Build failed with error code: -11'; exit 245");
  EXPECT_THAT(compile(opencl("vadd.cl", "-DFACTOR=2")).error, HasSubstr("code generator crashes"));
}

TEST_F(Compile, DoesNotWaitForeverForTheCompiler) {
  use_compiler("sleep 100");
  environment_.set("XEFORGE_COMPILE_TIMEOUT", "0.3");
  EXPECT_THAT(compile(opencl("vadd.cl", "-DFACTOR=2")).error, HasSubstr("did not end in time"));
  environment_.set("XEFORGE_COMPILE_TIMEOUT", "soon");
  EXPECT_THAT(compile(opencl("vadd.cl", "-DFACTOR=2")).error, HasSubstr("XEFORGE_COMPILE_TIMEOUT"));
}

TEST_F(Compile, SaysThatThereIsNoPlaceForTemporaryFiles) {
  ASSERT_TRUE(compile(opencl("vadd.cl", "-DFACTOR=3")).ok);  // the compiler's version is known from here on
  environment_.set("TMPDIR", "/nowhere");
  EXPECT_THAT(compile(opencl("vadd.cl", "-DFACTOR=2")).error, AllOf(HasSubstr("/nowhere"), HasSubstr("TMPDIR")));
  EXPECT_TRUE(compile(opencl("vadd.cl", "-DFACTOR=3")).from_cache);
}

TEST_F(Compile, RefusesMatrixFunctionsOutsideTheirSubGroup) {
  const auto build = [](const char* device, const std::string& element, const std::string& attribute) {
    Request request = opencl("vadd.cl", "", device);
    const std::string text =
        attribute + " kernel void k(global " + element + "8* a, global int8* b, global float8* c) {" +
        "int i = get_global_id(0); c[i] = intel_sub_group_bf16_bf16_matrix_mad_k16(a[i], b[i], c[i]); }";
    request.sources[0].bytes = {as_bytes(text).begin(), as_bytes(text).end()};
    return compile(request);
  };
  const auto size = [](int n) { return "__attribute__((intel_reqd_sub_group_size(" + std::to_string(n) + ")))"; };
  EXPECT_TRUE(build("a770", "int", size(8)).ok);
  EXPECT_THAT(build("a770", "int", size(16)).error, HasSubstr("intel_reqd_sub_group_size(8)"));
  EXPECT_THAT(build("a770", "int", "").error, HasSubstr("a size left to the compiler"));
  EXPECT_TRUE(build("a770", "short", size(16)).ok);  // of another device: emulated
  EXPECT_TRUE(build("b580", "short", size(16)).ok);
  EXPECT_THAT(build("b580", "short", size(32)).error, HasSubstr("intel_reqd_sub_group_size(16)"));
}

TEST_F(Compile, DoesNotBelieveASuccessWithoutAResult) {
  use_compiler("exit 0");
  EXPECT_THAT(compile(opencl("vadd.cl", "-DFACTOR=2")).error, HasSubstr("no output file"));
  use_compiler("echo nonsense > module.spv");
  EXPECT_THAT(compile(opencl("vadd.cl", "-DFACTOR=2")).error, HasSubstr("not a SPIR-V module"));
}

TEST_F(Compile, SaysHowToGetACompiler) {
  environment_.set("XEFORGE_OCLOC", "/nowhere/ocloc");
  EXPECT_THAT([] { compile(opencl("vadd.cl")); },
              ThrowsMessage<std::runtime_error>(AllOf(HasSubstr("/nowhere/ocloc"), HasSubstr("make setup"))));
}

TEST_F(Compile, AnotherCompilerHasItsOwnEntries) {
  ASSERT_TRUE(compile(opencl("vadd.cl", "-DFACTOR=2")).ok);
  use_compiler("exit 3");
  EXPECT_FALSE(compile(opencl("vadd.cl", "-DFACTOR=2")).ok);
}

TEST_F(Compile, IsNotConfusedByTheHostsLibraries) {
  environment_.set("LD_LIBRARY_PATH", directory_.path().string());
  write_file(directory_.path() / "libc.so.6", as_bytes("no library"));
  const Result result = compile(opencl("vadd.cl", "-DFACTOR=7"));
  EXPECT_TRUE(result.ok) << result.error;
}

TEST(Warnings, AreOneLineEach) {
  const std::string log =
      "1:3:7: warning: unused variable 'x'\n"
      "warning: in kernel 'k': [RetryManager] Start recompilation of the kernel\n"
      "warning: in kernel 'k': compiled SIMD32 allocated 128 regs and spilled around 252\n"
      "warning: in kernel 'k': Stack call has been detected, the private memory size is set to 48B.\n"
      "To make sure your program runs correctly ...\n"
      "warning: in kernel 'k': compiled SIMD32 allocated 128 regs and spilled around 252\n"
      "Spill memory used = 3328 bytes for kernel e\n";
  const auto warnings = warnings_in(log);
  ASSERT_EQ(warnings.size(), 4u);
  EXPECT_EQ(warnings[0], "unused variable 'x'");
  EXPECT_EQ(warnings[1], "in kernel 'k': compiled SIMD32 allocated 128 regs and spilled around 252");
  EXPECT_THAT(warnings[2], HasSubstr("in kernel 'k': stack call"));
  EXPECT_EQ(warnings[3], "Spill memory used = 3328 bytes for kernel e");
}

}  // namespace
}  // namespace xeforge::compile
