// SPDX-License-Identifier: Apache-2.0
//
// Whole launches of freshly compiled OpenCL C on both devices: what every work-item knows about itself,
// memory of all kinds, barriers, groups that wait for each other, and faults.
#include <numeric>

#include "binary/relocate.h"
#include "support/launch_fixture.h"

namespace xeforge::machine::test {
namespace {

constexpr const char* kSource = R"(
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_required_subgroup_size : enable
#define SUB __attribute__((intel_reqd_sub_group_size(SG)))
SUB kernel void vadd(global const float* a, global const float* b, global float* c, int n) {
  int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
SUB kernel void ids(global uint* o) {
  size_t lin = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
  o += lin * 8;
  o[0] = get_local_id(0) | get_local_id(1) << 10 | get_local_id(2) << 20;
  o[1] = get_group_id(0) | get_group_id(1) << 10 | get_group_id(2) << 20;
  o[2] = get_sub_group_id();
  o[3] = get_sub_group_local_id();
  o[4] = get_num_groups(0) | get_num_groups(1) << 10 | get_num_groups(2) << 20;
  o[5] = get_local_size(0) | get_local_size(1) << 10 | get_local_size(2) << 20;
  o[6] = get_work_dim() | get_num_sub_groups() << 8;
  o[7] = get_global_offset(0) | get_global_offset(1) << 10 | get_global_offset(2) << 20;
}
SUB kernel void reverse_groups(global const int* a, global int* o) {
  local int t[1024];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
SUB kernel void static_and_arguments(global const int* a, local int* first, local int* second, global int* o) {
  local int fixed[100];
  size_t l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
  fixed[l] = a[g];
  first[l] = 10 * a[g];
  second[l] = 100 * a[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  o[g] = fixed[n - 1 - l] + first[n - 1 - l] + second[n - 1 - l];
}
SUB kernel void reverse_arguments(global const int* a, local int* t, local int* u, global int* o) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  u[l] = 3 * t[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  int m = get_local_size(0) - 1 - l;
  o[get_global_id(0)] = t[m] + u[m];
}
SUB kernel void private_array(global int* o, int n) {
  int t[200];
  for (int i = 0; i < 200; i++) t[i] = i * n + get_global_id(0);
  int s = 0;
  for (int i = 0; i < n; i++) s += t[(i * 7 + o[get_global_id(0)]) % 200];
  o[get_global_id(0)] = s;
}
SUB kernel void many_barriers(global int* o, int n) {
  local int t[1024];
  int l = get_local_id(0), size = get_local_size(0);
  t[l] = l;
  for (int i = 0; i < n; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = t[(l + 1) % size];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = v;
  }
  o[get_global_id(0)] = t[l];
}
SUB kernel void divergent_barrier(global int* o, int limit) {
  local int t[1024];
  int l = get_local_id(0);
  t[l] = o[l];
  if (l < limit) barrier(CLK_LOCAL_MEM_FENCE);
  o[l] = t[(l + 1) % get_local_size(0)];
}
SUB kernel void handshake(global volatile int* flags, global int* o) {
  int g = get_group_id(0), groups = get_num_groups(0);
  if (get_local_id(0) == 0) {
    // Each group waits for the one behind it, the last one starts the chain.
    if (g != groups - 1)
      while (atomic_or(flags + g + 1, 0) == 0) {}
    o[g] = g == groups - 1 ? 1 : o[g + 1] + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(flags + g, 1);
  }
}
SUB kernel void wait_for_ever(global volatile int* flag, global int* o) {
  while (atomic_or(flag, 0) == 0) {}
  o[get_global_id(0)] = 1;
}
SUB kernel void count_for_ever(global volatile int* flag, global int* o) {
  int n = 0;
  while (atomic_or(flag, 0) == 0) n++;
  o[get_global_id(0)] = n;
}
SUB kernel void heartbeat(global volatile int* count, global int* o) {
  if (get_group_id(0) == 0) {
    while (atomic_or(count, 0) < 100000) {}
    o[1] = 1;
  } else {
    while (atomic_or(o + 1, 0) == 0) atomic_inc(count);
  }
}
SUB kernel void ticket(global int* counter, global int* o) { o[get_global_id(0)] = atomic_inc(counter); }
SUB kernel void out_of_bounds(global int* o, int first) {
  int g = get_group_id(0);
  o[get_global_id(0) + (g >= first ? 1 << 20 : 0)] = 1;
}
uint __builtin_IB_hw_thread_id(void);
SUB kernel void hardware_threads(global uint* o) {
  if (get_sub_group_local_id() == 0) o[get_group_id(0) * get_num_sub_groups() + get_sub_group_id()] = __builtin_IB_hw_thread_id();
}
struct four { int a; char b; long c; };
SUB kernel void by_value(struct four f, global long* o) { o[get_global_id(0)] = f.a + f.b + f.c; }
)";

struct Target {
  const char* device;
  unsigned simd;
};
const Target kTargets[] = {{"a770", 8}, {"a770", 16}, {"a770", 32}, {"b580", 16}, {"b580", 32}};

class OpenClRun : public LaunchFixture, public ::testing::WithParamInterface<Target> {
 protected:
  static unsigned simd() { return GetParam().simd; }
  static const device::Device& device() { return device::find_device(GetParam().device); }

  std::shared_ptr<const Kernel> kernel(const std::string& name, const std::string& options = {}) {
    zebin_ = compile_opencl(GetParam().device, kSource,
                            "-cl-std=CL3.0 -DSG=" + std::to_string(simd()) + (options.empty() ? "" : " " + options));
    const binary::Kernel* found = zebin_.find_kernel(name);
    if (found == nullptr) throw std::runtime_error("no kernel " + name);
    EXPECT_EQ(found->simd_size, simd());
    return prepare_kernel(*found, device());
  }

  /// Runs `ids` with this shape and checks every word of every work-item.
  void check_ids(std::array<uint32_t, 3> groups, std::array<uint32_t, 3> local);

  binary::Zebin zebin_;
};

uint32_t pack(const std::array<uint32_t, 3>& v) { return v[0] | v[1] << 10 | v[2] << 20; }

void OpenClRun::check_ids(std::array<uint32_t, 3> groups, std::array<uint32_t, 3> local) {
  SCOPED_TRACE(testing::PrintToString(groups) + testing::PrintToString(local));
  const uint32_t items = local[0] * local[1] * local[2];
  const uint32_t total = items * groups[0] * groups[1] * groups[2];
  auto* out = buffer<uint32_t>(size_t{total} * 8 + 16);
  const LaunchResult result = run_everywhere(launch(kernel("ids"), groups, local, {pointer(out)}));
  const uint32_t threads = (items + simd() - 1) / simd();
  EXPECT_EQ(result.counts.threads, uint64_t{threads} * groups[0] * groups[1] * groups[2]);
  const uint32_t work_dim = groups[2] * local[2] > 1 ? 3 : groups[1] * local[1] > 1 ? 2 : 1;
  std::array<uint32_t, 3> size{};
  for (unsigned d = 0; d < 3; ++d) size[d] = groups[d] * local[d];
  for (uint32_t i = 0; i < total; ++i) {
    const std::array<uint32_t, 3> id{i % size[0], i / size[0] % size[1], i / (size[0] * size[1])};
    std::array<uint32_t, 3> in_group{}, group{};
    for (unsigned d = 0; d < 3; ++d) {
      in_group[d] = id[d] % local[d];
      group[d] = id[d] / local[d];
    }
    const uint32_t linear = in_group[0] + local[0] * (in_group[1] + local[1] * in_group[2]);
    const std::vector<uint32_t> expected{pack(in_group), pack(group), linear / simd(),         linear % simd(),
                                         pack(groups),   pack(local), work_dim | threads << 8, 0};
    ASSERT_EQ(std::vector<uint32_t>(out + size_t{i} * 8, out + size_t{i} * 8 + 8), expected) << "item " << i;
  }
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(out[size_t{total} * 8 + i], 0u) << "written behind the end";
}

TEST_P(OpenClRun, VectorAdd) {
  constexpr int n = 5000;
  auto *a = buffer<float>(n), *b = buffer<float>(n), *c = buffer<float>(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(3 * i) + 0.5f;
  }
  const LaunchResult result = run_everywhere(
      launch(kernel("vadd"), {(n + 255) / 256, 1, 1}, {256, 1, 1}, {pointer(a), pointer(b), pointer(c), value(n)}));
  for (int i = 0; i < n; ++i) ASSERT_EQ(c[i], static_cast<float>(4 * i) + 0.5f) << i;
  EXPECT_EQ(result.counts.groups, (n + 255u) / 256u);
}

TEST_P(OpenClRun, InteriorPointerReachesBackwards) {
  auto *a = buffer<float>(300), *b = buffer<float>(300), *c = buffer<float>(300);
  for (int i = 0; i < 300; ++i) a[i] = static_cast<float>(i);
  run_ok(launch(kernel("vadd"), {1, 1, 1}, {64, 1, 1}, {pointer(a + 7), pointer(b + 3), pointer(c + 5), value(64)}));
  for (int i = 0; i < 64; ++i) ASSERT_EQ(c[5 + i], static_cast<float>(i + 7));
  EXPECT_EQ(c[4], 0.0f);
}

TEST_P(OpenClRun, IdsInOneDimension) {
  check_ids({3, 1, 1}, {64, 1, 1});
  check_ids({5, 1, 1}, {37, 1, 1});
  check_ids({4, 1, 1}, {1, 1, 1});
}
TEST_P(OpenClRun, IdsInTwoDimensions) {
  check_ids({3, 2, 1}, {16, 4, 1});
  check_ids({2, 5, 1}, {7, 9, 1});
  check_ids({2, 2, 1}, {1, 33, 1});
}
TEST_P(OpenClRun, IdsInThreeDimensions) {
  check_ids({2, 3, 2}, {8, 4, 2});
  check_ids({2, 1, 3}, {5, 3, 7});
  check_ids({1, 2, 2}, {4, 2, 3});
}

TEST_P(OpenClRun, SlmReverse) {
  for (const uint32_t local : {256u, 93u}) {
    constexpr uint32_t groups = 7;
    auto *a = buffer<int>(size_t{groups} * local), *o = buffer<int>(size_t{groups} * local);
    std::iota(a, a + size_t{groups} * local, 100);
    run_everywhere(launch(kernel("reverse_groups"), {groups, 1, 1}, {local, 1, 1}, {pointer(a), pointer(o)}));
    for (uint32_t g = 0; g < groups; ++g)
      for (uint32_t l = 0; l < local; ++l) ASSERT_EQ(o[g * local + l], a[g * local + local - 1 - l]);
  }
}

TEST_P(OpenClRun, SlmArguments) {
  constexpr uint32_t local = 100, groups = 3;
  auto *a = buffer<int>(groups * local), *o = buffer<int>(groups * local);
  std::iota(a, a + groups * local, 1);
  const auto k = kernel("reverse_arguments");
  run_everywhere(launch(k, {groups, 1, 1}, {local, 1, 1}, {pointer(a), slm(local * 4), slm(local * 4), pointer(o)}));
  for (uint32_t g = 0; g < groups; ++g)
    for (uint32_t l = 0; l < local; ++l) ASSERT_EQ(o[g * local + l], 4 * a[g * local + local - 1 - l]);

  const Fault too_much =
      run_fault(launch(k, {1, 1, 1}, {local, 1, 1}, {pointer(a), slm(device().slm_per_group), slm(64), pointer(o)}),
                FaultKind::InvalidLaunch);
  EXPECT_THAT(too_much.message, testing::HasSubstr("bytes of shared local memory"));
  // One byte less than what the group touches.
  run_fault(launch(k, {1, 1, 1}, {local, 1, 1}, {pointer(a), slm(local * 4), slm(local * 4 - 1), pointer(o)}),
            FaultKind::SlmOutOfBounds);
}

TEST_P(OpenClRun, SlmOfTheKernelAndSlmArguments) {
  constexpr uint32_t local = 100, groups = 3;
  auto *a = buffer<int>(groups * local), *o = buffer<int>(groups * local);
  std::iota(a, a + groups * local, 1);
  run_everywhere(launch(kernel("static_and_arguments"), {groups, 1, 1}, {local, 1, 1},
                        {pointer(a), slm(local * 4), slm(local * 4), pointer(o)}));
  for (uint32_t g = 0; g < groups; ++g)
    for (uint32_t l = 0; l < local; ++l) ASSERT_EQ(o[g * local + l], 111 * a[g * local + local - 1 - l]);
}

TEST_P(OpenClRun, PrivateMemory) {
  constexpr uint32_t items = 300;
  constexpr int n = 50;
  auto* o = buffer<int>(items);
  for (uint32_t i = 0; i < items; ++i) o[i] = static_cast<int>(i % 11);
  run_everywhere(launch(kernel("private_array"), {3, 1, 1}, {100, 1, 1}, {pointer(o), value(n)}));
  for (uint32_t g = 0; g < items; ++g) {
    int s = 0;
    for (int i = 0; i < n; ++i) s += (i * 7 + static_cast<int>(g % 11)) % 200 * n + static_cast<int>(g);
    ASSERT_EQ(o[g], s) << g;
  }
}

TEST_P(OpenClRun, ManyBarriers) {
  constexpr int local = 200, n = 41;
  auto* o = buffer<int>(3 * local);
  run_everywhere(launch(kernel("many_barriers"), {3, 1, 1}, {local, 1, 1}, {pointer(o), value(n)}));
  for (int i = 0; i < 3 * local; ++i) ASSERT_EQ(o[i], (i % local + n) % local);
}

TEST_P(OpenClRun, HardwareThreadNumbersStayInRange) {
  constexpr uint32_t groups = 64, threads = 4;
  auto* o = buffer<uint32_t>(groups * threads);
  run_ok(launch(kernel("hardware_threads"), {groups, 1, 1}, {threads * simd(), 1, 1}, {pointer(o)}));
  for (uint32_t g = 0; g < groups; ++g) {
    for (uint32_t t = 0; t < threads; ++t) {
      EXPECT_LT(o[g * threads + t], device().xe_cores() * device().threads_per_core());
      EXPECT_EQ(o[g * threads + t], o[g * threads] + t) << "threads of a group have different places";
    }
  }
}

TEST_P(OpenClRun, StructByValue) {
  struct {
    int32_t a = 1000;
    int8_t b = -7;
    int64_t c = int64_t{1} << 40;
  } const f;
  auto* o = buffer<int64_t>(32);
  run_ok(launch(kernel("by_value"), {1, 1, 1}, {32, 1, 1}, {value(f), pointer(o)}));
  for (int i = 0; i < 32; ++i) ASSERT_EQ(o[i], (int64_t{1} << 40) + 993);
}

TEST_P(OpenClRun, ConstantsOfTheModule) {
  const binary::Zebin zebin = compile_opencl(GetParam().device, R"(
    constant int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
    kernel void lookup(global int* o) { o[get_global_id(0)] = table[o[get_global_id(0)] & 15]; }
  )");
  const auto data =
      std::find_if(zebin.data.begin(), zebin.data.end(), [](const auto& s) { return s.name == ".data.const"; });
  ASSERT_NE(data, zebin.data.end());
  auto* constants = buffer<std::byte>(data->bytes.size());
  std::copy(data->bytes.begin(), data->bytes.end(), constants);
  auto* o = buffer<int>(32);
  std::iota(o, o + 32, 0);
  Launch l = launch(prepare_kernel(*zebin.find_kernel("lookup"), device()), {1, 1, 1}, {32, 1, 1}, {pointer(o)});
  EXPECT_THAT(run_fault(l, FaultKind::InvalidLaunch).message, testing::HasSubstr("constant data"));
  l.const_base = reinterpret_cast<uint64_t>(constants);
  run_ok(l);
  constexpr std::array<int, 16> table{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(o[i], table[i % 16]) << i;
}

TEST_P(OpenClRun, RecursionThroughStackCalls) {
  const binary::Zebin zebin = compile_opencl(GetParam().device, R"(
    int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    kernel void recursive(global int* o) { o[get_global_id(0)] = fib(get_global_id(0) % 7); }
  )");
  const binary::Kernel whole = binary::with_functions(zebin, *zebin.find_kernel("recursive"));
  EXPECT_TRUE(whole.has_stack_calls);
  auto* o = buffer<int>(96);
  run_everywhere(launch(prepare_kernel(whole, device()), {3, 1, 1}, {32, 1, 1}, {pointer(o)}));
  constexpr std::array<int, 7> fib{0, 1, 1, 2, 3, 5, 8};
  for (size_t i = 0; i < 96; ++i) EXPECT_EQ(o[i], fib[i % 7]) << i;
}

TEST_P(OpenClRun, GroupsThatWaitForLaterGroups) {
  constexpr uint32_t groups = 40;
  auto* flags = buffer<int>(groups);
  auto* o = buffer<int>(groups);
  run_everywhere(launch(kernel("handshake"), {groups, 1, 1}, {64, 1, 1}, {pointer(flags), pointer(o)}));
  for (uint32_t g = 0; g < groups; ++g) ASSERT_EQ(o[g], static_cast<int>(groups - g));
}

TEST_P(OpenClRun, MoreGroupsThanFitCannotWaitForEachOther) {
  // Local memory for two groups on a core, on both devices (128 and 160 KB).
  auto prepared = std::make_shared<Kernel>(*kernel("handshake"));
  prepared->binary.slm_size = 64 << 10;
  const uint32_t fit = 2 * device().xe_cores();
  auto* flags = buffer<int>(2 * fit);
  auto* o = buffer<int>(2 * fit);
  run_ok(launch(prepared, {fit, 1, 1}, {16, 1, 1}, {pointer(flags), pointer(o)}));
  EXPECT_EQ(o[0], static_cast<int>(fit));
  clear_buffers();
  const Fault fault =
      run_fault(launch(prepared, {fit + 1, 1, 1}, {16, 1, 1}, {pointer(flags), pointer(o)}), FaultKind::Deadlock);
  EXPECT_THAT(fault.message, testing::HasSubstr(std::to_string(fit) + " fit on the device at a time"));
}

TEST_P(OpenClRun, DeadlockNamesWhoSpins) {
  auto* flag = buffer<int>(1);
  auto* o = buffer<int>(64 * 4);
  const Fault fault = run_fault(launch(kernel("wait_for_ever"), {4, 1, 1}, {64, 1, 1}, {pointer(flag), pointer(o)}),
                                FaultKind::Deadlock);
  EXPECT_THAT(fault.to_string(), testing::HasSubstr("wait_for_ever"));
  EXPECT_THAT(fault.message, testing::HasSubstr("group 3,0,0: 0"));
  EXPECT_THAT(fault.message, testing::HasSubstr("0 of 4 groups had ended"));
}

TEST_P(OpenClRun, WatchdogStopsWhatIsNoPureLoop) {
  auto* flag = buffer<int>(1);
  auto* o = buffer<int>(64);
  RunOptions options;
  options.watchdog_instructions = 3'000'000;
  const Fault fault = run_fault(launch(kernel("count_for_ever"), {1, 1, 1}, {16, 1, 1}, {pointer(flag), pointer(o)}),
                                FaultKind::Watchdog, options);
  EXPECT_THAT(fault.message, testing::HasSubstr("run near"));
}

TEST_P(OpenClRun, CountingIsNoDeadlock) {
  auto* count = buffer<int>(1);
  auto* o = buffer<int>(2);
  run_ok(launch(kernel("heartbeat"), {3, 1, 1}, {1, 1, 1}, {pointer(count), pointer(o)}));
  EXPECT_GE(*count, 100000);
}

TEST_P(OpenClRun, CancelStops) {
  auto* flag = buffer<int>(1);
  auto* o = buffer<int>(64);
  const std::atomic<bool> cancel{true};
  RunOptions options;
  options.cancel = &cancel;
  run_fault(launch(kernel("wait_for_ever"), {1, 1, 1}, {16, 1, 1}, {pointer(flag), pointer(o)}), FaultKind::Cancelled,
            options);
}

TEST_P(OpenClRun, TicketsAreOrderedAsDispatched) {
  auto* counter = buffer<int>(1);
  auto* o = buffer<int>(640);
  run_everywhere(launch(kernel("ticket"), {10, 1, 1}, {64, 1, 1}, {pointer(counter), pointer(o)}));
  EXPECT_EQ(*counter, 640);
  for (int i = 0; i < 640; ++i) ASSERT_EQ(o[i], i);
}

TEST_P(OpenClRun, DivergentBarrierIsReported) {
  auto* o = buffer<int>(256);
  const auto k = kernel("divergent_barrier");
  if (device().platform == isa::Platform::Xe2) {
    // The compiler asks this device for barriers that count living threads only, and those that skip it end.
    run_ok(launch(k, {1, 1, 1}, {256, 1, 1}, {pointer(o), value(64)}));
    return;
  }
  const Fault fault =
      run_fault(launch(k, {1, 1, 1}, {256, 1, 1}, {pointer(o), value(64)}), FaultKind::BarrierDivergence);
  EXPECT_THAT(fault.text, testing::HasSubstr("sync.bar"));
  EXPECT_THAT(fault.message,
              testing::HasSubstr(std::to_string(64 / simd()) + " of " + std::to_string(256 / simd()) + " threads"));
  EXPECT_THAT(fault.message, testing::HasSubstr("have ended"));
}

TEST_P(OpenClRun, FaultIsThatOfTheFirstGroup) {
  auto* o = buffer<int>(64 * 64);
  for (const unsigned workers : {1u, 2u, 8u}) {
    RunOptions options;
    options.host_threads = workers;
    options.stateful_bounds_are_errors = true;
    const Fault fault = run_fault(launch(kernel("out_of_bounds"), {64, 1, 1}, {64, 1, 1}, {pointer(o), value(17)}),
                                  FaultKind::OutOfBounds, options);
    EXPECT_EQ(fault.group, (std::array<uint32_t, 3>{17, 0, 0})) << fault.to_string();
    EXPECT_EQ(fault.thread, 0u);
    EXPECT_EQ(o[16 * 64 + 63], 1);
  }
}

TEST_P(OpenClRun, ArgumentErrorsNameTheArgument) {
  auto* o = buffer<float>(64);
  const auto k = kernel("vadd");
  const Fault unset =
      run_fault(launch(k, {1, 1, 1}, {64, 1, 1}, {pointer(o), {}, pointer(o), value(1)}), FaultKind::InvalidLaunch);
  EXPECT_THAT(unset.message, testing::HasSubstr("argument 1 ('b')"));
  const Fault missing = run_fault(launch(k, {1, 1, 1}, {64, 1, 1}, {pointer(o)}), FaultKind::InvalidLaunch);
  EXPECT_THAT(missing.message, testing::HasSubstr("was never set"));
  const Fault small =
      run_fault(launch(k, {1, 1, 1}, {64, 1, 1}, {pointer(o), pointer(o), pointer(o), value(int16_t{1})}),
                FaultKind::InvalidLaunch);
  EXPECT_THAT(small.message, testing::HasSubstr("argument 3 ('n') was set to 2 bytes"));
  const Fault large = run_fault(launch(k, {1, 1, 1}, {2048, 1, 1}, {pointer(o), pointer(o), pointer(o), value(1)}),
                                FaultKind::InvalidLaunch);
  EXPECT_THAT(large.message, testing::HasSubstr("2048"));
}

INSTANTIATE_TEST_SUITE_P(Devices, OpenClRun, ::testing::ValuesIn(kTargets), [](const auto& target) {
  return std::string(target.param.device) + "_simd" + std::to_string(target.param.simd);
});

}  // namespace
}  // namespace xeforge::machine::test
