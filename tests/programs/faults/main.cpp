// SPDX-License-Identifier: Apache-2.0
//
// Launches, three of them faulty, and a kernel that the A770 cannot execute: each fault must be an exception, and the
// program must go on. Ends with 0 if so.
#include <cstdio>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

namespace {

const char* const kSource = R"(
#include <sycl/sycl.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
namespace work_item = sycl::ext::oneapi::this_work_item;
#define KERNEL extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>)) void

KERNEL good(float* p, int n) {
  auto i = work_item::get_nd_item<1>().get_global_id(0);
  if (i < (size_t)n) p[i] = float(i);
}
// The last work-item writes one element behind the allocation.
KERNEL beyond(float* p, int n) {
  auto i = work_item::get_nd_item<1>().get_global_id(0);
  p[i + (i == (size_t)n - 1 ? 1 : 0)] = 1.0f;
}
// The index of a row used as the index of an element.
KERNEL wrong_index(float* p, int n) {
  auto i = work_item::get_nd_item<1>().get_global_id(0);
  p[i * (size_t)n] = 1.0f;
}
// Half of the group never comes to the barrier.
KERNEL divergent(float* p, int) {
  auto item = work_item::get_nd_item<1>();
  if (item.get_local_id(0) < 64) sycl::group_barrier(item.get_group());
  p[item.get_global_id(0)] = 2.0f;
}
)";

// Two-dimensional block loads came with Xe2.
const char* const kXe2Source = R"(
#include <sycl/sycl.hpp>
#include <sycl/ext/intel/esimd.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
namespace esimd = sycl::ext::intel::esimd;
extern "C" SYCL_EXTERNAL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void tile_of_xe2(float* p, int n) SYCL_ESIMD_KERNEL {
  auto tile = esimd::load_2d<float, 16, 8>(p, n * 4 - 1, 7, n * 4 - 1, 0, 0);
  esimd::block_store(p, tile.template select<16, 1>(0).read());
}
)";

constexpr int kItems = 256;

/// True if the launch ended without an exception.
bool runs(sycl::queue& q, sycl::kernel_bundle<sycl::bundle_state::executable>& bundle, const std::string& name,
          float* p) {
  try {
    q.submit([&](sycl::handler& h) {
      h.set_args(p, kItems);
      h.parallel_for(sycl::nd_range<1>(kItems, 128), bundle.ext_oneapi_get_kernel(name));
    });
    q.wait_and_throw();
    return true;
  } catch (const sycl::exception& e) {
    std::printf("%s: %s\n", name.c_str(), e.what());
    return false;
  }
}

/// True if the kernel cannot be built, and the program hears why.
bool is_refused(sycl::queue& q, const std::string& name) {
  try {
    auto source = syclexp::create_kernel_bundle_from_source(q.get_context(), syclexp::source_language::sycl,
                                                            std::string(kXe2Source));
    auto bundle = syclexp::build(source);
    (void)bundle.ext_oneapi_get_kernel(name);
    return false;
  } catch (const sycl::exception& e) {
    std::printf("%s: %s\n", name.c_str(), e.what());
    return true;
  }
}

bool right(sycl::queue& q, const float* p) {
  std::vector<float> host(kItems);
  q.memcpy(host.data(), p, sizeof(float) * kItems).wait();
  for (int i = 0; i < kItems; ++i)
    if (host[static_cast<size_t>(i)] != static_cast<float>(i)) return false;
  return true;
}

}  // namespace

int main() {
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order{}};
  auto source =
      syclexp::create_kernel_bundle_from_source(q.get_context(), syclexp::source_language::sycl, std::string(kSource));
  auto bundle = syclexp::build(source);
  auto* p = sycl::malloc_device<float>(kItems, q);
  const bool as_expected = runs(q, bundle, "good", p) && right(q, p) && !runs(q, bundle, "beyond", p) &&
                           !runs(q, bundle, "wrong_index", p) && !runs(q, bundle, "divergent", p) &&
                           is_refused(q, "tile_of_xe2") && runs(q, bundle, "good", p) && right(q, p);
  sycl::free(p, q);
  std::puts(as_expected ? "as expected" : "FAIL");
  return as_expected ? 0 : 1;
}
