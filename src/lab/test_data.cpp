// SPDX-License-Identifier: Apache-2.0
#include "lab/test_data.h"

#include <cmath>
#include <limits>
#include <sstream>

#include <cblas.h>

namespace xeforge::lab {

namespace {

/// A linear congruential generator (Knuth's MMIX constants): the same numbers on every host.
class Integers {
 public:
  explicit Integers(std::uint32_t seed) : state_(seed) {}
  /// -limit .. limit
  int next(int limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state_ >> 33) % (2 * static_cast<std::uint64_t>(limit) + 1)) - limit;
  }

 private:
  std::uint64_t state_;
};

constexpr int kLargestInput = 3, kLargestOldC = 9;

std::vector<float> to_floats(const std::vector<gemm::Bf16>& values) {
  std::vector<float> floats(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) floats[i] = gemm::from_bf16(values[i]);
  return floats;
}

}  // namespace

TestData make_test_data(const gemm::Shape& shape, const TestDataOptions& options) {
  TestData data;
  data.shape = shape;
  Integers integers(options.seed);
  const auto fill = [&](auto& values, std::size_t size, auto make) {
    values.resize(size * options.batch);
    for (auto& value : values) value = make();
  };
  const auto element = [&](bool is_unsigned) {
    const int value = integers.next(kLargestInput) + (is_unsigned ? kLargestInput : 0);
    return gemm::to_bf16(static_cast<float>(value));
  };
  const std::size_t size_a = std::size_t{shape.m} * shape.k, size_b = std::size_t{shape.k} * shape.n,
                    size_c = std::size_t{shape.m} * shape.n;
  fill(data.a, size_a, [&] { return element(options.unsigned_a); });
  fill(data.b, size_b, [&] { return element(options.unsigned_b); });
  fill(data.old_c, size_c, [&] { return static_cast<float>(integers.next(kLargestOldC)); });

  const std::vector<float> a = to_floats(data.a), b = to_floats(data.b);
  data.product.resize(data.old_c.size());
  const auto m = static_cast<int>(shape.m), n = static_cast<int>(shape.n), k = static_cast<int>(shape.k);
  for (std::size_t i = 0; i < options.batch; ++i) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0F, a.data() + i * size_a, k,
                b.data() + i * size_b, n, 0.0F, data.product.data() + i * size_c, n);
  }
  return data;
}

Verification compare(const std::vector<float>& result, const std::vector<float>& expected, std::uint32_t columns) {
  Verification verification;
  verification.total = expected.size();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (result[i] == expected[i]) continue;
    if (verification.errors++ == 0) {
      std::ostringstream text;
      text << "C[" << i / columns << "][" << i % columns << "] is " << result[i] << ", expected " << expected[i];
      verification.first = text.str();
    }
    const double error = std::fabs(static_cast<double>(result[i]) - static_cast<double>(expected[i]));
    verification.max_abs_error =
        std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(verification.max_abs_error, error);
  }
  return verification;
}

}  // namespace xeforge::lab
