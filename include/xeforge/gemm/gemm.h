// SPDX-License-Identifier: Apache-2.0
//
// The front door: C = epilogue(alpha * op(A) * op(B) + beta * C) for any problem, on any GPU.
//
//   Gemm gemm(queue);
//   gemm.multiply({.m = m, .n = n, .k = k}, a, b, c).wait();                  // bf16 matrices by rows, C of floats
//
//   const PrepackedB weights = gemm.pack_b(problem, w);                       // once
//   gemm.multiply(problem, x, weights, y, {.epilogue = Epilogue().bias(Along::Columns, bias).gelu()});
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sycl/sycl.hpp>

#include "xeforge/gemm/epilogue.h"
#include "xeforge/gemm/features.h"
#include "xeforge/gemm/packed.h"
#include "xeforge/gemm/prepacked.h"
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
  /// The planner to take; empty: the library chooses.
  std::string strategy = {};
  /// Is told, in one line, about work that takes seconds: the first compilation on a machine (kept on disk).
  std::function<void(const std::string&)> progress = {};
};

/// A or B of a call: USM that the queue's device can reach, or packed before. Null is legal where the operand is not
/// read.
template <Side S>
class Operand {
 public:
  Operand(const void* pointer = nullptr) : pointer_(pointer) {}  // NOLINT(google-explicit-constructor)
  Operand(const Prepacked<S>& packed) : packed_(packed) {}       // NOLINT(google-explicit-constructor)

  const void* pointer() const { return pointer_; }
  const std::optional<Prepacked<S>>& packed() const { return packed_; }

 private:
  const void* pointer_ = nullptr;
  std::optional<Prepacked<S>> packed_;
};

/// What a call may have besides.
struct Extras {
  Epilogue epilogue = {};
  /// Factors in device memory, which take the place of the problem's.
  const float* alpha = nullptr;
  const float* beta = nullptr;
  /// Device memory of at least workspace_bytes(), at a multiple of 64, that nobody else uses until the product is done;
  /// null: the library has its own, and its calls that need it follow one another.
  void* workspace = nullptr;
  std::size_t workspace_bytes = 0;
};

/// The matrices of a batch, one address each: arrays in USM that the queue's device can reach. Where the host can read
/// them they are checked as single pointers are.
struct PointerArrays {
  const void* const* a = nullptr;
  const void* const* b = nullptr;
  void* const* c = nullptr;
};

/// May be called from several threads at a time.
class Gemm {
 public:
  /// Kernels are compiled, or loaded from the cache on disk, at their first use. Throws Error BadPrefetchDistance.
  explicit Gemm(sycl::queue queue, GemmOptions options = {});

  /// Submits the product to the queue after `after`. Everything is checked before, in this order: BadSize, BadType,
  /// BadLeadingDimension, BadStride, BadEpilogue, ShapeMismatch (packed operands), NullPointer, MisalignedPointer (to
  /// elements), NotDeviceMemory, WrongDevice, Overlap, WorkspaceTooSmall, BadStrategy. sycl::exception if a kernel
  /// cannot be compiled. A fault while it runs is an exception from the wait.
  sycl::event multiply(const Problem& problem, const Operand<Side::A>& a, const Operand<Side::B>& b, void* c,
                       const Extras& extras = {}, const std::vector<sycl::event>& after = {});
  sycl::event multiply(const Problem& problem, const PointerArrays& matrices, const Extras& extras = {},
                       const std::vector<sycl::event>& after = {});

  /// Bytes of device memory that the call needs besides its matrices; pointers do not count, packed operands do.
  std::size_t workspace_bytes(const Problem& problem, const Operand<Side::A>& a = {}, const Operand<Side::B>& b = {},
                              const Extras& extras = {}) const;
  /// One line: the strategy that the call would take.
  std::string strategy(const Problem& problem, const Operand<Side::A>& a = {}, const Operand<Side::B>& b = {},
                       const Extras& extras = {}) const;

  /// Packs A (B) of problems like this one: of its m and k (k and n), types, precision and order; its own transpose,
  /// leading dimension and distance say how the source lies. Blocks until it is done. Errors as multiply().
  PrepackedA pack_a(const Problem& problem, const void* a);
  PrepackedB pack_b(const Problem& problem, const void* b);

  /// The general kernel: bf16 operands that the host packed, float C, by rows; Xe-HPG only. `c`: m * n floats.
  /// Throws Error, in this order: UnsupportedDevice, BadSize, SizeNotMultiple, BadType (another form of problem),
  /// ShapeMismatch, NullPointer, MisalignedPointer, WrongDevice (operands), NotDeviceMemory, WrongDevice (C), Overlap.
  sycl::event multiply(const Problem& problem, const PackedA& a, const PackedB& b, float* c,
                       const std::vector<sycl::event>& after = {});

  /// Name of the general kernel for these factors: "general_1_0" for alpha 1 and beta 0, "prefetch2_a_b" for any others
  /// at distance 2.
  static std::string kernel_name(float alpha, float beta, unsigned prefetch_distance = 0);

  const sycl::queue& queue() const;
  const Features& features() const;

 private:
  template <Side S>
  Prepacked<S> pack(const Problem& problem, const void* matrix);
  struct State;
  std::shared_ptr<State> state_;
};

/// Throws Error (BadSize, SizeNotMultiple) if the general kernel cannot compute a problem of these sizes.
void require_sizes(const Problem& problem);

}  // namespace xeforge::gemm
