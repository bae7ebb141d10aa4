// SPDX-License-Identifier: Apache-2.0
//
// Thread-instructions per second of the functional machine, kernel by kernel. Kernels are OpenCL C compiled
// by the offline compiler when the program starts. XEFORGE_BENCH_THREADS sets the host threads (default 1,
// which gives the speed of one core).
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "machine/launch.h"
#include "machine/memory.h"
#include "opencl.h"

namespace {

using namespace xeforge;

constexpr uint32_t kM = 1024, kN = 1536, kK = 512;

constexpr const char* kSource = R"(
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define SUB(n) __attribute__((intel_reqd_sub_group_size(n)))

SUB(WIDE) kernel void vadd(global const float* a, global const float* b, global float* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}
SUB(WIDE) kernel void naive(global const float* a, global const float* b, global float* c) {
  size_t n = get_global_id(0), m = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 512; k++) s += a[m * 512 + k] * b[k * 1536 + n];
  c[m * 1536 + n] = s;
}
SUB(16) kernel void slm16(global const float* a, global const float* b, global float* c) {
  local float ta[16][16], tb[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  size_t n = get_global_id(0), m = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 512; k += 16) {
    ta[y][x] = a[m * 512 + k + x];
    tb[y][x] = b[(k + y) * 1536 + n];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++) s += ta[y][i] * tb[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[m * 1536 + n] = s;
}
SUB(WIDE) kernel void half_naive(global const half* a, global const half* b, global float* c) {
  size_t n = get_global_id(0), m = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 512; k++) s += (float)a[m * 512 + k] * (float)b[k * 1536 + n];
  c[m * 1536 + n] = s;
}
SUB(WIDE) kernel void integer_mix(global const uint* a, global const uint* b, global uint* c) {
  size_t i = get_global_id(0);
  uint x = a[i], y = b[i];
  for (int k = 0; k < 256; k++) {
    x = (x ^ (y << 5)) + (y >> 3);
    y = y * 1664525u + 1013904223u;
    if ((y >> 16) & 1) x += k;
  }
  c[i] = x;
}
SUB(WIDE) kernel void divergent(global const uint* a, global const uint* b, global uint* c) {
  size_t i = get_global_id(0);
  uint steps = 0;
  for (uint x = (a[i] & 1023) + 1; x != 1; steps++) x = x & 1 ? 3 * x + 1 : x / 2;
  c[i] = steps + b[i];
}
// 32 rows x native columns of C in each sub-group, A and B as they lie in memory.
SUB(NATIVE) kernel void dpas(global const ushort* a, global const uint* b, global float* c) {
  int n0 = get_group_id(0) * NATIVE, m0 = get_group_id(1) * 32, lane = get_sub_group_local_id();
  float8 s[4];
  for (int r = 0; r < 4; r++) s[r] = 0.0f;
  for (int k = 0; k < 512; k += 16) {
    int8 vb = as_int8(vload8(0, b + ((k / 16) * (1536 / NATIVE) + n0 / NATIVE) * 8 * NATIVE + lane * 8));
    for (int r = 0; r < 4; r++) {
      AVEC va;
      global const ushort* row = a + (m0 + 8 * r) * 512 + k;
      LOAD_A
      s[r] = intel_sub_group_bf16_bf16_matrix_mad_k16(va, vb, s[r]);
    }
  }
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < 8; i++) c[(m0 + 8 * r + i) * 1536 + n0 + lane] = s[r][i];
}
)";

struct Case {
  const char* kernel;
  std::array<uint32_t, 3> groups, local;
};
std::vector<Case> cases(unsigned native) {
  return {{"vadd", {1u << 12, 1, 1}, {256, 1, 1}},
          {"naive", {kN / 64, kM / 64, 1}, {64, 1, 1}},  // a sixty-fourth of the rows
          {"half_naive", {kN / 64, kM / 64, 1}, {64, 1, 1}},
          {"slm16", {kN / 16, kM / 64, 1}, {16, 16, 1}},  // a quarter of the rows
          {"integer_mix", {256, 1, 1}, {256, 1, 1}},
          {"divergent", {256, 1, 1}, {256, 1, 1}},
          {"dpas", {kN / native, kM / 32, 1}, {native, 1, 1}}};
}

/// Compiled kernels and buffers of one device, made when first asked for.
class Bed {
 public:
  explicit Bed(const std::string& device_id) : device_(device::find_device(device_id)) {
    for (std::vector<std::byte>& buffer : buffers_) {
      buffer.resize(size_t{kM} * kN * sizeof(float));
      for (size_t i = 0; i < buffer.size(); i += sizeof(uint32_t)) {
        const auto word = static_cast<uint32_t>(0x3C003C00u + (i * 2654435761u >> 20));
        std::memcpy(buffer.data() + i, &word, sizeof word);
      }
      map_.add(reinterpret_cast<uint64_t>(buffer.data()), buffer.size(), machine::MemoryKind::Device);
    }
  }

  const device::Device& device() const { return device_; }

  machine::Launch launch(const Case& c) {
    machine::Launch launch;
    launch.kernel = kernel(c.kernel);
    launch.groups = c.groups;
    launch.local = c.local;
    launch.memory = map_.snapshot();
    for (const std::vector<std::byte>& buffer : buffers_) {
      machine::ArgumentValue& argument = launch.arguments.emplace_back();
      argument.kind = machine::ArgumentValue::Kind::Pointer;
      argument.pointer = reinterpret_cast<uint64_t>(buffer.data());
    }
    return launch;
  }

 private:
  std::shared_ptr<const machine::Kernel> kernel(const std::string& name) {
    if (zebin_ == nullptr) compile();
    std::shared_ptr<const machine::Kernel>& prepared = kernels_[name];
    if (prepared == nullptr) {
      const binary::Kernel* found = zebin_->find_kernel(name);
      if (found == nullptr) throw std::runtime_error("no kernel " + name);
      prepared = machine::prepare_kernel(*found, device_);
    }
    return prepared;
  }

  void compile() {
    zebin_ =
        std::make_unique<binary::Zebin>(bench::compile_opencl(device_, kK, "#define WIDE 32\n" + std::string(kSource)));
  }

  const device::Device& device_;
  std::array<std::vector<std::byte>, 3> buffers_;
  machine::MemoryMap map_;
  std::unique_ptr<binary::Zebin> zebin_;
  std::map<std::string, std::shared_ptr<const machine::Kernel>> kernels_;
};

Bed& bed(const std::string& device_id) {
  static std::map<std::string, std::unique_ptr<Bed>> beds;
  std::unique_ptr<Bed>& bed = beds[device_id];
  if (bed == nullptr) bed = std::make_unique<Bed>(device_id);
  return *bed;
}

unsigned host_threads() {
  const char* wanted = std::getenv("XEFORGE_BENCH_THREADS");
  return wanted == nullptr ? 1 : static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
}

void run_case(benchmark::State& state, const std::string& device_id, size_t index) {
  uint64_t instructions = 0, threads = 0;
  try {
    Bed& b = bed(device_id);
    const machine::Launch launch = b.launch(cases(isa::native_simd(b.device().platform))[index]);
    machine::RunOptions options;
    options.host_threads = host_threads();
    for ([[maybe_unused]] auto iteration : state) {
      const machine::LaunchResult result = machine::run(launch, options);
      if (result.fault) throw std::runtime_error(result.fault->to_string());
      for (const uint64_t n : result.counts.executed) instructions += n;
      threads += result.counts.threads;
    }
  } catch (const std::exception& e) {
    state.SkipWithError(e.what());
    return;
  }
  const auto per_launch = benchmark::Counter::kAvgIterations;
  state.counters["thread_instructions"] = benchmark::Counter(static_cast<double>(instructions), per_launch);
  state.counters["threads"] = benchmark::Counter(static_cast<double>(threads), per_launch);
  state.counters["thread_instructions_per_s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* device : {"a770", "b580"}) {
    const std::vector<Case> all = cases(8);
    for (size_t i = 0; i < all.size(); ++i) {
      auto* registered =
          benchmark::RegisterBenchmark((std::string(device) + "/" + all[i].kernel).c_str(),
                                       [device, i](benchmark::State& state) { run_case(state, device, i); });
      registered->Unit(benchmark::kMillisecond);
      // One worker is the calling thread: its CPU time is right on a busy machine, too.
      if (host_threads() != 1) registered->UseRealTime();
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
