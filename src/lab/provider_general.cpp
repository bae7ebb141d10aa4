// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_general.h"

#include <charconv>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gemm/packing.h"
#include "lab/errors.h"
#include "lab/provider_product.h"
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

template <class T>
std::span<T> elements(std::vector<std::byte>& bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
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
      report_exception(result, error);
    }
    return result;
  }

 private:
  void execute(BenchCase& result, const gemm::Problem& problem, const TestData& data, sycl::queue& queue) {
    const Stopwatch packing;
    std::vector<std::byte> packed_a(data.a.size() * sizeof(gemm::Bf16)), packed_b(data.b.size() * sizeof(gemm::Bf16));
    gemm::pack_a_operands(data.a, data.shape.m, data.shape.k, elements<gemm::Bf16>(packed_a));
    gemm::pack_b_vnni(data.b, data.shape.k, data.shape.n, elements<std::uint32_t>(packed_b));
    result.pack_us = packing.wall_us();
    result.packed_bytes = packed_a.size() + packed_b.size();

    ProductOnDevice product(queue, result.shape, data, std::move(packed_a), std::move(packed_b));
    const auto operand_a =
        gemm::PackedA::view(queue, static_cast<const gemm::Bf16*>(product.a()), data.shape.m, data.shape.k);
    const auto operand_b =
        gemm::PackedB::view(queue, static_cast<const std::uint32_t*>(product.b()), data.shape.k, data.shape.n);
    product.run(result, data,
                [&] { return gemm_->multiply(problem, operand_a, operand_b, static_cast<float*>(product.c())); });
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
