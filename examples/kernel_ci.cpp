// SPDX-License-Identifier: Apache-2.0
// A test of a user's own kernel, as a CI job without a GPU runs it: the result is compared, and on the virtual device
// the checkers look at every access. The second kernel forgets its tail and has to be found. docs/ci.md has the whole
// job.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

#include "xeforge/check.h"

namespace syclexp = sycl::ext::oneapi::experimental;

namespace {

/// y = 2 x + y for `count` elements. A project that icpx compiles has its kernels in ordinary sources.
sycl::kernel compile(const sycl::queue& queue, const std::string& guard) {
  const std::string source = R"(
#include <sycl/sycl.hpp>
extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void saxpy(const float* x, float* y, int count) {
  const int i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  )" + guard + R"( y[i] += 2 * x[i];
})";
  auto bundle = syclexp::create_kernel_bundle_from_source(queue.get_context(), syclexp::source_language::sycl, source);
  return syclexp::build(bundle).ext_oneapi_get_kernel("saxpy");
}

/// Runs it on 1000 elements in groups of 64; whether the result is right.
bool run(sycl::queue& queue, const sycl::kernel& kernel) {
  constexpr int kCount = 1000;
  const std::vector<float> ones(kCount, 1.0F);
  std::vector<float> result(kCount);
  auto* const x = sycl::malloc_device<float>(kCount, queue);
  auto* const y = sycl::malloc_device<float>(kCount, queue);
  queue.copy(ones.data(), x, kCount);
  queue.copy(ones.data(), y, kCount);
  queue.submit([&](sycl::handler& handler) {
    handler.set_args(x, y, kCount);
    handler.parallel_for(sycl::nd_range<1>(1024, 64), kernel);
  });
  bool right = true;
  try {
    queue.copy(y, result.data(), kCount).wait_and_throw();
    for (const float value : result) right = right && value == 3;
  } catch (const sycl::exception& error) {
    std::cout << "fault: " << error.what() << '\n';
    right = false;
  }
  sycl::free(x, queue);
  sycl::free(y, queue);
  return right;
}

}  // namespace

int main() {
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  xeforge::check::Scope check("memory,races,init,sync,hazards");
  if (!check.available()) std::cout << "a real device: results are compared, accesses are not\n";

  const bool right = run(queue, compile(queue, "if (i < count)"));
  const auto clean = check.clean();
  std::cout << "guarded: " << (right ? "right" : "wrong") << ", " << clean << '\n';
  if (!right || !clean) return 1;
  if (!check.available()) return 0;

  run(queue, compile(queue, ""));
  const auto faulty = check.clean();
  std::cout << "without its guard: " << faulty << '\n';
  return faulty ? 1 : 0;
}
