// SPDX-License-Identifier: Apache-2.0
//
// What the checkers cost: time of a launch with them over time without, on one host thread, kernel by kernel and for
// every checker alone and all together. Kernels are OpenCL C, compiled when the program starts. Prints one table;
// --json FILE writes the ratios. The goals are 2 for memory and 10 for all (docs/checker.md).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "observe/check/checker.h"
#include "observe/check/init_memory.h"
#include "observe/check/render.h"
#include "opencl.h"

namespace {

using namespace xeforge;
namespace check = observe::check;

constexpr const char* kSource = R"(
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define SUB(n) __attribute__((intel_reqd_sub_group_size(n)))
kernel void vadd(global const float* a, global const float* b, global float* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}
kernel void naive(global const float* a, global const float* b, global float* c) {
  size_t n = get_global_id(0), m = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 256; k++) s += a[m * 256 + k] * b[k * 512 + n];
  c[m * 512 + n] = s;
}
SUB(16) kernel void tiled(global const float* a, global const float* b, global float* c) {
  local float ta[16][16], tb[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  size_t n = get_global_id(0), m = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 256; k += 16) {
    ta[y][x] = a[m * 256 + k + x];
    tb[y][x] = b[(k + y) * 512 + n];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++) s += ta[y][i] * tb[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[m * 512 + n] = s;
}
kernel void integers(global const uint* a, global const uint* b, global uint* c) {
  size_t i = get_global_id(0);
  uint x = a[i], y = b[i];
  for (int k = 0; k < 256; k++) {
    x = (x ^ (y << 5)) + (y >> 3);
    y = y * 1664525u + 1013904223u;
    if ((y >> 16) & 1) x += k;
  }
  c[i] = x;
}
SUB(NATIVE) kernel void matrix(global const ushort* a, global const uint* b, global float* c) {
  int n0 = get_group_id(0) * NATIVE, m0 = get_group_id(1) * 32, lane = get_sub_group_local_id();
  float8 s[4];
  for (int r = 0; r < 4; r++) s[r] = 0.0f;
  for (int k = 0; k < 256; k += 16) {
    int8 vb = as_int8(vload8(0, b + ((k / 16) * (512 / NATIVE) + n0 / NATIVE) * 8 * NATIVE + lane * 8));
    for (int r = 0; r < 4; r++) {
      AVEC va;
      global const ushort* row = a + (m0 + 8 * r) * 256 + k;
      LOAD_A
      s[r] = intel_sub_group_bf16_bf16_matrix_mad_k16(va, vb, s[r]);
    }
  }
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < 8; i++) c[(m0 + 8 * r + i) * 512 + n0 + lane] = s[r][i];
}
)";

struct Case {
  const char* kernel;
  std::array<uint32_t, 3> groups, local;
};

/// Of this thread, which is the one worker: a busy machine does not count.
double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds of the fastest of several runs.
double seconds(const machine::Launch& launch, check::Selection selection, const check::Environment& environment) {
  double best = 1e30;
  constexpr int kRuns = 5;
  for (int i = 0; i < kRuns; ++i) {
    machine::RunOptions options;
    options.host_threads = 1;
    machine::LaunchResult result;
    const double begin = cpu_seconds();
    if (selection.any()) {
      check::Checker checker(selection, launch, environment);
      result = machine::run(launch, checker.options(options));
      const check::Result found = checker.finish(result);
      if (!found.findings.empty())
        throw std::runtime_error("the kernel is not clean: " + check::report_text(found.findings[0]));
    } else {
      result = machine::run(launch, options);
    }
    if (result.fault) throw std::runtime_error(result.fault->to_string());
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

void measure(const std::string& device_id, std::string& json) {
  const device::Device& device = device::find_device(device_id);
  const binary::Zebin zebin = bench::compile_opencl(device, 256, kSource);

  const uint32_t native = isa::native_simd(device.platform);
  const std::vector<Case> cases = {{"vadd", {1024, 1, 1}, {256, 1, 1}},
                                   {"naive", {8, 16, 1}, {64, 1, 1}},
                                   {"tiled", {32, 2, 1}, {16, 16, 1}},
                                   {"integers", {16, 1, 1}, {256, 1, 1}},
                                   {"matrix", {512 / native, 8, 1}, {native, 1, 1}}};
  std::vector<std::vector<float>> memory(3, std::vector<float>(std::size_t{512} * 1024, 1.0f));
  machine::MemoryMap map;
  for (auto& m : memory) map.add(reinterpret_cast<uint64_t>(m.data()), m.size() * 4, machine::MemoryKind::Device);
  check::DefinedMemory written;
  for (auto& m : memory) {
    written.allocate(reinterpret_cast<uint64_t>(m.data()), m.size() * 4);
    written.define(reinterpret_cast<uint64_t>(m.data()), m.size() * 4);
  }
  check::Environment environment;
  environment.defined = &written;
  const std::vector<std::string> selections = {"memory", "races", "init", "sync", "hazards", "all"};
  for (const Case& c : cases) {
    machine::Launch launch;
    launch.kernel = machine::prepare_kernel(*zebin.find_kernel(c.kernel), device);
    launch.groups = c.groups;
    launch.local = c.local;
    launch.memory = map.snapshot();
    for (auto& m : memory) {
      machine::ArgumentValue& argument = launch.arguments.emplace_back();
      argument.kind = machine::ArgumentValue::Kind::Pointer;
      argument.pointer = reinterpret_cast<uint64_t>(m.data());
    }
    const double plain = seconds(launch, {}, environment);
    std::printf("%-5s %-9s %9.2f ms", device_id.c_str(), c.kernel, plain * 1e3);
    json += (json.empty() ? "[" : ",\n ") + std::string("{\"device\": \"") + device_id + "\", \"kernel\": \"" +
            c.kernel + "\", \"plain_ms\": " + std::to_string(plain * 1e3);
    for (const std::string& name : selections) {
      const double ratio = seconds(launch, check::parse_selection(name), environment) / plain;
      std::printf("  %8.2f", ratio);
      json += ", \"" + name + "\": " + std::to_string(ratio);
    }
    std::printf("\n");
    std::fflush(stdout);
    json += '}';
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::string json;
    std::printf("%-5s %-9s %12s  %8s  %8s  %8s  %8s  %8s  %8s\n", "", "kernel", "plain", "memory", "races", "init",
                "sync", "hazards", "all");
    for (const char* device : {"a770", "b580"}) measure(device, json);
    if (argc == 3 && std::strcmp(argv[1], "--json") == 0) std::ofstream(argv[2]) << json << "]\n";
  } catch (const std::exception& e) {
    std::fprintf(stderr, "check_bench: %s\n", e.what());
    return 1;
  }
  return 0;
}
