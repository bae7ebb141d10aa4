// SPDX-License-Identifier: Apache-2.0
#include "gemm/general.h"

#include <cstdint>
#include <mutex>

#include "gemm/require.h"
#include "xeforge/gemm/gemm.h"

namespace xeforge::gemm {

namespace {

constexpr Needs kNeeds{.esimd = true, .dpas_width = 8, .local_memory = kGeneralSlmBytes, .group = kGeneralThreads};

std::string family_name(unsigned prefetch_distance) {
  return prefetch_distance == 0 ? "general" : "prefetch" + std::to_string(prefetch_distance);
}

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

Module general_module(unsigned prefetch_distance) {
  const std::string name = family_name(prefetch_distance);
  return {name, "#include \"kernels/general/general.h\"\nnamespace xeforge::kernels {\nXEFORGE_GENERAL_KERNELS(" +
                    name + ", " + std::to_string(prefetch_distance) + ")\n}\n"};
}

struct Gemm::State {
  sycl::queue queue;
  Features features;
  unsigned prefetch_distance;
  std::mutex mutex;  ///< of the library
  KernelLibrary library;
};

Gemm::Gemm(sycl::queue queue, GemmOptions options) {
  if (options.prefetch_distance > kLargestPrefetchDistance) {
    throw Error(Status::BadPrefetchDistance, "prefetch distance " + std::to_string(options.prefetch_distance) +
                                                 ": it is 0 (none) to " + std::to_string(kLargestPrefetchDistance));
  }
  Features features = probe(queue.get_device());
  if (const std::string reason = reason_against(kNeeds, features); !reason.empty()) {
    throw Error(Status::UnsupportedDevice, "the general kernel cannot run: " + reason);
  }
  KernelLibrary library(queue.get_context(), queue.get_device(), std::move(options.progress));
  state_.reset(new State{std::move(queue), std::move(features), options.prefetch_distance, {}, std::move(library)});
}

const sycl::queue& Gemm::queue() const { return state_->queue; }
const Features& Gemm::features() const { return state_->features; }

std::string Gemm::kernel_name(float alpha, float beta, unsigned prefetch_distance) {
  return family_name(prefetch_distance) + (alpha == 1 ? "_1" : "_a") + (beta == 0 ? "_0" : "_b");
}

void require_sizes(const Problem& problem) {
  require_size("M", problem.m, kMultipleM);
  require_size("N", problem.n, kMultipleN);
  require_size("K", problem.k, kMultipleK);
}

sycl::event Gemm::multiply(const Problem& problem, const PackedA& a, const PackedB& b, float* c,
                           const std::vector<sycl::event>& after) {
  require_sizes(problem);
  require_operand("A", a, problem.m, problem.k);
  require_operand("B", b, problem.k, problem.n);
  require_aligned("C", c);
  const auto m = static_cast<std::uint32_t>(problem.m), n = static_cast<std::uint32_t>(problem.n),
             k = static_cast<std::uint32_t>(problem.k);
  const std::size_t c_bytes = std::size_t{m} * n * sizeof(float);
  const sycl::context context = state_->queue.get_context();
  require_context("A", a, context);
  require_context("B", b, context);
  require_device_memory("C", c, c_bytes, context, state_->queue.get_device());
  require_apart("A", a, c, c_bytes);
  require_apart("B", b, c, c_bytes);

  const unsigned distance = state_->prefetch_distance;
  const sycl::kernel kernel = [&] {
    const std::lock_guard lock(state_->mutex);
    return state_->library.kernel(general_module(distance), kernel_name(problem.alpha, problem.beta, distance));
  }();
  const auto groups = static_cast<std::size_t>(problem.m / kMultipleM * (problem.n / kMultipleN));
  return state_->queue.submit([&](sycl::handler& handler) {
    handler.depends_on(after);
    handler.set_args(a.data(), b.data(), c, m, n, k, problem.alpha, problem.beta);
    handler.parallel_for(sycl::nd_range<1>(groups * kGeneralThreads, kGeneralThreads), kernel);
  });
}

}  // namespace xeforge::gemm
