// SPDX-License-Identifier: Apache-2.0
//
// The general kernel: C = alpha * A * B + beta * C on an Arc GPU, with operands that were packed before.
//
//   xeforge::gemm::Gemm gemm(queue);
//   const auto a = PackedA::pack(queue, activations, m, k);
//   const auto b = PackedB::pack(queue, weights, k, n);
//   gemm.multiply({m, n, k, 1.0F, 0.0F}, a, b, c).wait();
//
// It runs on devices with an 8-wide matrix engine (Xe-HPG: Arc A-series), real or virtual.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sycl/sycl.hpp>

#include "xeforge/gemm/features.h"
#include "xeforge/gemm/packed.h"
#include "xeforge/gemm/problem.h"
#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

using PackedA = Packed<layout::OperandsOfA>;
using PackedB = Packed<layout::VnniOfB>;

/// Prefetch distances are 0 (no prefetch) to this.
inline constexpr unsigned kLargestPrefetchDistance = 8;

struct GemmOptions {
  /// K blocks of 32 steps that are requested ahead of their copy into shared local memory.
  unsigned prefetch_distance = 0;
  /// Is told, in one line, about work that takes seconds: the first compilation on a machine (kept on disk).
  std::function<void(const std::string&)> progress;
};

class Gemm {
 public:
  /// Kernels are compiled, or loaded from the cache on disk, at their first use. Throws Error UnsupportedDevice or
  /// BadPrefetchDistance.
  explicit Gemm(sycl::queue queue, GemmOptions options = {});

  /// Submits the product to the queue after `after`. `c`: USM that the queue's device can reach, m * n floats.
  /// Throws Error, in this order: BadSize, SizeNotMultiple, ShapeMismatch, NullPointer, MisalignedPointer,
  /// WrongDevice (operands), NotDeviceMemory, WrongDevice (C), Overlap; and sycl::exception if the kernel cannot be
  /// compiled. A fault while it runs is an exception from the wait.
  sycl::event multiply(const Problem& problem, const PackedA& a, const PackedB& b, float* c,
                       const std::vector<sycl::event>& after = {});

  /// Name of the kernel that multiply() takes for these factors: "general_1_0" for alpha 1 and beta 0, "prefetch2_a_b"
  /// for any others at distance 2.
  static std::string kernel_name(float alpha, float beta, unsigned prefetch_distance = 0);

  const sycl::queue& queue() const;
  const Features& features() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Throws Error (BadSize, SizeNotMultiple) if the general kernel cannot compute a problem of these sizes.
void require_sizes(const Problem& problem);

}  // namespace xeforge::gemm
