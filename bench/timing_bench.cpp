// SPDX-License-Identifier: Apache-2.0
//
// Thread-instructions per second of the clock, on recordings given by name (XEFORGE_RECORD writes them, and
// `xeforge validate` keeps some):  bench/timing_bench [--cores N] FILE.xfr...
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "device/device.h"
#include "number.h"
#include "observe/recording.h"
#include "timing/simulate.h"

int main(int argc, char** argv) {
  using namespace xeforge;
  timing::Options options;
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--cores") == 0 && i + 1 < argc) {
      const auto cores = bench::number(argv[++i]);
      if (!cores) {
        std::fprintf(stderr, "timing_bench: --cores: '%s' is not a number\n", argv[i]);
        return 2;
      }
      options.cores = *cores;
      continue;
    }
    try {
      const observe::Recording recording = observe::Recording::load(argv[i]);
      const device::Device& device = device::find_device(recording.device);
      const std::clock_t begin = std::clock();
      const timing::Result result = timing::simulate(recording, device, timing::parameters_of(device), options);
      // Processor time: the machine may be shared.
      const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      std::printf("%-50s %8.2f M thread-instructions %7.2f s %7.2f M/s\n", recording.kernel.c_str(),
                  static_cast<double>(result.instructions) / 1e6, seconds,
                  static_cast<double>(result.instructions) / 1e6 / seconds);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
    ++files;
  }
  if (files == 0) {
    std::fprintf(stderr, "usage: timing_bench [--cores N] FILE.xfr...\n");
    return 2;
  }
  return 0;
}
