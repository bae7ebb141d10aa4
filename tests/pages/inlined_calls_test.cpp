// SPDX-License-Identifier: Apache-2.0
//
// Which line of a kernel's source an instruction belongs to when its code came in from a header.
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/files.h"
#include "device/device.h"
#include "isa/decode.h"
#include "lab/pages/kernel_build.h"
#include "lab/pages/site.h"

namespace xeforge::lab::pages {
namespace {

struct Built {
  BuiltFile file;
  std::vector<std::string> lines;  ///< of the source; line 1 is lines[0]
};

Built build(const std::string& name, const std::string& device) {
  const compile::ScratchDirectory scratch;
  const auto path = scratch.path() / (name + ".cpp");
  std::ofstream(path) << web_file("kernels/" + name + ".h");
  Built built{SourceFile(path, {}).build(device::find_device(device)), {}};
  std::istringstream text(built.file.text);
  for (std::string line; std::getline(text, line);) built.lines.push_back(line);
  return built;
}

/// Lines of the source that calls around the kernel's instructions name.
std::set<int> called_lines(const BuiltKernel& kernel, const std::string& file, isa::Platform platform) {
  std::set<int> lines;
  const isa::Program program = isa::decode(platform, kernel.kernel.code);
  for (const isa::Instruction& i : program.instructions())
    for (const std::string& call :
         kernel.calls->find(kernel.kernel.name, i.pc, kernel.lines->find(kernel.kernel.name, i.pc))) {
      const size_t colon = call.rfind(':');
      if (call.substr(0, colon).ends_with(file)) lines.insert(std::stoi(call.substr(colon + 1)));
    }
  return lines;
}

int line_with(const std::vector<std::string>& lines, const std::string& part) {
  for (size_t n = 0; n < lines.size(); ++n)
    if (lines[n].find(part) != std::string::npos) return static_cast<int>(n) + 1;
  return 0;
}

TEST(InlinedCalls, AShuffleAndABarrierBelongToTheLinesThatCallThem) {
  for (const char* device : {"b580", "a770"}) {
    const Built built = build("article", device);
    ASSERT_EQ(built.file.kernels.size(), 1u);
    const auto lines = called_lines(built.file.kernels.front(), "article.cpp", device::find_device(device).platform);
    EXPECT_TRUE(lines.contains(line_with(built.lines, "permute_group_by_xor"))) << device;
    EXPECT_TRUE(lines.contains(line_with(built.lines, "group_barrier"))) << device;
  }
}

}  // namespace
}  // namespace xeforge::lab::pages
