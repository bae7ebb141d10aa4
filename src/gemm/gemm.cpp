// SPDX-License-Identifier: Apache-2.0
#include "xeforge/gemm/gemm.h"

#include <mutex>
#include <new>

#include "gemm/call.h"
#include "gemm/general.h"
#include "gemm/operand_layout.h"
#include "gemm/require.h"

namespace xeforge::gemm {

namespace {

constexpr std::size_t kWorkspaceAlignment = 64;  ///< a cache line

}  // namespace

struct Gemm::State {
  sycl::queue queue;
  Features features;
  unsigned prefetch_distance;
  std::string only;  ///< the planner to take, empty: any
  std::mutex mutex;  ///< of the library
  KernelLibrary library;
  std::mutex workspace_mutex = {};  ///< of what follows
  /// The workspace of calls that bring none, and the last of them that uses it.
  std::shared_ptr<std::byte> workspace = {};
  std::size_t workspace_bytes = 0;
  std::optional<sycl::event> last_use = {};

  sycl::kernel kernel(const Module& module, const std::string& name) {
    const std::lock_guard lock(mutex);
    return library.kernel(module, name);
  }

  std::shared_ptr<std::byte> allocate(std::size_t bytes) const {
    auto* const memory = sycl::aligned_alloc_device<std::byte>(kWorkspaceAlignment, bytes, queue);
    if (memory == nullptr) throw std::bad_alloc();
    return {memory, [context = queue.get_context()](std::byte* pointer) { sycl::free(pointer, context); }};
  }

  sycl::event nothing(const std::vector<sycl::event>& after) {
    return queue.submit([&](sycl::handler& handler) {
      handler.depends_on(after);
      handler.host_task([] {});
    });
  }

  /// The launches of a plan, one behind the other.
  sycl::event launch(const Plan& plan, std::byte* memory, const std::vector<sycl::event>& after) {
    std::vector<sycl::kernel> kernels;
    kernels.reserve(plan.launches.size());
    for (const Launch& launch : plan.launches) kernels.push_back(kernel(launch.module, launch.kernel));
    std::vector<sycl::event> before = after;
    for (std::size_t i = 0; i < plan.launches.size(); ++i) {
      const Launch& launch = plan.launches[i];
      before = {queue.submit([&](sycl::handler& handler) {
        handler.depends_on(before);
        launch.arguments(handler, memory);
        handler.parallel_for(launch.range, kernels[i]);
      })};
    }
    return before.front();
  }

  sycl::event launch_in_own_workspace(const Plan& plan, const std::vector<sycl::event>& after) {
    const std::lock_guard lock(workspace_mutex);
    if (plan.workspace > workspace_bytes) {
      if (last_use) last_use->wait();
      workspace.reset();
      workspace_bytes = 0;
      workspace = allocate(plan.workspace);
      workspace_bytes = plan.workspace;
    }
    std::vector<sycl::event> before = after;
    if (last_use) before.push_back(*last_use);
    last_use = launch(plan, workspace.get(), before);
    return *last_use;
  }

  sycl::event submit(const Arguments& arguments, const std::vector<sycl::event>& after) {
    check_form(arguments);
    check_memory(arguments, queue.get_context(), queue.get_device());
    if (is_empty(arguments.problem)) return nothing(after);
    const Plan chosen = plan(make_call(arguments), features, only);
    const Extras& extras = arguments.extras;
    if (chosen.workspace == 0) return launch(chosen, nullptr, after);
    if (extras.workspace == nullptr) return launch_in_own_workspace(chosen, after);
    check_workspace(extras, chosen.workspace);
    return launch(chosen, static_cast<std::byte*>(extras.workspace), after);
  }

  void check_workspace(const Extras& extras, std::size_t needed) const {
    if (extras.workspace_bytes < needed) {
      throw Error(Status::WorkspaceTooSmall, "the workspace has " + std::to_string(extras.workspace_bytes) +
                                                 " bytes; the call needs " + std::to_string(needed));
    }
    if (reinterpret_cast<std::uintptr_t>(extras.workspace) % kWorkspaceAlignment != 0) {
      throw Error(Status::MisalignedPointer,
                  "the workspace is not aligned to " + std::to_string(kWorkspaceAlignment) + " bytes");
    }
    require_device_memory("the workspace", extras.workspace, needed, queue.get_context(), queue.get_device());
  }

  Plan plan_of(const Problem& problem, const Operand<Side::A>& a, const Operand<Side::B>& b,
               const Extras& extras) const {
    const Arguments arguments{problem, a, b, nullptr, {}, extras};
    check_form(arguments);
    return is_empty(problem) ? Plan{"nothing to do", 0, {}} : plan(make_call(arguments), features, only);
  }
};

Gemm::Gemm(sycl::queue queue, GemmOptions options) {
  if (options.prefetch_distance > kLargestPrefetchDistance) {
    throw Error(Status::BadPrefetchDistance, "prefetch distance " + std::to_string(options.prefetch_distance) +
                                                 ": it is 0 (none) to " + std::to_string(kLargestPrefetchDistance));
  }
  Features features = probe(queue.get_device());
  KernelLibrary library(queue.get_context(), queue.get_device(), std::move(options.progress));
  state_.reset(new State{std::move(queue),
                         std::move(features),
                         options.prefetch_distance,
                         std::move(options.strategy),
                         {},
                         std::move(library)});
}

const sycl::queue& Gemm::queue() const { return state_->queue; }
const Features& Gemm::features() const { return state_->features; }

sycl::event Gemm::multiply(const Problem& problem, const Operand<Side::A>& a, const Operand<Side::B>& b, void* c,
                           const Extras& extras, const std::vector<sycl::event>& after) {
  return state_->submit({problem, a, b, c, {}, extras}, after);
}

sycl::event Gemm::multiply(const Problem& problem, const PointerArrays& matrices, const Extras& extras,
                           const std::vector<sycl::event>& after) {
  return state_->submit({problem, {}, {}, nullptr, matrices, extras}, after);
}

std::size_t Gemm::workspace_bytes(const Problem& problem, const Operand<Side::A>& a, const Operand<Side::B>& b,
                                  const Extras& extras) const {
  return state_->plan_of(problem, a, b, extras).workspace;
}

std::string Gemm::strategy(const Problem& problem, const Operand<Side::A>& a, const Operand<Side::B>& b,
                           const Extras& extras) const {
  return state_->plan_of(problem, a, b, extras).strategy;
}

template <Side S>
Prepacked<S> Gemm::pack(const Problem& problem, const void* matrix) {
  constexpr bool kOfA = S == Side::A;
  // The other operand and C do not exist: problems with one row (column) of them serve to check this one.
  Problem alone = problem;
  (kOfA ? alone.n : alone.m) = 1;
  alone.ldc = alone.stride_c = kDense;
  (kOfA ? alone.ldb : alone.lda) = (kOfA ? alone.stride_b : alone.stride_a) = kDense;
  alone.alpha = 1;
  const std::int64_t stride = kOfA ? problem.stride_a : problem.stride_b;
  const std::int64_t batch = stride == 0 ? 1 : problem.batch;
  const Arguments arguments{alone, kOfA ? matrix : nullptr, kOfA ? nullptr : matrix, nullptr, {}, {}};
  check_form(arguments);
  PackedMatrix packed{kOfA ? problem.m : problem.k,
                      kOfA ? problem.k : problem.n,
                      batch,
                      kOfA ? problem.a : problem.b,
                      problem.precision,
                      problem.order,
                      1};
  if (packed.rows == 0 || packed.columns == 0 || batch == 0) {
    throw Error(Status::BadSize, std::string("packed ") + (kOfA ? "A" : "B") + " has no elements: " +
                                     std::to_string(packed.rows) + " x " + std::to_string(packed.columns));
  }
  const Call call = make_call(arguments);
  // By columns operands change places.
  const Side side = (problem.order == Order::Columns) == kOfA ? Side::B : Side::A;
  const Units units = operand_units(state_->features, packed.type);
  packed.unit = side == Side::A ? units.a : units.b;
  const OperandLayout layout = layout_of(call, side, packed.unit);
  check_source(arguments, S, state_->queue.get_context(), state_->queue.get_device());
  std::shared_ptr<std::byte> memory = state_->allocate(static_cast<std::size_t>(layout.bytes() * batch));
  Plan plan;
  const Packing packing{side, layout, 0};
  plan.launches.push_back(pack_launch(call, {&packing, 1}));
  state_->launch(plan, memory.get(), {}).wait_and_throw();
  return Prepacked<S>(state_->queue.get_context(), std::move(memory), packed);
}

PrepackedA Gemm::pack_a(const Problem& problem, const void* a) { return pack<Side::A>(problem, a); }
PrepackedB Gemm::pack_b(const Problem& problem, const void* b) { return pack<Side::B>(problem, b); }

std::string Gemm::kernel_name(float alpha, float beta, unsigned prefetch_distance) {
  return general_family(prefetch_distance) + (alpha == 1 ? "_1" : "_a") + (beta == 0 ? "_0" : "_b");
}

sycl::event Gemm::multiply(const Problem& problem, const PackedA& a, const PackedB& b, float* c,
                           const std::vector<sycl::event>& after) {
  check_general(problem, a, b, c, state_->features, state_->queue.get_context(), state_->queue.get_device());
  const unsigned distance = state_->prefetch_distance;
  const sycl::kernel kernel =
      state_->kernel(general_module(distance), kernel_name(problem.alpha, problem.beta, distance));
  const auto m = static_cast<std::uint32_t>(problem.m), n = static_cast<std::uint32_t>(problem.n),
             k = static_cast<std::uint32_t>(problem.k);
  const auto groups = static_cast<std::size_t>(problem.m / kMultipleM * (problem.n / kMultipleN));
  return state_->queue.submit([&](sycl::handler& handler) {
    handler.depends_on(after);
    handler.set_args(a.data(), b.data(), c, m, n, k, problem.alpha, problem.beta);
    handler.parallel_for(sycl::nd_range<1>(groups * kGeneralThreads, kGeneralThreads), kernel);
  });
}

}  // namespace xeforge::gemm
