// SPDX-License-Identifier: Apache-2.0
//
// XEFORGE_REPORT and XEFORGE_DUMP_MODULES, seen from the program that runs under them.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "module_fixture.h"

namespace xeforge::driver_test {
namespace {

namespace fs = std::filesystem;

class ReportFile : public ModuleTest {
 protected:
  // Before the driver reads its settings, which it does once.
  static void SetUpTestSuite() {
    directory() = fs::temp_directory_path() / ("xeforge-report-" + std::to_string(::getpid()));
    fs::create_directories(directory());
    ::setenv("XEFORGE_REPORT", (directory() / "report.jsonl").c_str(), 1);
    ::setenv("XEFORGE_DUMP_MODULES", directory().c_str(), 1);
  }
  static void TearDownTestSuite() { fs::remove_all(directory()); }
  static fs::path& directory() {
    static fs::path path;
    return path;
  }
};

TEST_F(ReportFile, HasALineForEachLaunchAsSoonAsItIsDone) {
  ze_module_handle_t module = module_of("kernel void one(global int* a) { a[get_global_id(0)] = 1; }");
  ze_kernel_handle_t kernel = kernel_of(module, "one");
  int* a = shared<int>(64);
  ZE_OK(zeKernelSetGroupSize(kernel, 16, 1, 1));
  ZE_OK(set(kernel, 0, a));
  const ze_group_count_t groups{4, 1, 1};
  ze_command_list_handle_t list = immediate();
  for (size_t launches = 1; launches <= 3; ++launches) {
    ZE_OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
    ZE_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
    std::ifstream file(directory() / "report.jsonl");
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(nlohmann::json::parse(line));
    }
    ASSERT_EQ(launches, lines.size());
    EXPECT_EQ("one", lines.back()["kernel"]);
    EXPECT_EQ(lines.front()["counts"], lines.back()["counts"]) << "the same launch counts the same";
  }
  size_t zebins = 0;
  for (const auto& entry : fs::directory_iterator(directory())) {
    zebins += entry.path().extension() == ".zebin" ? 1 : 0;
  }
  EXPECT_EQ(1U, zebins);
}

}  // namespace
}  // namespace xeforge::driver_test
