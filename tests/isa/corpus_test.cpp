// SPDX-License-Identifier: Apache-2.0
//
// Every instruction of freshly compiled kernels, decoded here and disassembled by the vendor's tool. The compiler
// moves: nothing is asserted about the code but that both sides read the same.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "canonical.h"
#include "isa/decode.h"
#include "xeforge/compiled_paths.h"

namespace xeforge::isa {
namespace {

namespace fs = std::filesystem;

struct Device {
  const char* name;
  Platform platform;
  const char* options;
  friend std::ostream& operator<<(std::ostream& out, const Device& device) { return out << device.name; }
};
constexpr std::array<Device, 2> kDevices{
    {{"dg2-g10", Platform::XeHpg, "-cl-std=CL3.0"}, {"bmg-g21", Platform::Xe2, "-cl-std=CL3.0 -DXE2"}}};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Runs a program with its output in `log`; its exit status.
int run(const std::vector<std::string>& command, const fs::path& log) {
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen(log.c_str(), "w", stdout) == nullptr || dup2(STDOUT_FILENO, STDERR_FILENO) < 0) _exit(126);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The text sections of a device binary by kernel name.
std::map<std::string, std::vector<std::byte>> kernels_of(const std::string& elf) {
  std::map<std::string, std::vector<std::byte>> kernels;
  Elf64_Ehdr header;
  if (elf.size() < sizeof header) return kernels;
  std::memcpy(&header, elf.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), elf.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  const auto& names = sections.at(header.e_shstrndx);
  for (const auto& section : sections) {
    const std::string name = elf.data() + names.sh_offset + section.sh_name;
    constexpr std::string_view kPrefix = ".text.";
    if (!name.starts_with(kPrefix)) continue;
    const auto* begin = reinterpret_cast<const std::byte*>(elf.data() + section.sh_offset);
    kernels[name.substr(kPrefix.size())] = {begin, begin + section.sh_size};
  }
  return kernels;
}

// Unconditional jumps are the only place where code may stand that nothing reaches.
bool may_precede_a_gap(const Instruction& i) {
  return i.end_of_thread || (i.pred == PredCtrl::None && (i.op == Opcode::Jmpi || i.op == Opcode::Goto ||
                                                          i.op == Opcode::Brd || i.op == Opcode::Ret));
}

// Two ways of compiling that lead to different code.
struct Mode {
  const char* name;
  const char* options;
  friend std::ostream& operator<<(std::ostream& out, const Mode& mode) { return out << mode.name; }
};
constexpr std::array<Mode, 2> kModes{
    {{"optimised", ""},
     {"plain", " -cl-opt-disable -ze-opt-large-register-file -ze-opt-greater-than-4GB-buffer-required"}}};

class Corpus : public ::testing::TestWithParam<std::tuple<std::string, Device, Mode>> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "xeforge-isa-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

void compare(const Program& program, const std::string& listing, const std::string& where) {
  const auto lines = testing::read_listing(listing);
  ASSERT_FALSE(lines.empty()) << where;
  size_t last = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    // Functions stand behind the kernel's end of thread.
    if (lines[i].end_of_thread || program.index_of(lines[i].pc) >= 0) last = i;
  }
  size_t compared = 0;
  bool gap = false;
  for (size_t i = 0; i <= last; ++i) {
    const auto& line = lines[i];
    const std::string here = where + " at " + std::to_string(line.pc) + ": " + line.line;
    const int32_t index = program.index_of(line.pc);
    if (index < 0) {
      ASSERT_TRUE(gap || (i > 0 && may_precede_a_gap(program.instructions()[compared - 1]))) << "missing: " << here;
      gap = true;
      continue;
    }
    gap = false;
    ++compared;
    const auto& instruction = program.instructions()[static_cast<size_t>(index)];
    std::string expected;
    ASSERT_NO_THROW(expected = testing::canonical_from_line(line.line)) << here;
    EXPECT_EQ(testing::canonical_from_instruction(instruction), expected) << here;
    if (instruction.is_send() && !instruction.msg.desc_in_reg) {
      EXPECT_NE(instruction.msg.kind, MessageKind::Unknown) << here;
    }
  }
  EXPECT_EQ(compared, program.instructions().size()) << where << ": decoded more than the listing has";
}

TEST_P(Corpus, AgreesWithTheVendorsDisassembly) {
  const auto& [source, device, mode] = GetParam();
  const auto file = fs::path(XEFORGE_TEST_SOURCE_DIR) / "corpus" / (source + ".cl");
  const auto log = folder_ / "log";
  ASSERT_EQ(run({paths::ocloc(), "compile", "-file", file, "-device", device.name, "-output", "kernels", "-out_dir",
                 folder_, "-options", std::string(device.options) + mode.options},
                log),
            0)
      << read_file(log);
  fs::path binary;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() == ".bin") binary = entry.path();
  }
  ASSERT_FALSE(binary.empty()) << read_file(log);
  ASSERT_EQ(run({paths::ocloc(), "disasm", "-file", binary, "-device", device.name, "-dump", folder_ / "dump"}, log), 0)
      << read_file(log);

  const auto kernels = kernels_of(read_file(binary));
  ASSERT_FALSE(kernels.empty());
  for (const auto& [name, code] : kernels) {
    std::string where = source;
    where.append(" ").append(device.name).append(" ").append(name);
    std::string listing_name = ".text.";
    listing_name.append(name).append(".asm");
    const auto listing = read_file(folder_ / "dump" / listing_name);
    ASSERT_FALSE(listing.empty()) << where;
    ASSERT_NO_THROW(compare(decode(device.platform, code), listing, where)) << where;
  }
}

std::string corpus_name(const ::testing::TestParamInfo<Corpus::ParamType>& info) {
  const auto& [source, device, mode] = info.param;
  std::string name = source;
  name.append("_").append(device.name).append("_").append(mode.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus,
                         ::testing::Combine(::testing::Values("arithmetic", "divergence", "functions", "local_memory",
                                                              "matrix", "private_memory", "subgroups"),
                                            ::testing::ValuesIn(kDevices), ::testing::ValuesIn(kModes)),
                         corpus_name);

}  // namespace
}  // namespace xeforge::isa
