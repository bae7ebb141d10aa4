// SPDX-License-Identifier: Apache-2.0
//
// Double precision, where the device has it. Elsewhere the runtime must refuse its kernels.
#include <numeric>

#include "math_checks.h"

namespace programs {

namespace {

constexpr std::size_t kCount = 256, kLocal = 64;

template <class To, class From>
void convert(Program& p, Kernels& k, const std::string& name, std::vector<From> values) {
  auto in = p.shared(values);
  auto out = p.zeros<To>(values.size());
  k.run(name, sycl::nd_range<1>((values.size() + 63) / 64 * 64, 64), in, out, static_cast<unsigned>(values.size()));
  p.expect_all(name, out, [&](std::size_t i) { return static_cast<To>(values[i]); });
}

void conversions(Program& p, Kernels& k) {
  std::mt19937_64 random(53);
  const auto reals = [&](double largest, bool both_signs) {
    std::vector<double> values = {0.0, 0.5, 1.5, 2.5, 1.0};
    std::uniform_real_distribution<double> exponent(-30, std::log2(largest));
    for (int i = 0; i < 1000; ++i) values.push_back((i % 2 == 0 && both_signs ? -1 : 1) * std::exp2(exponent(random)));
    return values;
  };
  const auto integers = [&]<class T>(T) {
    std::vector<T> values = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 0, 1, static_cast<T>(-1)};
    for (int i = 0; i < 1000; ++i)
      values.push_back(static_cast<T>(static_cast<T>(random()) >> (random() % (8 * sizeof(T)))));
    return values;
  };
  convert<float>(p, k, "double_to_float", reals(1e38, true));
  convert<int>(p, k, "double_to_int", reals(2e9, true));
  convert<unsigned>(p, k, "double_to_uint", reals(4e9, false));
  convert<long>(p, k, "double_to_long", reals(9e18, true));
  convert<unsigned long>(p, k, "double_to_ulong", reals(1.8e19, false));
  convert<short>(p, k, "double_to_short", reals(32000, true));
  convert<double>(p, k, "int_to_double", integers(int{}));
  convert<double>(p, k, "uint_to_double", integers(unsigned{}));
  convert<double>(p, k, "long_to_double", integers(long{}));
  convert<double>(p, k, "ulong_to_double", integers(static_cast<unsigned long>(0)));
  convert<double>(p, k, "char_to_double", integers(static_cast<signed char>(0)));
  std::vector<float> floats;
  std::vector<sycl::half> halves;
  for (const double x : reals(1e38, true)) floats.push_back(static_cast<float>(x));
  for (const double x : reals(60000, true)) halves.push_back(static_cast<sycl::half>(static_cast<float>(x)));
  convert<double>(p, k, "float_to_double", floats);
  convert<double>(p, k, "half_to_double", halves);
}

void together(Program& p, Kernels& k) {
  auto in = p.zeros<double>(kCount);
  for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<double>(i * 7919 % 1000) * 0.25 - 100;
  auto group = p.zeros<double>(kCount), sub = p.zeros<double>(kCount), scan = p.zeros<double>(kCount),
       shuffled = p.zeros<double>(kCount);
  k.run("collectives", sycl::nd_range<1>(kCount, kLocal), in, group, sub, scan, shuffled);
  p.expect_all("sums of doubles", group, [&](std::size_t i) {
    return std::accumulate(in.data() + i / kLocal * kLocal, in.data() + i / kLocal * kLocal + kLocal, 0.0);
  });
  p.expect_all("scans of doubles", scan,
               [&](std::size_t i) { return std::accumulate(in.data() + i / kLocal * kLocal, in.data() + i + 1, 0.0); });
  p.expect_all("shuffles of doubles", shuffled, [&](std::size_t i) { return in[i ^ 5]; });
  // The compiler chose the sub-group's size; it is one of the device's.
  bool found = false;
  for (const std::size_t size : p.sub_group_sizes()) {
    bool same = true;
    for (std::size_t i = 0; i < kCount; ++i)
      same &= sub[i] == *std::max_element(in.data() + i / size * size, in.data() + i / size * size + size);
    found |= same;
  }
  p.expect(found, "largest double of a sub-group");

  auto out = p.shared(std::vector<double>{1, 2, 0, 0});
  k.run("atomics", sycl::nd_range<1>(kCount, kLocal), in, out);
  const double total = std::accumulate(in.begin(), in.end(), 0.0);
  p.expect(out[0] == 1 + total && out[1] == 2 - total, "atomic sums of doubles");
  p.expect(out[2] == std::min(0.0, *std::min_element(in.begin(), in.end())) &&
               out[3] == std::max(0.0, *std::max_element(in.begin(), in.end())),
           "atomic extremes of doubles");

  constexpr int n = 32;
  auto a = p.zeros<double>(n * n), b = p.zeros<double>(n * n), c = p.zeros<double>(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[static_cast<std::size_t>(i)] = i % 17 - 8;
    b[static_cast<std::size_t>(i)] = i % 23 - 11;
  }
  k.run("matmul", sycl::nd_range<2>({n, n}, {8, 8}), a, b, c, n);
  p.expect_all("matrix product in doubles", c, [&](std::size_t i) {
    double sum = 0;
    for (std::size_t t = 0; t < n; ++t) sum += a[i / n * n + t] * b[t * n + i % n];
    return sum;
  });
  auto positive = p.zeros<double>(kCount), roots = p.zeros<double>(kCount);
  for (std::size_t i = 0; i < kCount; ++i) positive[i] = static_cast<double>(i) * 1.7 + 0.3;
  k.run("newton", sycl::nd_range<1>(kCount, kLocal), positive, roots);
  p.expect_all("roots by Newton's method", roots, [&](std::size_t i) { return std::sqrt(positive[i]); }, {.ulp = 2});
}

}  // namespace

void doubles(Program& p) {
  if (!p.device().has(sycl::aspect::fp64)) {
    bool refused = false;
    try {
      Kernels k = p.kernels("doubles.h");
      k.get("newton");
    } catch (const sycl::exception&) {
      refused = true;
    }
    p.expect(refused, "kernels with doubles are refused on a device without them");
    return;
  }
  Kernels k = p.kernels("doubles.h");
  conversions(p, k);
  together(p, k);
  MathChecks<double>(p, p.kernels("math.h", {"REAL=double", "PREFIX=d_"}), "d_").all();
}

}  // namespace programs
