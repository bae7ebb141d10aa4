// SPDX-License-Identifier: Apache-2.0
//
// A collection of OpenCL C kernels, compiled by the offline compiler and launched through Level Zero; the host checks
// every element. Usage: opencl_kernels KERNEL-DIRECTORY
#include "checks.h"

int main(int argc, char** argv) {
  using namespace programs;
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s KERNEL-DIRECTORY\n", argv[0]);
    return 2;
  }
  try {
    Session session;
    std::printf("device: %s\n", session.properties().name);
    Checks checks(session, argv[1]);
    algorithms(checks);
    arithmetic(checks);
    std::printf("%d checks, %d failures\n", checks.checks(), checks.failures());
    return checks.failures() == 0 && checks.checks() > 0 ? 0 : 1;
  } catch (const std::exception& e) {
    std::printf("FAIL unexpected exception: %s\n", e.what());
    return 1;
  }
}
