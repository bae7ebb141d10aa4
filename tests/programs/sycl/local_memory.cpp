// SPDX-License-Identifier: Apache-2.0
//
// Local memory of both kinds (of a launch, of a kernel), barriers, and pointers that may point anywhere.
#include <numeric>

#include "program.h"

namespace programs {

namespace {

std::vector<int> numbers(std::size_t count) {
  std::vector<int> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<int>((i * 2654435761U) % 20011) - 10000;
  return values;
}

void exchange(Program& p, Kernels& k) {
  for (const std::size_t local : {1UL, 31UL, 64UL, 200UL, 1024UL}) {
    const std::size_t count = 3 * local;
    auto in = p.shared(numbers(count));
    auto out = p.zeros<int>(count);
    k.run("reverse", sycl::nd_range<1>(count, local), in, out, Local<int>{local});
    p.expect_all("reverse in groups of " + std::to_string(local), out,
                 [&](std::size_t i) { return in[i / local * local + local - 1 - i % local]; });

    auto longs = p.zeros<long>(count);
    k.run("mixed", sycl::nd_range<1>(count, local), in, longs, Local<unsigned char>{local}, Local<long>{local},
          Local<unsigned short>{local}, Local<float>{local});
    p.expect_all("four accessors in groups of " + std::to_string(local), longs, [&](std::size_t i) {
      const int x = in[i / local * local + (i + 1 - i / local * local) % local];
      return static_cast<unsigned char>(x) + x * 100000007L + static_cast<unsigned short>(x * 3) + x;
    });

    auto floats = p.zeros<float>(count), sums = p.zeros<float>(count);
    std::iota(floats.begin(), floats.end(), -7.0F);
    k.run("vectors", sycl::nd_range<1>(count, local), floats, sums, Local<float>{4 * local});
    p.expect_all("vectors in groups of " + std::to_string(local), sums, [&](std::size_t i) {
      const std::size_t start = i / local * local, other = (i % local * 5 + 3) % local;
      const auto memory = [&](std::size_t j) { return floats[start + j / 4] + static_cast<float>(j % 4); };
      return memory(4 * other) + 2 * memory(4 * other + 1) + 4 * memory(4 * other + 2) + 8 * memory(4 * other + 3) +
             16 * memory(2 * other) + 32 * memory(2 * other + 1);
    });

    auto played = p.zeros<int>(count);
    k.run("ping_pong", sycl::nd_range<1>(count, local), played, 17, Local<int>{2 * local});
    p.expect_all("ping-pong in groups of " + std::to_string(local), played,
                 [&](std::size_t i) { return (i % local + 17) % local + 17; });
  }
}

void reductions(Program& p, Kernels& k) {
  for (const std::size_t local : {2UL, 64UL, 512UL}) {
    auto in = p.shared(numbers(5 * local));
    auto out = p.zeros<int>(5);
    k.run("tree_sum", sycl::nd_range<1>(5 * local, local), in, out, Local<int>{local});
    p.expect_all("tree in groups of " + std::to_string(local), out,
                 [&](std::size_t g) { return std::accumulate(in.data() + g * local, in.data() + (g + 1) * local, 0); });
  }
  constexpr unsigned kBytes = 10007;
  auto bytes = p.zeros<unsigned char>(kBytes);
  for (unsigned i = 0; i < kBytes; ++i) bytes[i] = static_cast<unsigned char>(i * i / 7);
  auto bins = p.zeros<unsigned>(256);
  k.run("histogram", sycl::nd_range<1>(512, 128), bytes, bins, kBytes);
  p.expect_all("histogram", bins, [&](std::size_t b) { return std::count(bytes.begin(), bytes.end(), b); });
}

void transpose(Program& p, Kernels& k) {
  constexpr unsigned kRows = 45, kColumns = 67;
  auto in = p.zeros<float>(kRows * kColumns), out = p.zeros<float>(kRows * kColumns);
  std::iota(in.begin(), in.end(), 0.25F);
  k.run("transpose", sycl::nd_range<2>({48, 80}, {16, 16}), in, out, kRows, kColumns);
  p.expect_all("transpose", out, [&](std::size_t i) { return in[i % kRows * kColumns + i / kRows]; });
}

void generic(Program& p, Kernels& k) {
  constexpr std::size_t kLocal = 50, kCount = 4 * kLocal;
  for (const unsigned choose : {0U, 1U, 2U}) {
    auto global = p.shared(numbers(kCount));
    const std::vector<int> before(global.begin(), global.end());
    auto out = p.zeros<int>(kCount);
    k.run("generic_pointer", sycl::nd_range<1>(kCount, kLocal), global, out, Local<int>{kLocal}, choose);
    const auto chosen = [&](std::size_t i) {
      return i % kLocal % 3 == choose ? 0 : i % kLocal % 3 == (choose + 1) % 3 ? 1 : 2;
    };
    p.expect_all("generic pointers, values", out, [&](std::size_t i) {
      const int l = static_cast<int>(i % kLocal);
      return chosen(i) == 0 ? 1005 + l : chosen(i) == 1 ? before[i] + 5 : 12 + l % 4;
    });
    p.expect_all("generic pointers, memory", global,
                 [&](std::size_t i) { return before[i] + (chosen(i) == 1 ? 5 : 0); });
  }
}

}  // namespace

void local_memory(Program& p) {
  Kernels k = p.kernels("local_memory.h");
  exchange(p, k);
  reductions(p, k);
  transpose(p, k);
  generic(p, k);
}

}  // namespace programs
