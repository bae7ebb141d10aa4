// SPDX-License-Identifier: Apache-2.0
//
// An ordinary SYCL program: it knows nothing of the device that it runs on. Kernels are compiled at run
// time through the public kernel_compiler extension, so that the host side builds with any compiler.
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

namespace {

int failures = 0;

void expect(bool ok, const std::string& what) {
  std::printf("%s %s\n", ok ? "ok  " : "FAIL", what.c_str());
  failures += ok ? 0 : 1;
}

bool throws(const std::function<void()>& action) {
  try {
    action();
  } catch (const sycl::exception& e) {
    std::printf("     (%s)\n", e.what());
    return true;
  }
  return false;
}

const char* const kSource = R"(
#include <sycl/sycl.hpp>
namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;
#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>)) void

KERNEL add(const float* a, const float* b, float* c, int n) {
  size_t i = syclext::this_work_item::get_nd_item<1>().get_global_linear_id();
  if (i < n) c[i] = a[i] + b[i];
}
KERNEL far_write(int* a, long far) {
  a[syclext::this_work_item::get_nd_item<1>().get_global_linear_id() + far] = 1;
}
KERNEL count(int* a, sycl::local_accessor<int, 1> tmp) {
  auto item = syclext::this_work_item::get_nd_item<1>();
  tmp[item.get_local_linear_id()] = item.get_local_linear_id();
  sycl::group_barrier(item.get_group());
  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> total(a[0]);
  total += tmp[item.get_local_range(0) - 1 - item.get_local_linear_id()];
}
)";

void device_says_what_it_is(sycl::device d) {
  const char* id = std::getenv("XEFORGE_DEVICE");
  const bool b580 = id != nullptr && std::string(id) == "b580";
  const auto architecture = b580 ? syclexp::architecture::intel_gpu_bmg_g21 : syclexp::architecture::intel_gpu_acm_g10;
  expect(d.ext_oneapi_architecture_is(architecture), "architecture");
  expect(d.has(sycl::aspect::fp16), "aspect fp16");
  expect(d.has(sycl::aspect::fp64) == b580, "aspect fp64 as the hardware");
  expect(d.has(sycl::aspect::ext_intel_esimd), "aspect esimd");
  expect(d.has(sycl::aspect::ext_intel_matrix), "aspect matrix");
  expect(!d.get_info<syclexp::info::device::matrix_combinations>().empty(), "matrix combinations");
  expect(d.get_info<sycl::info::device::max_work_group_size>() == 1024, "largest group");
}

void memory_moves(sycl::queue& q) {
  constexpr size_t kCount = 1000;
  int* shared = sycl::malloc_shared<int>(kCount, q);
  int* device = sycl::malloc_device<int>(kCount, q);
  int* host = sycl::malloc_host<int>(kCount, q);
  std::iota(shared, shared + kCount, 0);
  const auto up = q.memcpy(device, shared, kCount * sizeof(int));
  q.submit([&](sycl::handler& h) {
     h.depends_on(up);
     h.memcpy(host, device, kCount * sizeof(int));
   }).wait();
  expect(std::equal(shared, shared + kCount, host), "copies with a dependency");
  q.memset(host, 1, kCount * sizeof(int)).wait();
  expect(host[kCount - 1] == 0x01010101, "memset");
  q.ext_oneapi_memcpy2d(host, 40, shared, 80, 20, 5);
  q.wait();
  expect(host[10] == 20 && host[4] == 4 && host[5] == 0x01010101, "memcpy2d");
  q.prefetch(shared, kCount);
  q.mem_advise(shared, kCount, 0);
  q.ext_oneapi_submit_barrier().wait();

  std::vector<int> values(kCount, 3);
  {
    sycl::buffer<int> from(values);
    sycl::buffer<int> to{sycl::range<1>(kCount)};
    q.submit([&](sycl::handler& h) {
      sycl::accessor source(from, h, sycl::read_only);
      sycl::accessor target(to, h, sycl::write_only);
      h.copy(source, target);
    });
    expect(sycl::host_accessor(to)[kCount - 1] == 3, "buffers");
  }
  int seen = 0;
  const auto filled = q.memset(host, 2, 4);
  q.submit([&](sycl::handler& h) {
     h.depends_on(filled);
     h.host_task([&] { seen = host[0]; });
   }).wait();
  expect(seen == 0x02020202, "host task after a fill");

  expect(sycl::get_pointer_type(shared, q.get_context()) == sycl::usm::alloc::shared, "kind of a pointer");
  for (int* pointer : {shared, device, host}) sycl::free(pointer, q);
}

void kernels_run(sycl::queue& q, sycl::kernel_bundle<sycl::bundle_state::executable> bundle, const std::string& kind) {
  constexpr int kCount = 1000;
  const sycl::kernel add = bundle.ext_oneapi_get_kernel("add");
  float* a = sycl::malloc_shared<float>(kCount, q);
  float* b = sycl::malloc_shared<float>(kCount, q);
  float* c = sycl::malloc_shared<float>(kCount, q);
  for (int i = 0; i < kCount; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 2.0F * static_cast<float>(i);
  }
  const auto run_add = [&] {
    std::fill_n(c, kCount, -1.0F);
    auto event = q.submit([&](sycl::handler& h) {
      h.set_args(a, b, c, kCount);
      h.parallel_for(sycl::nd_range<1>(1024, 64), add);
    });
    event.wait();
    bool right = true;
    for (int i = 0; i < kCount; ++i) right &= c[i] == 3.0F * static_cast<float>(i);
    return right;
  };
  expect(run_add(), kind + ": a kernel");

  int* total = sycl::malloc_shared<int>(1, q);
  *total = 0;
  q.submit([&](sycl::handler& h) {
     sycl::local_accessor<int, 1> tmp(64, h);
     h.set_args(total, tmp);
     h.parallel_for(sycl::nd_range<1>(64 * 10, 64), bundle.ext_oneapi_get_kernel("count"));
   }).wait();
  expect(*total == 10 * 63 * 64 / 2, kind + ": local memory of a launch, barrier, atomics");

  // A faulty kernel: an exception wherever the program waits, and then it goes on.
  const sycl::kernel far_write = bundle.ext_oneapi_get_kernel("far_write");
  const auto fault = [&] {
    return q.submit([&](sycl::handler& h) {
      h.set_args(total, 1'000'000'000L);
      h.parallel_for(sycl::nd_range<1>(64, 64), far_write);
    });
  };
  expect(throws([&] { fault().wait(); }), kind + ": event.wait() throws for a fault");
  expect(run_add(), kind + ": and goes on");
  expect(throws([&] {
           fault();
           q.wait();
         }),
         kind + ": queue.wait() throws for a fault");
  expect(run_add(), kind + ": and goes on");
  expect(!throws([&] { q.wait_and_throw(); }), kind + ": a fault is reported once");
  expect(throws([&] {
           const auto bad = fault();
           q.submit([&](sycl::handler& h) {
              h.depends_on(bad);
              h.memcpy(b, a, sizeof(float));
            }).wait();
         }),
         kind + ": waiting for what depends on a fault throws");
  q.memset(b, 0, 4).wait();
  expect(run_add(), kind + ": and goes on");
  for (void* pointer : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c), static_cast<void*>(total)})
    sycl::free(pointer, q);
}

void events_have_times(const sycl::queue& other) {
  sycl::queue q{other.get_context(), other.get_device(), {sycl::property::queue::enable_profiling{}}};
  char* memory = sycl::malloc_device<char>(1 << 22, q);
  auto event = q.memset(memory, 1, 1 << 22);
  event.wait();
  using Profiling = sycl::info::event_profiling::command_end;
  const auto submit = event.get_profiling_info<sycl::info::event_profiling::command_submit>();
  const auto start = event.get_profiling_info<sycl::info::event_profiling::command_start>();
  const auto end = event.get_profiling_info<Profiling>();
  expect(submit <= start && start < end, "submit <= start < end");
  expect(end - start < 10'000'000'000ULL, "a fill of 4 MiB takes less than 10 s");
  sycl::free(memory, q);
}

}  // namespace

int main() {
  try {
    sycl::queue unordered{sycl::gpu_selector_v};
    sycl::queue ordered{unordered.get_context(), unordered.get_device(), sycl::property::queue::in_order{}};
    device_says_what_it_is(unordered.get_device());
    memory_moves(unordered);
    memory_moves(ordered);
    events_have_times(unordered);
    auto source = syclexp::create_kernel_bundle_from_source(unordered.get_context(), syclexp::source_language::sycl,
                                                            std::string(kSource));
    const auto bundle = syclexp::build(source);
    kernels_run(unordered, bundle, "unordered queue");
    kernels_run(ordered, bundle, "ordered queue");
    expect(throws([&] { (void)sycl::malloc_device<char>(size_t{1} << 45, unordered); }) ||
               sycl::malloc_device<char>(size_t{1} << 45, unordered) == nullptr,
           "an impossible allocation fails");
  } catch (const std::exception& e) {
    std::printf("FAIL unexpected exception: %s\n", e.what());
    return 1;
  }
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
