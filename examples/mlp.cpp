// SPDX-License-Identifier: Apache-2.0
// A block of a transformer: y = x + down(gelu(up(x) + bias)) with weights that were packed once and kept in files, and
// everything besides the products done where their results are stored.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "xeforge/gemm.h"

namespace gemm = xeforge::gemm;
using sycl::ext::oneapi::bfloat16;

namespace {

constexpr std::size_t kTokens = 20, kWidth = 48, kInner = 96;

/// Numbers of -1 .. 1 on the device.
bfloat16* make(sycl::queue& queue, std::vector<bfloat16>& host, std::size_t count, unsigned seed) {
  host.resize(count);
  for (bfloat16& value : host) {
    seed = seed * 1664525 + 1013904223;
    value = static_cast<float>(seed >> 8) / static_cast<float>(1 << 23) - 1;
  }
  auto* const memory = sycl::malloc_device<bfloat16>(count, queue);
  queue.copy(host.data(), memory, count).wait_and_throw();
  return memory;
}

/// A product with a bfloat16 would be rounded to one.
float as_float(bfloat16 value) { return value; }

/// The same on the CPU.
std::vector<float> expected(const std::vector<bfloat16>& x, const std::vector<bfloat16>& up,
                            const std::vector<bfloat16>& bias, const std::vector<bfloat16>& down) {
  std::vector<float> y(kTokens * kWidth);
  for (std::size_t token = 0; token < kTokens; ++token) {
    std::vector<float> inner(kInner);
    for (std::size_t i = 0; i < kInner; ++i) {
      float sum = bias[i];
      for (std::size_t j = 0; j < kWidth; ++j) sum += as_float(x[token * kWidth + j]) * as_float(up[j * kInner + i]);
      inner[i] = bfloat16(sum / 2 * (1 + std::erf(sum / std::sqrt(2.0F))));
    }
    for (std::size_t j = 0; j < kWidth; ++j) {
      float sum = x[token * kWidth + j];
      for (std::size_t i = 0; i < kInner; ++i) sum += inner[i] * as_float(down[i * kWidth + j]);
      y[token * kWidth + j] = sum;
    }
  }
  return y;
}

}  // namespace

int main() {
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  std::vector<bfloat16> host_x, host_up, host_bias, host_down;
  bfloat16* const x = make(queue, host_x, kTokens * kWidth, 1);
  bfloat16* const up = make(queue, host_up, kWidth * kInner, 2);
  bfloat16* const bias = make(queue, host_bias, kInner, 3);
  bfloat16* const down = make(queue, host_down, kInner * kWidth, 4);
  auto* const inner = sycl::malloc_device<bfloat16>(kTokens * kInner, queue);
  auto* const y = sycl::malloc_device<float>(kTokens * kWidth, queue);

  gemm::Gemm library(queue);
  gemm::Problem up_problem{kTokens, kInner, kWidth};
  up_problem.c = gemm::Type::Bf16;
  const gemm::Problem down_problem{kTokens, kWidth, kInner};

  // When the model is installed ...
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "xeforge-mlp-up.weights";
  library.pack_b(up_problem, up).save(queue, file);
  // ... and whenever it is started.
  const auto packed_up = gemm::PrepackedB::load(queue, file);
  const auto packed_down = library.pack_b(down_problem, down);
  std::filesystem::remove(file);

  library.multiply(up_problem, x, packed_up, inner,
                   {.epilogue = gemm::Epilogue().bias(gemm::Along::Columns, bias, gemm::Type::Bf16).gelu()});
  library.multiply(down_problem, inner, packed_down, y, {.epilogue = gemm::Epilogue().residual(x, gemm::Type::Bf16)});

  std::vector<float> result(kTokens * kWidth);
  queue.copy(y, result.data(), result.size()).wait_and_throw();
  const std::vector<float> right = expected(host_x, host_up, host_bias, host_down);
  float error = 0;
  for (std::size_t i = 0; i < result.size(); ++i) error = std::fmax(error, std::fabs(result[i] - right[i]));
  std::printf("largest difference from the CPU: %g\n", error);
  for (void* memory : {static_cast<void*>(x), static_cast<void*>(up), static_cast<void*>(bias),
                       static_cast<void*>(down), static_cast<void*>(inner), static_cast<void*>(y)}) {
    sycl::free(memory, queue);
  }
  return error < 0.1F ? 0 : 1;  // inner values are rounded to bf16: those that lie in the middle may go either way
}
