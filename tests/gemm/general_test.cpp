// SPDX-License-Identifier: Apache-2.0
//
// The general kernel through its public header, on the virtual A770, as a program would call it.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "device_memory.h"
#include "xeforge/gemm.h"

namespace xeforge::gemm {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Small integers, so that every sum is exact; the bits of bfloat16.
std::vector<Bf16> integers(std::size_t count, unsigned seed) {
  std::vector<Bf16> values(count);
  std::uint32_t state = seed;
  for (Bf16& value : values) {
    state = state * 1664525 + 1013904223;
    value = Bf16(sycl::bit_cast<std::uint32_t>(static_cast<float>(state >> 24) - 128) >> 16);
  }
  return values;
}

float to_float(Bf16 value) { return sycl::bit_cast<float>(std::uint32_t{value} << 16); }

struct Data {
  std::vector<Bf16> a, b;
  std::vector<float> c, expected;
};

Data make_data(const Problem& p) {
  const auto m = static_cast<std::size_t>(p.m), n = static_cast<std::size_t>(p.n), k = static_cast<std::size_t>(p.k);
  Data data{integers(m * k, 1), integers(k * n, 2), std::vector<float>(m * n), std::vector<float>(m * n)};
  for (std::size_t i = 0; i < data.c.size(); ++i) data.c[i] = static_cast<float>(i % 17) - 8;
  for (std::size_t row = 0; row < m; ++row) {
    std::vector<float> sums(n);
    for (std::size_t kk = 0; kk < k; ++kk) {
      const float left = to_float(data.a[row * k + kk]);
      for (std::size_t column = 0; column < n; ++column) sums[column] += left * to_float(data.b[kk * n + column]);
    }
    for (std::size_t column = 0; column < n; ++column) {
      const std::size_t at = row * n + column;
      data.expected[at] = p.alpha * sums[column] + (p.beta == 0 ? 0 : p.beta * data.c[at]);
    }
  }
  return data;
}

class General : public testing::TestWithParam<unsigned> {
 protected:
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
};

TEST_P(General, EveryFactorAndSize) {
  Gemm gemm(queue, {.prefetch_distance = GetParam(), .progress = {}});
  const std::vector<Problem> problems = {{128, 64, 32, 1, 0},    {128, 64, 32, 0, 1},    {128, 64, 64, 1, 0},
                                         {256, 64, 96, 2, 1},    {128, 192, 160, 1, -1}, {384, 128, 32, -2, 0.25F},
                                         {256, 128, 96, 0.5F, 0}};
  for (const Problem& p : problems) {
    SCOPED_TRACE(std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k));
    const Data data = make_data(p);
    const auto a = PackedA::pack(queue, data.a, static_cast<std::size_t>(p.m), static_cast<std::size_t>(p.k));
    const auto b = PackedB::pack(queue, data.b, static_cast<std::size_t>(p.k), static_cast<std::size_t>(p.n));
    DeviceMemory<float> c(queue, data.c);
    gemm.multiply(p, a, b, c.data()).wait_and_throw();
    EXPECT_EQ(c.read(), data.expected);
  }
}

TEST_P(General, OldCIsNotReadWithBetaZero) {
  Gemm gemm(queue, {.prefetch_distance = GetParam(), .progress = {}});
  for (const float alpha : {1.0F, 2.0F}) {
    const Problem p{256, 128, 96, alpha, 0};
    const Data data = make_data(p);
    const auto a = PackedA::pack(queue, data.a, 256, 96);
    const auto b = PackedB::pack(queue, data.b, 96, 128);
    DeviceMemory<float> c(queue, std::vector<float>(data.c.size(), kNaN));
    gemm.multiply(p, a, b, c.data()).wait_and_throw();
    EXPECT_EQ(c.read(), data.expected) << "alpha " << alpha;
  }
}

TEST_P(General, OldCIsReadOtherwise) {
  Gemm gemm(queue, {.prefetch_distance = GetParam(), .progress = {}});
  const Problem p{128, 64, 32, 1, 0.5F};
  const Data data = make_data(p);
  DeviceMemory<float> c(queue, std::vector<float>(data.c.size(), kNaN));
  gemm.multiply(p, PackedA::pack(queue, data.a, 128, 32), PackedB::pack(queue, data.b, 32, 64), c.data())
      .wait_and_throw();
  for (const float value : c.read()) EXPECT_TRUE(std::isnan(value));
}

TEST_P(General, WaitsForWhatItIsToldTo) {
  // Out of order: only the event keeps the product behind the copy of old C.
  sycl::queue unordered(queue.get_context(), queue.get_device());
  Gemm gemm(unordered, {.prefetch_distance = GetParam(), .progress = {}});
  const Problem p{128, 64, 64, 1, 1};
  const Data data = make_data(p);
  const auto a = PackedA::pack(unordered, data.a, 128, 64);
  const auto b = PackedB::pack(unordered, data.b, 64, 64);
  DeviceMemory<float> c(unordered, std::vector<float>(data.c.size(), kNaN));
  const sycl::event restored = unordered.memcpy(c.data(), data.c.data(), data.c.size() * sizeof(float));
  gemm.multiply(p, a, b, c.data(), {restored}).wait_and_throw();
  EXPECT_EQ(c.read(), data.expected);
}

INSTANTIATE_TEST_SUITE_P(Distances, General, testing::Values(0U, 1U, 2U));

TEST(KernelNames, SayWhatIsLeftOut) {
  EXPECT_EQ(Gemm::kernel_name(1, 0), "general_1_0");
  EXPECT_EQ(Gemm::kernel_name(2, 0), "general_a_0");
  EXPECT_EQ(Gemm::kernel_name(1, -1), "general_1_b");
  EXPECT_EQ(Gemm::kernel_name(0, 1, 2), "prefetch2_a_b");
  EXPECT_EQ(Gemm::kernel_name(1, -0.0F), "general_1_0");
}

// A wrong layout, the operands exchanged, or an unpacked matrix: none of them compiles.
template <class A, class B>
concept Multiplies = requires(Gemm gemm, Problem problem, A a, B b, float* c) {
  gemm.multiply(problem, a, b, c);
};
static_assert(Multiplies<PackedA, PackedB>);
static_assert(!Multiplies<PackedB, PackedA>);
static_assert(!Multiplies<PackedA, PackedA>);
static_assert(!Multiplies<Packed<layout::MicroTilesOfA>, PackedB>);
static_assert(!Multiplies<PackedA, Packed<layout::OperandsOfB>>);
static_assert(!Multiplies<const Bf16*, PackedB>);
static_assert(!Multiplies<PackedA, const std::uint32_t*>);
// Matrices as they are go another way, which reads them as such.
static_assert(Multiplies<const sycl::ext::oneapi::bfloat16*, const sycl::ext::oneapi::bfloat16*>);

template <class Layout>
void there_and_back(std::size_t rows, std::size_t columns) {
  sycl::queue queue{sycl::gpu_selector_v};
  const std::vector<Bf16> matrix = integers(rows * columns, 3);
  const auto packed = Packed<Layout>::pack(queue, matrix, rows, columns);
  EXPECT_EQ(packed.rows(), rows);
  EXPECT_EQ(packed.columns(), columns);
  EXPECT_EQ(packed.bytes(), rows * columns * 2);
  EXPECT_EQ(packed.unpack(queue), matrix);
  // A view of the same memory is the same operand.
  EXPECT_EQ(Packed<Layout>::view(queue, packed.data(), rows, columns).unpack(queue), matrix);
}

TEST(PackedOperands, ComeBackAsTheyWere) {
  there_and_back<layout::OperandsOfA>(256, 96);
  there_and_back<layout::MicroTilesOfA>(24, 48);
  there_and_back<layout::VnniOfB>(6, 5);
  there_and_back<layout::OperandsOfB>(96, 128);
}

TEST(PackedOperands, TakeBfloat16) {
  sycl::queue queue{sycl::gpu_selector_v};
  std::vector<sycl::ext::oneapi::bfloat16> matrix(128 * 32);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<float>(i % 100);
  const std::vector<Bf16> bits = PackedA::pack(queue, matrix, 128, 32).unpack(queue);
  for (std::size_t i = 0; i < bits.size(); ++i) ASSERT_EQ(to_float(bits[i]), static_cast<float>(i % 100)) << i;
}

TEST(PackedOperands, LiveAsLongAsACopy) {
  sycl::queue queue{sycl::gpu_selector_v};
  const std::vector<Bf16> matrix = integers(128 * 32, 4);
  const PackedA copy = [&] {
    const PackedA original = PackedA::pack(queue, matrix, 128, 32);
    return original;
  }();
  EXPECT_EQ(copy.unpack(queue), matrix);
}

}  // namespace
}  // namespace xeforge::gemm
