// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_general.h"

#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "gemm/packing.h"
#include "lab/commands.h"
#include "lab/guarded_buffer.h"
#include "lab/rung_run.h"
#include "lab/stopwatch.h"
#include "xeforge/gemm.h"

namespace xeforge::lab {

namespace {

constexpr std::string_view kPrefetch = "xeforge.prefetch";
constexpr unsigned kDefaultDistance = 1;

/// Why the general kernel cannot compute the shape; empty if it can.
std::string reason_against(const gemm::Problem& problem) {
  try {
    gemm::require_sizes(problem);
    return "";
  } catch (const gemm::Error& error) {
    return error.what();
  }
}

class GeneralProvider final : public Provider {
 public:
  GeneralProvider(std::string id, unsigned distance, RunnerSource runner)
      : id_(std::move(id)), distance_(distance), runner_(std::move(runner)) {}

  std::string id() const override { return id_; }

  BenchCase run(const BenchShape& shape, const TestData& data) override {
    BenchCase result{id_, shape, {}, {}, {}, {}};
    result.pf_dist = distance_;
    const gemm::Problem problem{shape.shape.m, shape.shape.n, shape.shape.k, static_cast<float>(shape.alpha),
                                static_cast<float>(shape.beta)};
    result.not_run = beyond_plain_bf16(shape);
    if (result.not_run.empty()) result.not_run = reason_against(problem);
    if (!result.not_run.empty()) return result;
    try {
      sycl::queue queue = runner_().queue();
      if (!gemm_)
        gemm_.emplace(queue, gemm::GemmOptions{.prefetch_distance = distance_, .progress = runner_().progress()});
      execute(result, problem, data, queue);
    } catch (const gemm::Error& error) {
      (error.status() == gemm::Status::UnsupportedDevice ? result.not_run : result.problem) = error.what();
    } catch (const std::exception& error) {
      result.problem = error.what();
      result.kernels = take_reports();
      for (const KernelReport& kernel : result.kernels) {
        if (kernel.fault) result.problem = to_string(*kernel.fault);
      }
    }
    return result;
  }

 private:
  void execute(BenchCase& result, const gemm::Problem& problem, const TestData& data, sycl::queue& queue) {
    const Stopwatch packing;
    std::vector<gemm::Bf16> packed_a(data.a.size());
    gemm::pack_a_operands(data.a, data.shape.m, data.shape.k, packed_a);
    std::vector<std::uint32_t> packed_b(data.b.size() / 2);
    gemm::pack_b_vnni(data.b, data.shape.k, data.shape.n, packed_b);
    result.pack_us = packing.wall_us();
    result.packed_bytes = (data.a.size() + data.b.size()) * sizeof(gemm::Bf16);

    GuardedBuffer a(queue, "A", packed_a.size() * sizeof(gemm::Bf16));
    GuardedBuffer b(queue, "B", packed_b.size() * sizeof(std::uint32_t));
    GuardedBuffer c(queue, "C", data.product.size() * sizeof(float));
    a.write(packed_a.data());
    b.write(packed_b.data());
    if (problem.beta == 0) {
      c.poison();
    } else {
      c.write(data.old_c.data());
    }
    const auto operand_a =
        gemm::PackedA::view(queue, static_cast<const gemm::Bf16*>(a.data()), data.shape.m, data.shape.k);
    const auto operand_b =
        gemm::PackedB::view(queue, static_cast<const std::uint32_t*>(b.data()), data.shape.k, data.shape.n);
    take_reports();  // what is not of this launch

    const Stopwatch running;
    gemm_->multiply(problem, operand_a, operand_b, static_cast<float*>(c.data())).wait_and_throw();
    queue.wait_and_throw();
    result.host_wall_us = running.wall_us();
    result.host_user_us = running.user_us();
    result.kernels = take_reports();

    std::vector<float> found(data.product.size());
    c.read(found.data());
    result.verified = compare(found, result.shape.expected(data), data.shape.n);
    if (result.verified.errors != 0) result.problem = "wrong elements; the first: " + result.verified.first;
    for (const GuardedBuffer* buffer : {&a, &b, &c}) {
      if (const std::string damage = buffer->damage(); !damage.empty()) result.problem = damage;
    }
    if (!a.holds(packed_a.data())) result.problem = "A was changed";
    if (!b.holds(packed_b.data())) result.problem = "B was changed";
  }

  std::string id_;
  unsigned distance_;
  RunnerSource runner_;
  std::optional<gemm::Gemm> gemm_;
};

unsigned distance_of(const std::string& id) {
  if (id == kPrefetch) return kDefaultDistance;
  const std::string text = id.substr(kPrefetch.size() + 1);
  unsigned distance = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, distance);
  if (error != std::errc{} || next != end || distance == 0 || distance > gemm::kLargestPrefetchDistance) {
    throw UserError(fmt::format("--providers: '{}': the prefetch distance is 1 to {} K blocks of 32 steps", id,
                                gemm::kLargestPrefetchDistance));
  }
  return distance;
}

}  // namespace

bool is_general_provider(const std::string& id) {
  return id == "xeforge.general" || id == kPrefetch || id.starts_with(std::string(kPrefetch) + "=");
}

std::unique_ptr<Provider> make_general_provider(const std::string& id, const RunnerSource& runner) {
  const unsigned distance = id.starts_with(kPrefetch) ? distance_of(id) : 0;
  return std::make_unique<GeneralProvider>(id, distance, runner);
}

}  // namespace xeforge::lab
