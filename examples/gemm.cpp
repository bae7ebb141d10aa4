// SPDX-License-Identifier: Apache-2.0
// C = A * B in 30 lines: bf16 in, float out, any sizes.
#include "xeforge/gemm.h"

#include <cstdio>
#include <vector>

int main() {
  namespace gemm = xeforge::gemm;
  using sycl::ext::oneapi::bfloat16;
  const std::size_t m = 100, n = 70, k = 90;
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};

  auto* const a = sycl::malloc_device<bfloat16>(m * k, queue);
  auto* const b = sycl::malloc_device<bfloat16>(k * n, queue);
  auto* const c = sycl::malloc_device<float>(m * n, queue);
  const std::vector<bfloat16> ones(m * k, 1.0F), twos(k * n, 2.0F);
  queue.copy(ones.data(), a, m * k);
  queue.copy(twos.data(), b, k * n);

  gemm::Gemm library(queue);
  library.multiply({m, n, k}, a, b, c);

  std::vector<float> result(m * n);
  queue.copy(c, result.data(), m * n).wait_and_throw();
  std::printf("%s: C[0] = %g, C[last] = %g\n", library.features().device.c_str(), result.front(), result.back());
  for (void* memory : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c)}) sycl::free(memory, queue);
  return result.front() == 180 && result.back() == 180 ? 0 : 1;
}
