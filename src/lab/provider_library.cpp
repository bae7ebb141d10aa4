// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_library.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "gemm/plan.h"
#include "lab/errors.h"
#include "lab/provider_operands.h"
#include "lab/provider_product.h"
#include "lab/rung_run.h"
#include "lab/stopwatch.h"
#include "xeforge/gemm.h"

namespace xeforge::lab {

namespace {

constexpr std::string_view kId = "xeforge", kWeights = "xeforge.weights", kStrategy = "xeforge:";

gemm::Type type_of(Element element) {
  constexpr std::array kTypes{gemm::Type::Bf16, gemm::Type::F16, gemm::Type::F32, gemm::Type::S8, gemm::Type::U8};
  return kTypes.at(static_cast<std::size_t>(element));
}

gemm::Problem problem_of(const BenchShape& shape) {
  gemm::Problem problem{shape.shape.m, shape.shape.n, shape.shape.k, static_cast<float>(shape.alpha),
                        static_cast<float>(shape.beta)};
  problem.a = type_of(shape.a);
  problem.b = type_of(shape.b);
  problem.c = shape.integer() ? gemm::Type::S32 : gemm::Type::F32;
  problem.order = shape.column_major ? gemm::Order::Columns : gemm::Order::Rows;
  problem.transpose_a = shape.transpose_a;
  problem.transpose_b = shape.transpose_b;
  problem.batch = shape.batch;
  return problem;
}

class LibraryProvider final : public Provider {
 public:
  LibraryProvider(std::string id, RunnerSource runner)
      : id_(std::move(id)),
        strategy_(id_.starts_with(kStrategy) ? id_.substr(kStrategy.size()) : ""),
        runner_(std::move(runner)) {}

  std::string id() const override { return id_; }

  BenchCase run(const BenchShape& shape, const TestData& data) override {
    BenchCase result{id_, shape, {}, {}, {}, {}};
    try {
      sycl::queue queue = runner_().queue();
      if (!gemm_) gemm_.emplace(queue, gemm::GemmOptions{.strategy = strategy_, .progress = runner_().progress()});
      execute(result, data, queue);
    } catch (const gemm::Error& error) {
      const bool refused =
          error.status() == gemm::Status::BadStrategy || error.status() == gemm::Status::UnsupportedDevice;
      (refused ? result.not_run : result.problem) = error.what();
    } catch (const std::exception& error) {
      report_exception(result, error);
    }
    return result;
  }

 private:
  void execute(BenchCase& result, const TestData& data, sycl::queue& queue) {
    const gemm::Problem problem = problem_of(result.shape);
    ProductOnDevice product(queue, result.shape, data, stored_a(result.shape, data), stored_b(result.shape, data));
    gemm::Operand<gemm::Side::B> right = product.b();
    if (id_ == kWeights) {
      const Stopwatch packing;
      right = gemm_->pack_b(problem, product.b());
      result.pack_us = packing.wall_us();
      result.packed_bytes = right.packed()->bytes();
    }
    product.run(result, data, [&] { return gemm_->multiply(problem, product.a(), right, product.c()); });
  }

  std::string id_, strategy_;
  RunnerSource runner_;
  std::optional<gemm::Gemm> gemm_;
};

}  // namespace

bool is_library_provider(const std::string& id) {
  return id == kId || id == kWeights || (id.starts_with(kStrategy) && id.size() > kStrategy.size());
}

std::unique_ptr<Provider> make_library_provider(const std::string& id, const RunnerSource& runner) {
  const bool named = id.starts_with(kStrategy);
  try {
    if (named) {
      gemm::require_strategy(id.substr(kStrategy.size()));
    } else {
      gemm::strategy_of_environment();
    }
  } catch (const gemm::Error& error) {
    throw UserError((named ? "--providers: '" + id + "': " : "XEFORGE_GEMM_STRATEGY: ") + error.what());
  }
  return std::make_unique<LibraryProvider>(id, runner);
}

}  // namespace xeforge::lab
