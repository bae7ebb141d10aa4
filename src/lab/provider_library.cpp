// SPDX-License-Identifier: Apache-2.0
#include "lab/provider_library.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "lab/guarded_buffer.h"
#include "lab/provider_operands.h"
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
      result.problem = error.what();
      result.kernels = take_reports();
      for (const KernelReport& kernel : result.kernels) {
        if (kernel.fault) result.problem = to_string(*kernel.fault);
      }
    }
    return result;
  }

 private:
  void execute(BenchCase& result, const TestData& data, sycl::queue& queue) {
    const BenchShape& shape = result.shape;
    const gemm::Problem problem = problem_of(shape);
    const std::vector<std::byte> bytes_a = stored_a(shape, data), bytes_b = stored_b(shape, data),
                                 bytes_c = stored_c(shape, data);
    GuardedBuffer a(queue, "A", bytes_a.size()), b(queue, "B", bytes_b.size()), c(queue, "C", bytes_c.size());
    a.write(bytes_a.data());
    b.write(bytes_b.data());
    c.write(bytes_c.data());
    gemm::Operand<gemm::Side::B> right = b.data();
    if (id_ == kWeights) {
      const Stopwatch packing;
      right = gemm_->pack_b(problem, b.data());
      result.pack_us = packing.wall_us();
      result.packed_bytes = right.packed()->bytes();
    }
    take_reports();  // what is not of the product

    const Stopwatch running;
    gemm_->multiply(problem, a.data(), right, c.data()).wait_and_throw();
    queue.wait_and_throw();
    result.host_wall_us = running.wall_us();
    result.host_user_us = running.user_us();
    result.kernels = take_reports();

    std::vector<std::byte> found(bytes_c.size());
    c.read(found.data());
    result.verified = compare(result_by_rows(shape, found), shape.expected(data), data.shape.n);
    if (result.verified.errors != 0) result.problem = "wrong elements; the first: " + result.verified.first;
    for (const GuardedBuffer* buffer : {&a, &b, &c}) {
      if (const std::string damage = buffer->damage(); !damage.empty()) result.problem = damage;
    }
    if (!a.holds(bytes_a.data())) result.problem = "A was changed";
    if (!b.holds(bytes_b.data())) result.problem = "B was changed";
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
  return std::make_unique<LibraryProvider>(id, runner);
}

}  // namespace xeforge::lab
