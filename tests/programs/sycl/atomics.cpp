// SPDX-License-Identifier: Apache-2.0
//
// Atomics in global and local memory: totals, and what they return.
#include <algorithm>
#include <numeric>
#include <random>

#include "program.h"

namespace programs {

namespace {

constexpr std::size_t kLocal = 64, kGroups = 10, kCount = kLocal * kGroups;

template <class T>
std::vector<T> random_values(std::size_t count, long low, long high) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<long> of(low, high);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(of(random));
  return values;
}

/// What totals of values make of `out`.
template <class T>
void apply(T* out, const T* begin, const T* end) {
  for (const T* x = begin; x != end; ++x) {
    out[0] += *x;
    out[1] -= *x;
    out[2] = std::min(out[2], *x);
    out[3] = std::max(out[3], *x);
  }
}

template <class T>
void totals(Program& p, Kernels& k, const std::string& type, long low, long high, bool local) {
  auto in = p.shared(random_values<T>(kCount, low, high));
  auto out = p.shared(std::vector<T>{T{7}, T{9}, T{1000}, T{3}});
  std::vector<T> want(out.begin(), out.end());
  apply(want.data(), in.begin(), in.end());
  k.run("totals_" + type, sycl::nd_range<1>(kCount, kLocal), in, out);
  p.expect_all("totals of " + type, out, [&](std::size_t i) { return want[i]; });
  if (!local) return;
  auto each = p.zeros<T>(4 * kGroups);
  std::vector<T> group_want(4 * kGroups);
  for (std::size_t i = 0; i < 4 * kGroups; ++i) group_want[i] = each[i] = static_cast<T>(i * 3);
  for (std::size_t g = 0; g < kGroups; ++g)
    apply(&group_want[4 * g], in.data() + g * kLocal, in.data() + (g + 1) * kLocal);
  k.run("local_totals_" + type, sycl::nd_range<1>(kCount, kLocal), in, each);
  p.expect_all("local totals of " + type, each, [&](std::size_t i) { return group_want[i]; });
}

template <class T>
void bits(Program& p, Kernels& k, const std::string& type) {
  std::mt19937_64 random(17);
  auto in = p.zeros<T>(kCount);
  // Enough ones for the conjunction to be more than zero.
  for (T& x : in) x = static_cast<T>(random()) | T{0xF0};
  auto out = p.shared(std::vector<T>{static_cast<T>(~T{0}), T{0}, T{0x55}});
  std::vector<T> want(out.begin(), out.end());
  for (const T x : in) {
    want[0] &= x;
    want[1] |= x;
    want[2] ^= x;
  }
  k.run("bits_" + type, sycl::nd_range<1>(kCount, kLocal), in, out);
  p.expect_all("bits of " + type, out, [&](std::size_t i) { return want[i]; });
}

template <class T>
void tickets(Program& p, Kernels& k, const std::string& type) {
  auto counters = p.zeros<T>(2), taken = p.zeros<T>(kCount), inside = p.zeros<T>(kCount);
  k.run("tickets_" + type, sycl::nd_range<1>(kCount, kLocal), counters, taken, inside);
  p.expect(counters[0] == static_cast<T>(kCount), "number of tickets of " + type);
  p.expect(static_cast<std::size_t>(counters[1]) < kCount, "exchanged ticket of " + type);
  std::sort(taken.begin(), taken.end());
  p.expect_all("every ticket once, " + type, taken, [&](std::size_t i) { return i; });
  for (std::size_t g = 0; g < kGroups; ++g) std::sort(inside.data() + g * kLocal, inside.data() + (g + 1) * kLocal);
  p.expect_all("every ticket of a group once, " + type, inside, [&](std::size_t i) { return i % kLocal; });
}

void exchanges(Program& p, Kernels& k) {
  auto counter = p.shared(std::vector<unsigned>{5});
  auto counter64 = p.shared(std::vector<unsigned long>{1});
  auto product = p.shared(std::vector<float>{1.0F});
  auto factors = p.zeros<float>(kCount);
  for (std::size_t i = 0; i < kCount; ++i) factors[i] = i % 2 == 0 ? 2.0F : 0.5F;
  // Exact as long as it stays within the range of the exponents, in any order: at most 320 doublings in a row do not.
  for (std::size_t i = 100; i < kCount; ++i) factors[i] = -1.0F;
  k.run("by_exchange", sycl::nd_range<1>(kCount, kLocal), counter, counter64, product, factors);
  p.expect(counter[0] == 5 + 3 * kCount, "counting by compare-exchange");
  p.expect(counter64[0] == 1 + 5000000000UL * kCount, "counting by compare-exchange in 64 bits");
  p.expect(product[0] == 1.0F, "product by compare-exchange");

  auto head = p.shared(std::vector<int>{-1});
  auto next = p.zeros<int>(kCount);
  k.run("push", sycl::nd_range<1>(kCount, kLocal), head, next);
  std::vector<int> seen;
  for (int at = head[0]; at >= 0 && seen.size() <= kCount; at = next[static_cast<std::size_t>(at)]) seen.push_back(at);
  std::sort(seen.begin(), seen.end());
  std::vector<int> all(kCount);
  std::iota(all.begin(), all.end(), 0);
  p.expect(seen == all, "a stack without locks");
}

void others(Program& p, Kernels& k) {
  auto in = p.shared(random_values<int>(kCount, -1000, 1000));
  auto partial = p.zeros<int>(kGroups), total = p.zeros<int>(1);
  auto finished = p.zeros<unsigned>(1);
  k.run("last_group", sycl::nd_range<1>(kCount, kLocal), in, partial, finished, total);
  p.expect(total[0] == std::accumulate(in.begin(), in.end(), 0), "the last group adds up");

  auto where = p.shared(random_values<unsigned>(kCount, 0, 99));
  auto out = p.zeros<int>(100), old = p.zeros<int>(kCount);
  k.run("scattered", sycl::nd_range<1>(kCount, kLocal), where, out, old);
  p.expect_all("scattered counts", out,
               [&](std::size_t i) { return i % 2 == 0 ? std::count(where.begin(), where.end(), i) : 0; });
  bool each_once = true;
  for (unsigned place = 0; place < 100; ++place) {
    std::vector<int> numbers;
    for (std::size_t i = 0; i < kCount; ++i) {
      if (where[i] == place) numbers.push_back(old[i]);
    }
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      each_once &= numbers[i] == (place % 2 == 0 ? static_cast<int>(i) : -1);
  }
  p.expect(each_once, "scattered tickets");
}

}  // namespace

void atomics(Program& p) {
  Kernels k = p.kernels("atomics.h");
  totals<int>(p, k, "int", -1000000, 1000000, true);
  totals<unsigned>(p, k, "uint", 0, 1000000, true);
  totals<long>(p, k, "long", -4000000000L, 4000000000L, false);
  totals<unsigned long>(p, k, "ulong", 0, 4000000000L, false);
  totals<float>(p, k, "float", -2000, 2000, true);
  bits<unsigned>(p, k, "uint");
  bits<unsigned long>(p, k, "ulong");
  tickets<int>(p, k, "int");
  tickets<unsigned long>(p, k, "ulong");
  exchanges(p, k);
  others(p, k);
}

}  // namespace programs
