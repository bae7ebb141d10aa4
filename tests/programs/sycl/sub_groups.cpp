// SPDX-License-Identifier: Apache-2.0
//
// Sub-groups: positions, shuffles, collectives, votes, parts of sub-groups and block messages, in every size.
#include <algorithm>
#include <numeric>
#include <random>

#include "program.h"

namespace programs {

namespace {

constexpr std::size_t kGroups = 3, kLocal = 96, kCount = kGroups * kLocal;

/// The layout of sub-groups in a one-dimensional group.
struct Layout {
  std::size_t size, local;
  std::size_t start(std::size_t i) const { return i / local * local + i % local / size * size; }
  std::size_t lane(std::size_t i) const { return i % local % size; }
  std::size_t range(std::size_t i) const { return std::min(size, local - i % local / size * size); }
};

bool xe_hpg(Program& p) {
  return sycl::device(p.device()).ext_oneapi_architecture_is(syclexp::architecture::intel_gpu_acm_g10);
}

template <class T>
std::vector<T> random_values(std::size_t count, int low, int high, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> of(low, high);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(of(random));
  return values;
}

void positions(Program& p, Kernels& k, std::size_t size, const std::string& tag) {
  // A group that ends in the middle of a sub-group.
  const Layout layout{size, 44};
  constexpr std::size_t count = 3 * 44;
  auto local_id = p.zeros<unsigned>(count), group_id = p.zeros<unsigned>(count), local_range = p.zeros<unsigned>(count),
       group_range = p.zeros<unsigned>(count), max_range = p.zeros<unsigned>(count);
  k.run("positions", sycl::nd_range<1>(count, 44), local_id, group_id, local_range, group_range, max_range);
  p.expect_all(tag + "local id", local_id, [&](std::size_t i) { return layout.lane(i); });
  p.expect_all(tag + "sub-group id", group_id, [&](std::size_t i) { return i % 44 / size; });
  p.expect_all(tag + "local range", local_range, [&](std::size_t i) { return layout.range(i); });
  p.expect_all(tag + "sub-groups", group_range, [&](std::size_t) { return (44 + size - 1) / size; });
  p.expect_all(tag + "largest range", max_range, [&](std::size_t) { return size; });
}

template <class T>
void shuffles(Program& p, Kernels& k, std::size_t size, const std::string& tag, const std::string& type) {
  const Layout layout{size, kLocal};
  auto in = p.shared(random_values<T>(kCount, -120, 120));
  auto lane = p.shared(random_values<unsigned>(kCount, 0, static_cast<int>(size) - 1, 9));
  auto select = p.zeros<T>(kCount), by_xor = p.zeros<T>(kCount), left = p.zeros<T>(kCount), right = p.zeros<T>(kCount),
       broadcast = p.zeros<T>(kCount);
  for (const unsigned mask : {1U, 2U, 3U, 4U, 5U, 7U}) {
    for (const unsigned delta : {1U, 3U, 6U}) {
      const unsigned from = (mask * 3 + delta) % static_cast<unsigned>(size);
      k.run("shuffle_" + type, sycl::nd_range<1>(kCount, kLocal), in, lane, select, by_xor, left, right, broadcast,
            mask, delta, from);
      p.expect_all(tag + type + " variable shuffle", select,
                   [&](std::size_t i) { return in[layout.start(i) + lane[i]]; });
      p.expect_all(tag + type + " xor shuffle", by_xor,
                   [&](std::size_t i) { return in[layout.start(i) + (layout.lane(i) ^ mask)]; });
      // What comes from outside the sub-group is unspecified.
      p.expect_all(tag + type + " shift left", left,
                   [&](std::size_t i) { return layout.lane(i) + delta < size ? in[i + delta] : left[i]; });
      p.expect_all(tag + type + " shift right", right,
                   [&](std::size_t i) { return layout.lane(i) >= delta ? in[i - delta] : right[i]; });
      p.expect_all(tag + type + " broadcast", broadcast, [&](std::size_t i) { return in[layout.start(i) + from]; });
    }
  }
}

void other_shuffles(Program& p, Kernels& k, std::size_t size, const std::string& tag) {
  const Layout layout{size, kLocal};
  auto in = p.shared(random_values<int>(kCount, -1000000, 1000000));
  auto lane = p.shared(random_values<unsigned>(kCount, 0, static_cast<int>(size) - 1, 11));
  auto out = p.zeros<int>(8 * kCount);
  k.run("shuffle_constants", sycl::nd_range<1>(kCount, kLocal), in, out);
  p.expect_all(tag + "shuffles by constants", out, [&](std::size_t n) {
    const std::size_t i = n % kCount, start = layout.start(i), own = layout.lane(i);
    switch (n / kCount) {
      case 0:
        return in[start + (own ^ 1)];
      case 1:
        return in[start + (own ^ 2)];
      case 2:
        return in[start + (own ^ (size / 2))];
      case 3:
        return own + 1 < size ? in[i + 1] : out[n];
      case 4:
        return own > 0 ? in[i - 1] : out[n];
      case 5:
        return in[start];
      case 6:
        return in[start + size - 1];
      default:
        return in[start + size - 1 - own];
    }
  });

  struct Pair {
    int a;
    long b;
    short c;
  };
  auto pairs = p.zeros<Pair>(kCount), shuffled = p.zeros<Pair>(kCount);
  for (std::size_t i = 0; i < kCount; ++i) pairs[i] = {in[i], in[i] * 10000000019L, static_cast<short>(i)};
  k.run("shuffle_struct", sycl::nd_range<1>(kCount, kLocal), pairs, shuffled, lane);
  bool same = true;
  for (std::size_t i = 0; i < kCount; ++i) {
    const Pair& want = pairs[layout.start(i) + lane[i]];
    same &= shuffled[i].a == want.a && shuffled[i].b == want.b && shuffled[i].c == want.c;
  }
  p.expect(same, tag + "shuffle of a struct");

  auto vectors = p.zeros<float>(4 * kCount), vectors_out = p.zeros<float>(4 * kCount);
  for (std::size_t i = 0; i < 4 * kCount; ++i) vectors[i] = static_cast<float>(i) * 0.5F;
  k.run("shuffle_vector", sycl::nd_range<1>(kCount, kLocal), vectors, vectors_out, lane);
  p.expect_all(tag + "shuffle of a vector", vectors_out,
               [&](std::size_t n) { return vectors[4 * (layout.start(n / 4) + lane[n / 4]) + n % 4]; });
}

/// `identity` starts the exclusive scan.
template <class T, class F>
void collective(Program& p, Kernels& k, std::size_t size, const std::string& tag, const std::string& name, F combine,
                T identity, int low, int high) {
  for (const std::size_t local : {kLocal, std::size_t{44}}) {
    const Layout layout{size, local};
    const std::size_t count = kGroups * local;
    auto in = p.shared(random_values<T>(count, low, high));
    auto reduce = p.zeros<T>(count), inclusive = p.zeros<T>(count), exclusive = p.zeros<T>(count);
    k.run("collect_" + name, sycl::nd_range<1>(count, local), in, reduce, inclusive, exclusive);
    const auto fold = [&](std::size_t begin, std::size_t end) {
      T value = identity;
      for (std::size_t j = begin; j < end; ++j) value = static_cast<T>(combine(value, in[j]));
      return value;
    };
    p.expect_all(tag + name + " reduce", reduce,
                 [&](std::size_t i) { return fold(layout.start(i), layout.start(i) + layout.range(i)); });
    p.expect_all(tag + name + " inclusive scan", inclusive,
                 [&](std::size_t i) { return fold(layout.start(i), i + 1); });
    p.expect_all(tag + name + " exclusive scan", exclusive, [&](std::size_t i) { return fold(layout.start(i), i); });
  }
}

template <class T>
void collectives_of(Program& p, Kernels& k, std::size_t size, const std::string& tag, const std::string& type, int low,
                    int high) {
  using Limits = std::numeric_limits<T>;
  const T top = Limits::has_infinity ? Limits::infinity() : Limits::max();
  const T bottom = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  // Sums of small integers are exact in every type and order.
  collective<T>(
      p, k, size, tag, type + "_plus", [](T a, T b) { return a + b; }, T{0}, low, high);
  collective<T>(
      p, k, size, tag, type + "_min", [](T a, T b) { return std::min(a, b); }, top, low, high);
  collective<T>(
      p, k, size, tag, type + "_max", [](T a, T b) { return std::max(a, b); }, bottom, low, high);
}
template <class T>
void bit_collectives_of(Program& p, Kernels& k, std::size_t size, const std::string& tag, const std::string& type) {
  collective<T>(
      p, k, size, tag, type + "_and", [](T a, T b) { return a & b; }, static_cast<T>(~T{0}), 0, 65535);
  collective<T>(
      p, k, size, tag, type + "_or", [](T a, T b) { return a | b; }, T{0}, 0, 65535);
  collective<T>(
      p, k, size, tag, type + "_xor", [](T a, T b) { return a ^ b; }, T{0}, 0, 65535);
  // IGC 2.40 compiles the 64-bit product of a sub-group for Xe-HPG into code that reads a register nothing was written
  // to (the low half of the first product goes to rN.0 and is read from rN.1).
  if (sizeof(T) == 8 && xe_hpg(p)) return;
  collective<T>(
      p, k, size, tag, type + "_times", [](T a, T b) { return static_cast<T>(a * T{1} * b); }, T{1}, 0, 255);
}

void votes(Program& p, Kernels& k, std::size_t size, const std::string& tag) {
  const Layout layout{size, 44};
  constexpr std::size_t count = 3 * 44;
  auto in = p.shared(random_values<int>(count, -10, 10));
  auto any = p.zeros<unsigned char>(count), all = p.zeros<unsigned char>(count), none = p.zeros<unsigned char>(count);
  auto ballot = p.zeros<unsigned>(count);
  for (const int threshold : {-11, -9, 0, 9, 10}) {
    k.run("votes", sycl::nd_range<1>(count, 44), in, any, all, none, ballot, threshold);
    const auto bits = [&](std::size_t i) {
      unsigned found = 0;
      for (std::size_t j = 0; j < layout.range(i); ++j) found |= (in[layout.start(i) + j] > threshold ? 1U : 0U) << j;
      return found;
    };
    const auto full = [&](std::size_t i) { return static_cast<unsigned>((std::uint64_t{1} << layout.range(i)) - 1); };
    p.expect_all(tag + "any", any, [&](std::size_t i) { return bits(i) != 0; });
    p.expect_all(tag + "all", all, [&](std::size_t i) { return bits(i) == full(i); });
    p.expect_all(tag + "none", none, [&](std::size_t i) { return bits(i) == 0; });
    p.expect_all(tag + "ballot", ballot, bits);
  }
}

void parts(Program& p, Kernels& k, std::size_t size, const std::string& tag) {
  const Layout layout{size, kLocal};
  auto in = p.shared(random_values<int>(kCount, 0, 999));
  auto sum = p.zeros<int>(kCount), scan = p.zeros<int>(kCount);
  auto number = p.zeros<unsigned>(kCount);
  k.run("loop_of_scans", sycl::nd_range<1>(kCount, kLocal), in, sum);
  std::vector<int> values(in.begin(), in.end());
  for (std::size_t start = 0; start < kCount; start += size) {
    for (std::size_t round = 0; round <= start % kLocal / size % 5; ++round) {
      const int largest = *std::max_element(&values[start], &values[start] + size);
      int running = 0;
      for (std::size_t j = start; j < start + size; ++j) values[j] = (running += values[j]) % 1000 + largest;
    }
  }
  p.expect_all(tag + "scans in a loop", sum, [&](std::size_t i) { return values[i]; });

  k.run("opportunistic", sycl::nd_range<1>(kCount, kLocal), in, sum, number);
  const auto taken = [&](std::size_t i, bool counting) {
    int total = 0;
    for (std::size_t j = layout.start(i); j < layout.start(i) + size; ++j)
      total += in[j] % 3 == 0 ? (counting ? 1 : in[j]) : 0;
    return total;
  };
  p.expect_all(tag + "opportunistic group, sum", sum,
               [&](std::size_t i) { return in[i] % 3 == 0 ? taken(i, false) : -1; });
  p.expect_all(tag + "opportunistic group, size", number,
               [&](std::size_t i) { return in[i] % 3 == 0 ? taken(i, true) : 0; });

  k.run("chunks", sycl::nd_range<1>(kCount, kLocal), in, sum, scan, number);
  const auto total = [&](std::size_t begin, std::size_t end) {
    return std::accumulate(in.data() + begin, in.data() + end, 0);
  };
  p.expect_all(tag + "chunks, sum", sum, [&](std::size_t i) { return total(i / 4 * 4, i / 4 * 4 + 4); });
  p.expect_all(tag + "chunks, scan", scan, [&](std::size_t i) { return total(i / 4 * 4, i); });
  p.expect_all(tag + "chunks, rank", number, [&](std::size_t i) { return i % 4; });
}

void blocks(Program& p, Kernels& k, const std::string& tag) {
  auto in = p.shared(random_values<unsigned>(4 * kCount, 0, 1 << 30)), out = p.zeros<unsigned>(4 * kCount);
  auto in16 = p.shared(random_values<unsigned short>(4 * kCount, 0, 60000)),
       out16 = p.zeros<unsigned short>(4 * kCount);
  auto in64 = p.shared(random_values<unsigned long>(4 * kCount, 0, 1 << 30)),
       out64 = p.zeros<unsigned long>(4 * kCount);
  for (unsigned long& value : in64) value *= 1000000007UL;
  k.run("block_copy", sycl::nd_range<1>(kCount, kLocal), in, out, in16, out16, in64, out64);
  p.expect_all(tag + "blocks of 32 bits", out, [&](std::size_t i) { return in[i] + 1; });
  p.expect_all(tag + "blocks of 16 bits", out16, [&](std::size_t i) { return in16[i] + 2; });
  p.expect_all(tag + "blocks of 64 bits", out64, [&](std::size_t i) { return in64[i] + 3; });
}

}  // namespace

void sub_groups(Program& p) {
  for (const std::size_t size : p.sub_group_sizes()) {
    const bool with_blocks = size < 32 || !xe_hpg(p);
    std::vector<std::string> defines = {"SG=" + std::to_string(size)};
    if (!with_blocks) defines.push_back("NO_BLOCKS");
    Kernels k = p.kernels("sub_groups.h", defines);
    const std::string tag = "sub-group of " + std::to_string(size) + ": ";
    positions(p, k, size, tag);
    shuffles<signed char>(p, k, size, tag, "char");
    shuffles<short>(p, k, size, tag, "short");
    shuffles<int>(p, k, size, tag, "int");
    shuffles<long>(p, k, size, tag, "long");
    shuffles<sycl::half>(p, k, size, tag, "half");
    shuffles<float>(p, k, size, tag, "float");
    other_shuffles(p, k, size, tag);
    collectives_of<signed char>(p, k, size, tag, "char", -128, 127);
    collectives_of<short>(p, k, size, tag, "short", -32768, 32767);
    collectives_of<int>(p, k, size, tag, "int", -40000000, 40000000);
    collectives_of<unsigned>(p, k, size, tag, "uint", 0, 2000000000);
    collectives_of<long>(p, k, size, tag, "long", -2000000000, 2000000000);
    collectives_of<unsigned long>(p, k, size, tag, "ulong", 0, 2000000000);
    collectives_of<sycl::half>(p, k, size, tag, "half", -32, 32);
    collectives_of<float>(p, k, size, tag, "float", -1000, 1000);
    collective<float>(
        p, k, size, tag, "float_times", [](float a, float b) { return a * b; }, 1.0F, 1, 2);
    bit_collectives_of<unsigned>(p, k, size, tag, "uint");
    bit_collectives_of<unsigned long>(p, k, size, tag, "ulong");
    bit_collectives_of<unsigned short>(p, k, size, tag, "ushort");
    votes(p, k, size, tag);
    parts(p, k, size, tag);
    if (with_blocks) blocks(p, k, tag);
  }
}

}  // namespace programs
