// SPDX-License-Identifier: Apache-2.0
//
// From SYCL and ESIMD sources to device code, and the refusals on what SYCL's compiler really emits.
#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "binary/zebin.h"
#include "compile/sycl_source.h"
#include "isa/decode.h"
#include "scoped_environment.h"

namespace xeforge::compile {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

/// Each combination is compiled once: reading SYCL's headers takes seconds.
const SyclResult& sycl(const std::string& name, std::vector<std::string> options = {}) {
  static std::map<std::vector<std::string>, SyclResult> known;
  SyclRequest request;
  request.source = fs::path(XEFORGE_TEST_SOURCE_DIR) / "sources" / name;
  request.options = std::move(options);
  request.options.emplace_back("-w");
  auto key = request.options;
  key.push_back(name);
  auto found = known.find(key);
  if (found == known.end()) found = known.emplace(std::move(key), compile_sycl(request)).first;
  return found->second;
}

const SyclImage& kernel_image(const SyclResult& result) {
  if (!result.ok) throw std::runtime_error(result.error);
  for (const auto& image : result.images)
    if (image.kind != SyclImage::Kind::DeviceLibrary) return image;
  throw std::runtime_error("no image with a kernel");
}

SyclRequest any_request() {
  SyclRequest request;
  request.source = fs::path(XEFORGE_TEST_SOURCE_DIR) / "sources" / "convert.cpp";
  return request;
}

class Sycl : public testing::Test {
 protected:
  Sycl() { environment_.set("XEFORGE_CACHE_DIR", (directory_.path() / "cache").string()); }
  static Result build(const SyclResult& source, const char* device) {
    return compile(runtime_request(kernel_image(source), source.images, device::find_device(device)));
  }
  ScratchDirectory directory_;
  ScopedEnvironment environment_;
};

TEST_F(Sycl, EsimdOfTheRightWidthCompilesForEach) {
  const SyclResult& narrow = sycl("esimd.cpp");
  EXPECT_EQ(kernel_image(narrow).kind, SyclImage::Kind::Esimd);
  EXPECT_THAT(kernel_image(narrow).kernels, Contains("__sycl_kernel_multiply"));
  const Result dg2 = build(narrow, "a770");
  ASSERT_TRUE(dg2.ok) << dg2.error;
  EXPECT_EQ(binary::read_zebin(dg2.zebin).kernels.at(0).simd_size, 1u);
  EXPECT_THAT(build(narrow, "b580").error, HasSubstr("execution size of 8"));

  const SyclResult& wide = sycl("esimd.cpp", {"-DWIDTH=16"});
  EXPECT_THAT(build(wide, "a770").error,
              AllOf(HasSubstr("'__sycl_kernel_multiply'"), HasSubstr("execution size of 16")));
  const Result xe2 = build(wide, "b580");
  EXPECT_TRUE(xe2.ok) << xe2.error;
}

TEST_F(Sycl, Block2dIsRefusedOnDg2) {
  EXPECT_THAT(build(sycl("esimd.cpp", {"-DLOAD_2D"}), "a770").error, HasSubstr("2D block"));
  const Result xe2 = build(sycl("esimd.cpp", {"-DLOAD_2D", "-DWIDTH=16"}), "b580");
  EXPECT_TRUE(xe2.ok) << xe2.error;
}

TEST_F(Sycl, NamedBarriersAreRefusedOnDg2) {
  EXPECT_THAT(build(sycl("esimd.cpp", {"-DNAMED_BARRIER"}), "a770").error, HasSubstr("named barriers"));
  // The signal alone is a raw message to the gateway.
  EXPECT_FALSE(build(sycl("esimd.cpp", {"-DSIGNAL_BARRIER"}), "a770").ok);
  const Result xe2 = build(sycl("esimd.cpp", {"-DNAMED_BARRIER", "-DWIDTH=16"}), "b580");
  EXPECT_TRUE(xe2.ok) << xe2.error;
}

TEST_F(Sycl, DoublesAreRefusedWhereThereAreNone) {
  EXPECT_THAT(build(sycl("esimd.cpp", {"-DDOUBLES"}), "a770").error, HasSubstr("no 64-bit floating point"));
  EXPECT_THAT(build(sycl("convert.cpp", {"-DDOUBLES"}), "a770").error, HasSubstr("no 64-bit floating point"));
}

TEST_F(Sycl, EsimdSpillsAreToldAndLargeRegistersEndThem) {
  const SyclResult& source = sycl("esimd.cpp", {"-DMANY_VALUES"});
  const Result small = build(source, "a770");
  ASSERT_TRUE(small.ok) << small.error;
  EXPECT_THAT(small.warnings, Contains(HasSubstr("Spill memory used")));
  Request request = runtime_request(kernel_image(source), source.images, device::find_device("a770"));
  request.options += " -ze-intel-256-GRF-per-thread";  // which the vector compiler alone would ignore
  const Result large = compile(request);
  ASSERT_TRUE(large.ok) << large.error;
  EXPECT_EQ(binary::read_zebin(large.zebin).kernels.at(0).grf_count, 256u);
  EXPECT_TRUE(large.warnings.empty());
}

TEST_F(Sycl, JointMatrixShapes) {
  const SyclResult& narrow = sycl("matrix.cpp");
  const Result dg2 = build(narrow, "a770");
  EXPECT_TRUE(dg2.ok) << dg2.error;
  EXPECT_THAT(build(narrow, "b580").error, HasSubstr("8x16x16 bf16"));
  const SyclResult& wide = sycl("matrix.cpp", {"-DCOLUMNS=16"});
  EXPECT_THAT(build(wide, "a770").error, HasSubstr("8x8x16 bf16"));
  const Result xe2 = build(wide, "b580");
  EXPECT_TRUE(xe2.ok) << xe2.error;
}

TEST_F(Sycl, JointMatrixInTheWrongSubGroup) {
  EXPECT_THAT(build(sycl("matrix.cpp", {"-DSUB_GROUP=16"}), "a770").error,
              HasSubstr("sub-groups of 16 for joint_matrix"));
  const Result right = build(sycl("matrix.cpp", {"-DSUB_GROUP=8"}), "a770");
  EXPECT_TRUE(right.ok) << right.error;
}

TEST_F(Sycl, DeviceLibraryCallsAreLinkedOrRefused) {
  const SyclResult& source = sycl("convert.cpp");
  EXPECT_THAT(kernel_image(source).imports, Contains("__devicelib_ConvertBF16ToFINTEL"));
  const Result linked = build(source, "a770");
  ASSERT_TRUE(linked.ok) << linked.error;
  EXPECT_TRUE(linked.warnings.empty());
  Request alone = runtime_request(kernel_image(source), source.images, device::find_device("a770"));
  ASSERT_EQ(alone.sources.size(), 2u);
  alone.sources.pop_back();
  const Result refused = compile(alone);
  EXPECT_FALSE(refused.ok);
  EXPECT_THAT(refused.error, AllOf(HasSubstr("__devicelib_ConvertBF16ToFINTEL"), HasSubstr("'__sycl_kernel_widen'")));
}

TEST_F(Sycl, MatricesAndConversionsInOneKernel) {
  // The offline linker refuses modules with joint_matrix.
  const SyclResult& source = sycl("matrix.cpp", {"-DCONVERSIONS"});
  EXPECT_GE(kernel_image(source).imports.size(), 2u);
  const Result result = build(source, "a770");
  ASSERT_TRUE(result.ok) << result.error;
  EXPECT_TRUE(result.warnings.empty());
  const auto zebin = binary::read_zebin(result.zebin);
  const auto program = isa::decode(isa::Platform::XeHpg, zebin.kernels.at(0).code);
  const auto converts = [](const isa::Instruction& i) {
    return i.op == isa::Opcode::Mov && i.dst.type == isa::DataType::BF;
  };
  const auto instructions = program.instructions();
  EXPECT_TRUE(std::any_of(instructions.begin(), instructions.end(), converts));
}

TEST_F(Sycl, SourceErrorsAreTheCompilersWords) {
  const auto file = directory_.path() / "bad.cpp";
  write_file(file, as_bytes("#include <sycl/sycl.hpp>\nint x = ;\n"));
  SyclRequest request;
  request.source = file;
  const SyclResult result = compile_sycl(request);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.error, AllOf(HasSubstr("does not compile"), HasSubstr("bad.cpp:2:9: error: expected expression")));
}

TEST_F(Sycl, ACrashOfTheLibraryStaysInItsProcess) {
  environment_.set("XEFORGE_SYCLC", write_script(directory_, "crash", "kill -SEGV $$"));
  const SyclResult result = compile_sycl(any_request());
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.error, HasSubstr("killed by signal 11"));
}

TEST_F(Sycl, AnotherVersionOfTheLibraryIsNotCalled) {
  fs::create_directories(directory_.path() / "lib");
  // Any other library will do.
  fs::copy_file("/lib/x86_64-linux-gnu/libz.so.1", directory_.path() / "lib/libsycl-jit.so.23.1");
  environment_.set("XEFORGE_SYCL_ROOT", directory_.path().string());
  const SyclResult result = compile_sycl(any_request());
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.error, HasSubstr("was written for libsycl-jit.so.23.1"));
}

TEST_F(Sycl, SaysWhereTheHelperIsLookedFor) {
  environment_.set("XEFORGE_SYCLC", "/nowhere/syclc");
  EXPECT_THROW(compile_sycl(any_request()), std::runtime_error);
}

}  // namespace
}  // namespace xeforge::compile
