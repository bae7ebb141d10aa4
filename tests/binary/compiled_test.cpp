// SPDX-License-Identifier: Apache-2.0
//
// Zebins as the offline compiler writes them today, for both architectures: relations, not exact counts,
// because the compiler moves.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "binary/relocate.h"
#include "binary/zebin.h"
#include "xeforge/compiled_paths.h"

namespace xeforge::binary {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;

const char* const kSource = R"(
constant float table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
global int counter = 7;
global int* pointer = &counter;

kernel void slm_argument(global float* p, local float* tile, int n, float4 v, char c) {
  int i = get_local_id(0);
  tile[i] = p[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(0)] = tile[(i + n) & 15] * v.x + v.w + c;
}
kernel __attribute__((reqd_work_group_size(16, 4, 2))) __attribute__((intel_reqd_sub_group_size(16))) void required(global float* p) {
  local float tile[128];
  tile[get_local_linear_id()] = p[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[get_global_id(1)] = tile[(get_local_linear_id() * 7) & 127] + get_num_groups(2) + get_global_size(1);
}
kernel __attribute__((work_group_size_hint(32, 1, 1))) void constants(global float* p, int i, constant float* c) {
  p[get_global_id(0)] = table[i + get_global_id(0) % 4] + c[i];
  atomic_inc(&counter);
  p[1] += *pointer;
}
kernel void prints(global int* p) { printf("value %d\n", p[get_global_id(0)]); }
__attribute__((noinline)) int recursive(int n) { return n < 2 ? n : recursive(n - 1) + recursive(n - 2); }
kernel void stack(global int* p) { p[get_global_id(0)] = recursive(p[0]); }
typedef struct { int a; float b; long c; char d[3]; } Mixed;
kernel void aggregate(global int* p, Mixed s, ulong q) { p[get_global_id(0)] = s.a + (int)s.b + (int)s.c + s.d[2] + (int)q; }
)";

/// A directory that goes away with the test program.
class Workspace {
 public:
  Workspace() {
    std::string pattern = (fs::temp_directory_path() / "xeforge-binary-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = pattern;
    std::ofstream(path_ / "k.cl") << kSource;
  }
  ~Workspace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Compiled {
  std::string device, arguments, options;
};

Zebin compile(const Compiled& what) {
  static const Workspace workspace;
  static int count = 0;
  const std::string name = "k" + std::to_string(count++), folder = workspace.path().string();
  const std::string log = folder + "/" + name + ".log";
  const std::string command = "'" + paths::ocloc() + "' compile -file '" + folder + "/k.cl' -device " + what.device +
                              " -output " + name + " -output_no_suffix -out_dir '" + folder + "' " + what.arguments +
                              " -options '-cl-std=CL3.0 " + what.options + "' > '" + log + "' 2>&1";
  // NOLINTNEXTLINE(bugprone-command-processor): for the redirection; no words from outside
  const int status = std::system(command.c_str());
  std::ifstream in(folder + "/" + name + ".bin", std::ios::binary);
  if (status != 0 || !in) {
    std::ifstream messages(log);
    throw std::runtime_error(command + ":\n" + std::string(std::istreambuf_iterator<char>(messages), {}));
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  return read_zebin(std::as_bytes(std::span(bytes)));
}

const Kernel& kernel_of(const Zebin& zebin, const std::string& name) {
  const Kernel* kernel = zebin.find_kernel(name);
  if (kernel == nullptr) throw std::runtime_error("no kernel " + name);
  return *kernel;
}

const PayloadArg* find(const Kernel& kernel, ArgType type, int index = -1, AddrMode mode = AddrMode::None) {
  for (const PayloadArg& argument : kernel.payload) {
    if (argument.type == type && argument.arg_index == index && (mode == AddrMode::None || argument.addrmode == mode))
      return &argument;
  }
  return nullptr;
}

class CompiledTest : public ::testing::TestWithParam<std::string> {
 protected:
  /// Compiled once for each device.
  const Zebin& zebin() {
    static std::map<std::string, Zebin> done;
    auto at = done.find(GetParam());
    if (at == done.end()) at = done.emplace(GetParam(), compile({GetParam(), {}, {}})).first;
    return at->second;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, CompiledTest, ::testing::Values("dg2-g10", "bmg-g21"),
                         [](const auto& row) { return row.param.substr(0, 3); });

TEST_P(CompiledTest, NothingIsUnknown) {
  EXPECT_THAT(zebin().warnings, IsEmpty());
  EXPECT_EQ(zebin().kernels.size(), 6u);
  EXPECT_EQ(zebin().target.ip_version, GetParam() == "dg2-g10" ? 0x030dc008u : 0x05004000u);
  EXPECT_EQ(zebin().target.generator, "igc");
  EXPECT_THAT(zebin().spirv, Not(IsEmpty()));
}

TEST_P(CompiledTest, SlmArgument) {
  const Kernel& kernel = kernel_of(zebin(), "slm_argument");
  const PayloadArg* tile = find(kernel, ArgType::ByPointer, 1, AddrMode::Slm);
  ASSERT_NE(tile, nullptr);
  EXPECT_EQ(tile->addrspace, AddrSpace::Local);
  EXPECT_EQ(kernel.slm_size, 0u);
  EXPECT_EQ(kernel.barrier_count, 1u);
  EXPECT_EQ(kernel.argument_count(), 5u);
  EXPECT_EQ(kernel.argument_size(0), 8u);
  EXPECT_EQ(kernel.argument_size(1), 0u);
  EXPECT_EQ(kernel.argument_size(2), 4u);
  EXPECT_EQ(kernel.argument_size(3), 16u);
  EXPECT_EQ(kernel.argument_size(4), 1u);
  EXPECT_EQ(kernel.arguments.at(1).name, "tile");
  EXPECT_EQ(kernel.arguments.at(3).type_name, "float4");
}

TEST_P(CompiledTest, RequiredSizes) {
  const Kernel& kernel = kernel_of(zebin(), "required");
  EXPECT_THAT(kernel.required_group_size, Optional(std::array<uint32_t, 3>{16, 4, 2}));
  EXPECT_EQ(kernel.required_sub_group_size, 16u);
  EXPECT_EQ(kernel.simd_size, 16u);
  EXPECT_EQ(kernel.slm_size, 512u);
  EXPECT_EQ(kernel.work_dimensions, 3u);
  EXPECT_NE(find(kernel, ArgType::GroupCount), nullptr);
  EXPECT_NE(find(kernel, ArgType::GlobalSize), nullptr);
  EXPECT_EQ(kernel.inline_data_payload_size, 32u);
  EXPECT_GT(kernel.offset_to_skip_per_thread_data_load, 0u);
}

TEST_P(CompiledTest, PointersAsTheDeviceAddressesThem) {
  const Kernel& kernel = kernel_of(zebin(), "constants");
  EXPECT_NE(find(kernel, ArgType::ByPointer, 0, AddrMode::Stateless), nullptr);
  EXPECT_EQ(find(kernel, ArgType::ByPointer, 0, AddrMode::Bindless) != nullptr, GetParam() == "dg2-g10");
  EXPECT_THAT(kernel.group_size_hint, Optional(std::array<uint32_t, 3>{32, 1, 1}));
  EXPECT_TRUE(kernel.has_global_atomics);
}

TEST_P(CompiledTest, DataAndItsRelocations) {
  const auto data = [&](const std::string& name) -> const Section& {
    for (const Section& section : zebin().data) {
      if (section.name == name) return section;
    }
    throw std::runtime_error("no section " + name);
  };
  EXPECT_EQ(data(".data.const").bytes.size(), 64u);
  ASSERT_EQ(data(".data.global").relocations.size(), 1u);
  const Relocation& relocation = data(".data.global").relocations[0];
  EXPECT_EQ(relocation.symbol, "counter");
  EXPECT_TRUE(relocation.addend_in_place);

  RelocationPlan plan{"section", {{".data.global", 0x4000}, {".data.const", 0x8000}}, {}, 0, 0};
  std::vector<std::byte> global = data(".data.global").bytes;
  relocate(global, data(".data.global").relocations, plan);
  uint64_t pointer = 0;
  std::memcpy(&pointer, global.data() + relocation.offset, sizeof pointer);
  EXPECT_EQ(pointer, 0x4000 + relocation.symbol_value);

  const Kernel& kernel = kernel_of(zebin(), "constants");
  std::vector<std::byte> code = kernel.code;
  relocate(code, kernel.relocations, plan);
  EXPECT_NE(code, kernel.code);
  plan.section_address.erase(".data.const");
  EXPECT_THROW(relocate(code, kernel.relocations, plan), ZebinError);
}

TEST_P(CompiledTest, PrintfAndStackCalls) {
  const Kernel& prints = kernel_of(zebin(), "prints");
  EXPECT_TRUE(prints.has_printf_calls);
  EXPECT_NE(find(prints, ArgType::PrintfBuffer), nullptr);
  const Kernel& stack = kernel_of(zebin(), "stack");
  EXPECT_TRUE(stack.has_stack_calls);
  EXPECT_GT(stack.scratch_bytes_per_thread() + stack.private_bytes_per_thread(), 0u);
  EXPECT_EQ(stack.private_bytes_per_thread(), stack.private_size);
}

TEST_P(CompiledTest, AggregatesComeInParts) {
  const Kernel& kernel = kernel_of(zebin(), "aggregate");
  EXPECT_EQ(kernel.argument_size(1), 24u);
  EXPECT_EQ(kernel.argument_size(2), 8u);
  unsigned parts = 0;
  for (const PayloadArg& argument : kernel.payload) parts += argument.arg_index == 1 && argument.source_offset >= 0;
  EXPECT_GT(parts, 1u);
}

TEST(CompiledOptionsTest, BindingTableLargeRegistersAndLineTables) {
  const Zebin zebin = compile({"dg2-g10", "-stateful_address_mode bindful", "-g -cl-intel-256-GRF-per-thread"});
  const Kernel& kernel = kernel_of(zebin, "constants");
  EXPECT_NE(find(kernel, ArgType::ByPointer, 0, AddrMode::Stateful), nullptr);
  EXPECT_EQ(find(kernel, ArgType::ByPointer, 0, AddrMode::Bindless), nullptr);
  EXPECT_EQ(kernel.binding_table.size(), 2u);
  EXPECT_EQ(kernel.argument_size(0), 8u);
  EXPECT_EQ(kernel.grf_count, 256u);
  EXPECT_EQ(kernel.eu_thread_count, 4u);
  EXPECT_THAT(zebin.debug_line_source_elf, Not(IsEmpty()));
}

}  // namespace
}  // namespace xeforge::binary
