// SPDX-License-Identifier: Apache-2.0
#include "gemm/general.h"

#include <cstdint>

#include "gemm/require.h"
#include "xeforge/gemm/gemm.h"

namespace xeforge::gemm {

namespace {

constexpr Needs kNeeds{.esimd = true, .dpas_width = 8, .local_memory = kGeneralSlmBytes, .group = kGeneralThreads};

template <class Layout>
void require_operand(const char* name, const Packed<Layout>& operand, std::int64_t rows, std::int64_t columns) {
  if (static_cast<std::int64_t>(operand.rows()) == rows && static_cast<std::int64_t>(operand.columns()) == columns)
    return;
  throw Error(Status::ShapeMismatch, std::string(name) + " holds " + std::to_string(operand.rows()) + " x " +
                                         std::to_string(operand.columns()) + " elements; the problem needs " +
                                         std::to_string(rows) + " x " + std::to_string(columns));
}

template <class Layout>
void require_context(const char* name, const Packed<Layout>& operand, const sycl::context& context) {
  if (operand.context() == context) return;
  throw Error(
      Status::WrongDevice,
      std::string(name) + " was packed for another device or context than the queue's: pack it with this queue");
}

template <class Layout>
void require_apart(const char* name, const Packed<Layout>& operand, const float* c, std::size_t c_bytes) {
  const auto c_begin = reinterpret_cast<std::uintptr_t>(c), begin = reinterpret_cast<std::uintptr_t>(operand.data());
  if (c_begin + c_bytes <= begin || begin + operand.bytes() <= c_begin) return;
  throw Error(Status::Overlap, std::string("C shares memory with ") + name +
                                   ": groups would read what others have written already; give C memory of its own");
}

}  // namespace

std::string general_family(unsigned prefetch_distance) {
  return prefetch_distance == 0 ? "general" : "prefetch" + std::to_string(prefetch_distance);
}

Module general_module(unsigned prefetch_distance) {
  const std::string name = general_family(prefetch_distance);
  return {name, "#include \"kernels/general/general.h\"\nnamespace xeforge::kernels {\nXEFORGE_GENERAL_KERNELS(" +
                    name + ", " + std::to_string(prefetch_distance) + ")\n}\n"};
}

void require_sizes(const Problem& problem) {
  require_size("M", problem.m, kMultipleM);
  require_size("N", problem.n, kMultipleN);
  require_size("K", problem.k, kMultipleK);
}

void check_general(const Problem& problem, const PackedA& a, const PackedB& b, const float* c, const Features& features,
                   const sycl::context& context, const sycl::device& device) {
  if (const std::string reason = reason_against(kNeeds, features); !reason.empty())
    throw Error(Status::UnsupportedDevice, "the general kernel cannot run: " + reason);
  require_sizes(problem);
  if (problem != Problem{problem.m, problem.n, problem.k, problem.alpha, problem.beta}) {
    throw Error(Status::BadType,
                "operands that the host packed are for bf16 matrices by rows without gaps, and C of f32; "
                "the problem is " +
                    to_string(problem));
  }
  require_operand("A", a, problem.m, problem.k);
  require_operand("B", b, problem.k, problem.n);
  require_aligned("C", c);
  const std::size_t c_bytes = static_cast<std::size_t>(problem.m * problem.n) * sizeof(float);
  require_context("A", a, context);
  require_context("B", b, context);
  require_device_memory("C", c, c_bytes, context, device);
  require_apart("A", a, c, c_bytes);
  require_apart("B", b, c, c_bytes);
}

}  // namespace xeforge::gemm
