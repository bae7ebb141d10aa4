// SPDX-License-Identifier: Apache-2.0
#include "lab/provider.h"

#include <algorithm>
#include <array>

#include <cblas.h>
#include <fmt/format.h>

#include "lab/errors.h"
#include "lab/provider_general.h"
#include "lab/provider_helper.h"
#include "lab/provider_library.h"
#include "lab/rung_run.h"
#include "lab/stopwatch.h"

namespace xeforge::lab {

namespace {

class RungProvider final : public Provider {
 public:
  RungProvider(const gemm::Rung& rung, RunnerSource runner) : rung_(rung), runner_(std::move(runner)) {}

  std::string id() const override { return std::string(rung_.id); }

  BenchCase run(const BenchShape& shape, const TestData& /*data*/) override {
    BenchCase result{id(), shape, {}, {}, {}, {}};
    const double beta = rung_.accumulates ? 1 : 0;
    result.not_run = beyond_plain_bf16(shape);
    if (!result.not_run.empty()) return result;
    if (rung_.fixed_shape) {
      result.not_run = "it has a shape of its own";
    } else if (shape.alpha != 1 || shape.beta != beta) {
      result.not_run = fmt::format("it computes with alpha 1 and beta {} only", beta);
    }
    if (!result.not_run.empty()) return result;
    // The runner makes the same data from the same shape.
    RungResult rung = runner_().run(rung_, shape.shape);
    result.not_run = std::move(rung.not_run);
    result.problem = std::move(rung.problem);
    result.verified = std::move(rung.verified);
    if (rung.report) result.kernels.push_back(std::move(*rung.report));
    result.host_wall_us = rung.host_wall_us;
    result.host_user_us = rung.host_user_us;
    result.pack_us = rung.pack_us;
    result.packed_bytes = rung.packed_bytes;
    return result;
  }

 private:
  const gemm::Rung& rung_;
  RunnerSource runner_;
};

/// OpenBLAS in float on this machine's CPU: what it costs without any virtual device.
class ReferenceProvider final : public Provider {
 public:
  std::string id() const override { return "reference"; }

  BenchCase run(const BenchShape& shape, const TestData& data) override {
    BenchCase result{id(), shape, {}, {}, {}, {}};
    std::vector<float> a(data.a.size()), b(data.b.size()), c = data.old_c;
    std::transform(data.a.begin(), data.a.end(), a.begin(), gemm::from_bf16);
    std::transform(data.b.begin(), data.b.end(), b.begin(), gemm::from_bf16);
    const auto m = static_cast<int>(shape.shape.m), n = static_cast<int>(shape.shape.n),
               k = static_cast<int>(shape.shape.k);
    const std::size_t size_a = data.a.size() / shape.batch, size_b = data.b.size() / shape.batch,
                      size_c = c.size() / shape.batch;
    const Stopwatch watch;
    for (std::size_t i = 0; i < shape.batch; ++i) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, static_cast<float>(shape.alpha),
                  a.data() + i * size_a, k, b.data() + i * size_b, n, static_cast<float>(shape.beta),
                  c.data() + i * size_c, n);
    }
    result.host_wall_us = watch.wall_us();
    result.host_user_us = watch.user_us();
    result.verified = compare(c, shape.expected(data), shape.shape.n);
    if (result.verified.errors != 0) result.problem = "wrong elements; the first: " + result.verified.first;
    return result;
  }
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) parts.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_builtin(const std::string& id) { return id == "reference" || is_helper_provider(id); }

}  // namespace

TestData BenchShape::data() const {
  TestDataOptions options;
  options.batch = batch;
  options.unsigned_a = a == Element::U8;
  options.unsigned_b = b == Element::U8;
  return make_test_data(shape, options);
}

std::vector<float> BenchShape::expected(const TestData& data) const {
  std::vector<float> result(data.product.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] =
        static_cast<float>(alpha * static_cast<double>(data.product[i]) + beta * static_cast<double>(data.old_c[i]));
  }
  return result;
}

std::string beyond_plain_bf16(const BenchShape& shape) {
  if (shape.a != Element::Bf16 || shape.b != Element::Bf16) return "it multiplies bf16 only";
  if (shape.transpose_a || shape.transpose_b) return "its operands are not transposed";
  if (shape.column_major) return "its matrices are stored by rows";
  if (shape.batch != 1) return "it does one product, not a batch";
  return {};
}

std::uint64_t BenchCase::count(std::string_view name) const {
  std::uint64_t sum = 0;
  for (const KernelReport& kernel : kernels) sum += kernel.count(name);
  return sum;
}

std::optional<double> BenchCase::simulated_us() const {
  if (kernels.empty()) return std::nullopt;
  double sum = 0;
  for (const KernelReport& kernel : kernels) {
    const auto time = kernel.simulated_per_launch_us ? kernel.simulated_per_launch_us : kernel.simulated_us;
    if (!time) return std::nullopt;
    sum += *time;
  }
  return sum;
}

const KernelReport* BenchCase::main_kernel() const {
  const auto most = std::max_element(kernels.begin(), kernels.end(), [](const KernelReport& a, const KernelReport& b) {
    return a.count("instructions") < b.count("instructions");
  });
  return most == kernels.end() ? nullptr : &*most;
}

std::uint64_t BenchCase::packing_instructions() const {
  // oneMKL: hgemm_itcopy_sys, hgemm_oncopy_sys; oneDNN: xe_hp_systolic_gemm_copy, reorders.
  constexpr std::array<std::string_view, 3> kWords{"copy", "pack", "reorder"};
  std::uint64_t sum = 0;
  for (const KernelReport& kernel : kernels) {
    if (kernel.kernel.find("nocopy") != std::string::npos) continue;  // oneMKL's products of unpacked operands
    const auto named = [&](std::string_view word) { return kernel.kernel.find(word) != std::string::npos; };
    if (std::any_of(kWords.begin(), kWords.end(), named)) sum += kernel.count("instructions");
  }
  return sum;
}

bool names_a_rung(const std::string& list) {
  const auto parts = split(list);
  return std::any_of(parts.begin(), parts.end(), [](const std::string& id) { return !is_builtin(id); });
}

std::vector<std::unique_ptr<Provider>> make_providers(const std::string& list, const std::string& device,
                                                      unsigned host_threads, const RunnerSource& runner) {
  std::vector<std::unique_ptr<Provider>> providers;
  for (const std::string& id : split(list)) {
    if (id == "reference") {
      providers.push_back(std::make_unique<ReferenceProvider>());
    } else if (is_helper_provider(id)) {
      providers.push_back(make_helper_provider(id, device, host_threads));
    } else if (is_library_provider(id)) {
      providers.push_back(make_library_provider(id, runner));
    } else if (is_general_provider(id)) {
      providers.push_back(make_general_provider(id, runner));
    } else {
      try {
        for (const gemm::Rung* rung : gemm::select_rungs(id))
          providers.push_back(std::make_unique<RungProvider>(*rung, runner));
      } catch (const std::invalid_argument& error) {
        throw UserError(std::string("--providers: ") + error.what() +
                        ". Providers are xeforge, xeforge.weights, xeforge:STRATEGY, xeforge.general, "
                        "xeforge.prefetch[=DIST], onednn, onemkl, reference and the rungs of 'xeforge ladder --list'");
      }
    }
  }
  if (providers.empty()) throw UserError("--providers: the list is empty");
  return providers;
}

}  // namespace xeforge::lab
