// SPDX-License-Identifier: Apache-2.0
//
// An ordinary SYCL program of many small kernels, compiled at run time (the public kernel_compiler extension) on
// whatever GPU there is; the host checks every element. Usage: sycl_kernels [--cache DIR] KERNEL-DIRECTORY [PART...]
#include <chrono>
#include <cstdio>
#include <cstring>

#include "program.h"

int main(int argc, char** argv) {
  using namespace programs;
  static constexpr Part kParts[] = {
      {"sub_groups", sub_groups}, {"work_groups", work_groups}, {"local_memory", local_memory},
      {"atomics", atomics},       {"integers", integers},       {"conversions", conversions},
      {"math", math_functions},   {"control", control_flow},    {"data", data},
      {"doubles", doubles}};
  int next = 1;
  std::string cache;
  if (argc > 3 && std::strcmp(argv[1], "--cache") == 0) {
    cache = argv[2];
    next = 3;
  }
  if (next >= argc) {
    std::fprintf(stderr, "usage: %s [--cache DIR] KERNEL-DIRECTORY [PART...]\n", argv[0]);
    return 2;
  }
  try {
    Program program(argv[next], cache);
    std::printf("device: %s\n", program.device().get_info<sycl::info::device::name>().c_str());
    const std::vector<std::string> wanted(argv + next + 1, argv + argc);
    for (const Part& part : kParts) {
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), part.name) == wanted.end()) continue;
      const auto start = std::chrono::steady_clock::now();
      const std::size_t checks = program.checks(), elements = program.elements();
      const int failures = program.failures();
      part.run(program);
      std::printf("%-12s %4zu checks, %8zu elements, %d failures (%.1f s)\n", part.name, program.checks() - checks,
                  program.elements() - elements, program.failures() - failures,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      std::fflush(stdout);
    }
    std::printf("%zu checks, %zu elements, %d failures\n", program.checks(), program.elements(), program.failures());
    return program.failures() == 0 && program.checks() > 0 ? 0 : 1;
  } catch (const std::exception& e) {
    std::printf("FAIL unexpected exception: %s\n", e.what());
    return 1;
  }
}
