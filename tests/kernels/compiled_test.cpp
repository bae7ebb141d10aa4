// SPDX-License-Identifier: Apache-2.0
//
// Every kernel compiled for its device without running it: that it compiles, and that what the catalogue says
// about registers, sub-groups, barriers and shared local memory is what the binary says.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "binary/zebin.h"
#include "compile/sycl_source.h"
#include "device/device.h"
#include "gemm/catalog.h"
#include "kernels/embedded.h"

namespace {

using namespace xeforge;
namespace fs = std::filesystem;

class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "xeforge-kernels-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  ~Scratch() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The module of a family, written out file by file as the run-time compiler gets it.
compile::SyclResult compile_family(gemm::Family family, const fs::path& directory) {
  for (const auto& file : kernels::embedded_files()) {
    fs::create_directories((directory / file.name).parent_path());
    std::ofstream(directory / file.name) << file.text;
  }
  compile::SyclRequest request;
  request.source = directory / "module.cpp";
  std::set<std::string_view> headers;
  std::ofstream out(request.source);
  for (const gemm::Rung& rung : gemm::catalog()) {
    if (rung.family == family && headers.insert(rung.header).second) out << "#include \"" << rung.header << "\"\n";
  }
  out.close();
  request.options = {"-O3", "-w", "-I" + directory.string()};
  return compile::compile_sycl(request);
}

struct Compiled {
  std::map<std::string, binary::Kernel> kernels;
  std::vector<std::string> warnings;
};

Compiled compile_for(gemm::Family family, const char* device) {
  const Scratch scratch;
  const compile::SyclResult sycl = compile_family(family, scratch.path());
  EXPECT_TRUE(sycl.ok) << sycl.error << '\n' << sycl.log;
  Compiled compiled;
  for (const compile::SyclImage& image : sycl.images) {
    if (image.kind == compile::SyclImage::Kind::DeviceLibrary) continue;
    EXPECT_TRUE(image.imports.empty()) << "calls of a device library stay unresolved: " << image.imports[0];
    const auto result = compile::compile(compile::runtime_request(image, sycl.images, device::find_device(device)));
    EXPECT_TRUE(result.ok) << result.error;
    if (!result.ok) continue;
    compiled.warnings.insert(compiled.warnings.end(), result.warnings.begin(), result.warnings.end());
    for (binary::Kernel& kernel : binary::read_zebin(result.zebin).kernels) {
      const std::string name = kernel.name.substr(std::string("__sycl_kernel_").size());
      compiled.kernels.emplace(name, std::move(kernel));
    }
  }
  return compiled;
}

void check(gemm::Family family, const char* device) {
  const Compiled compiled = compile_for(family, device);
  for (const gemm::Rung& rung : gemm::catalog()) {
    if (rung.family != family) continue;
    SCOPED_TRACE(std::string(rung.id));
    const auto found = compiled.kernels.find(std::string(rung.kernel));
    ASSERT_NE(found, compiled.kernels.end());
    const binary::Kernel& kernel = found->second;
    EXPECT_EQ(kernel.grf_count, rung.grf);
    EXPECT_FALSE(kernel.has_stack_calls);
    if (rung.local[1] > 1 && rung.slm_bytes != 0) {
      EXPECT_EQ(kernel.barrier_count, 1U);
    }
    if (kernel.simd_size == 1) {
      // The vector compiler rounds the size up to what the hardware can allocate.
      EXPECT_GE(kernel.slm_size, rung.slm_bytes);
      EXPECT_LE(kernel.slm_size, 2 * rung.slm_bytes);
    } else {
      EXPECT_EQ(kernel.slm_size, 0U) << "local accessors are arguments";
    }
  }
}

TEST(CompiledKernels, Smoke) { check(gemm::Family::Smoke, "a770"); }
TEST(CompiledKernels, Sycl) { check(gemm::Family::Sycl, "a770"); }
TEST(CompiledKernels, SyclForXe2) { check(gemm::Family::Sycl, "b580"); }
TEST(CompiledKernels, JointMatrix) { check(gemm::Family::JointMatrix, "a770"); }
TEST(CompiledKernels, Esimd) { check(gemm::Family::Esimd, "a770"); }
TEST(CompiledKernels, Xe2) { check(gemm::Family::Xe2, "b580"); }

TEST(CompiledKernels, EightWideFragmentsRunInSubGroupsOfEight) {
  // The reason for the corrected forms: whatever the local range suggests, the compiler takes eight items.
  const Compiled compiled = compile_for(gemm::Family::JointMatrix, "a770");
  ASSERT_FALSE(compiled.kernels.empty());
  for (const auto& [name, kernel] : compiled.kernels) EXPECT_EQ(kernel.simd_size, 8U) << name;
}

TEST(CompiledKernels, NoEsimdRungSpills) {
  for (const auto& [name, kernel] : compile_for(gemm::Family::Esimd, "a770").kernels) {
    EXPECT_EQ(kernel.scratch_bytes_per_thread(), 0U) << name;
  }
}

}  // namespace
