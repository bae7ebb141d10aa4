// SPDX-License-Identifier: Apache-2.0
//
// Every wrong call and the error that it gets, one row each. A call that throws has submitted nothing: C stays.
#include <functional>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_memory.h"
#include "xeforge/gemm.h"

namespace xeforge::gemm {
namespace {

/// A right call of 128x64x32, in parts that a row makes wrong.
struct Call {
  sycl::queue queue{sycl::gpu_selector_v};
  Gemm gemm{queue};
  std::vector<Bf16> zeros = std::vector<Bf16>(256 * 256);
  PackedA a = PackedA::pack(queue, std::span(zeros).first(128 * 32), 128, 32);
  PackedB b = PackedB::pack(queue, std::span(zeros).first(32 * 64), 32, 64);
  DeviceMemory<float> memory = DeviceMemory<float>(queue, std::vector<float>(128 * 64 + 4, 7.0F));
  Problem problem{128, 64, 32, 1, 0};
  float* c = memory.data();

  sycl::queue elsewhere() const { return sycl::queue(sycl::context(queue.get_device()), queue.get_device()); }
  std::span<const Bf16> matrix(std::size_t count) const { return std::span(zeros).first(count); }
  void multiply() { gemm.multiply(problem, a, b, c).wait_and_throw(); }
};

struct Misuse {
  const char* name;
  std::function<void(Call&)> call;
  Status status;
  const char* says;
};
void PrintTo(const Misuse& misuse, std::ostream* out) { *out << misuse.name; }

const std::vector<Misuse>& misuses() {
  static const std::vector<Misuse> all = {
      // Sizes.
      {"ZeroM",
       [](Call& c) {
         c.problem.m = 0;
         c.multiply();
       },
       Status::BadSize, "M = 0"},
      {"NegativeN",
       [](Call& c) {
         c.problem.n = -64;
         c.multiply();
       },
       Status::BadSize, "N = -64"},
      {"HugeK",
       [](Call& c) {
         c.problem.k = std::int64_t{1} << 40;
         c.multiply();
       },
       Status::BadSize, "1099511627776"},
      {"MNotOfBlocks",
       [](Call& c) {
         c.problem.m = 100;
         c.multiply();
       },
       Status::SizeNotMultiple, "M = 100 is not a multiple of 128: pad the matrix to 128"},
      {"NNotOfBlocks",
       [](Call& c) {
         c.problem.n = 96;
         c.multiply();
       },
       Status::SizeNotMultiple, "pad the matrix to 128"},
      {"KNotOfBlocks",
       [](Call& c) {
         c.problem.k = 33;
         c.multiply();
       },
       Status::SizeNotMultiple, "K = 33 is not a multiple of 32"},
      // Operands of another problem.
      {"AnotherM",
       [](Call& c) {
         c.problem.m = 256;
         c.multiply();
       },
       Status::ShapeMismatch, "A holds 128 x 32 elements; the problem needs 256 x 32"},
      {"AnotherN",
       [](Call& c) {
         c.problem.n = 128;
         c.multiply();
       },
       Status::ShapeMismatch, "B holds 32 x 64"},
      {"AnotherK",
       [](Call& c) {
         c.problem.k = 64;
         c.multiply();
       },
       Status::ShapeMismatch, "the problem needs 128 x 64"},
      // C.
      {"NullC",
       [](Call& c) {
         c.c = nullptr;
         c.multiply();
       },
       Status::NullPointer, "C is null"},
      {"MisalignedC",
       [](Call& c) {
         ++c.c;
         c.multiply();
       },
       Status::MisalignedPointer, "not aligned to 16 bytes"},
      {"CInHostMemory",
       [](Call& c) {
         alignas(16) static float plain[128 * 64];
         c.c = plain;
         c.multiply();
       },
       Status::NotDeviceMemory, "no USM of the queue's context"},
      {"CTooSmall",
       [](Call& c) {
         const DeviceMemory<float> small(c.queue, std::vector<float>(4));
         c.c = small.data();
         c.multiply();
       },
       Status::NotDeviceMemory, "its last byte"},
      {"CIsA",
       [](Call& c) {
         DeviceMemory<float> both(c.queue, std::vector<float>(128 * 64));
         c.a = PackedA::view(c.queue, reinterpret_cast<const Bf16*>(both.data()), 128, 32);
         c.c = both.data();
         c.multiply();
       },
       Status::Overlap, "C shares memory with A"},
      {"CEndsInB",
       [](Call& c) {
         DeviceMemory<float> both(c.queue, std::vector<float>(128 * 64 + 1024));
         c.b = PackedB::view(c.queue, reinterpret_cast<const std::uint32_t*>(both.data() + 128 * 64 - 4), 32, 64);
         c.c = both.data();
         c.multiply();
       },
       Status::Overlap, "C shares memory with B"},
      // Another context.
      {"AOfAnotherContext",
       [](Call& c) {
         c.a = PackedA::pack(c.elsewhere(), c.matrix(128 * 32), 128, 32);
         c.multiply();
       },
       Status::WrongDevice, "A was packed for another device or context"},
      {"BOfAnotherContext",
       [](Call& c) {
         c.b = PackedB::pack(c.elsewhere(), c.matrix(32 * 64), 32, 64);
         c.multiply();
       },
       Status::WrongDevice, "B was packed for another"},
      {"UnpackElsewhere", [](Call& c) { c.a.unpack(c.elsewhere()); }, Status::WrongDevice, "another context"},
      // Packing.
      {"PackRowsOfA", [](Call& c) { PackedA::pack(c.queue, c.matrix(100 * 32), 100, 32); }, Status::SizeNotMultiple,
       "A in operand order: rows = 100"},
      {"PackColumnsOfA", [](Call& c) { PackedA::pack(c.queue, c.matrix(128 * 16), 128, 16); }, Status::SizeNotMultiple,
       "columns = 16"},
      {"PackOddRowsOfB", [](Call& c) { PackedB::pack(c.queue, c.matrix(3 * 64), 3, 64); }, Status::SizeNotMultiple,
       "B as VNNI words: rows = 3"},
      {"PackNothing", [](Call& c) { PackedB::pack(c.queue, c.matrix(0), 0, 64); }, Status::BadSize, "rows = 0"},
      {"PackTooFew", [](Call& c) { PackedA::pack(c.queue, c.matrix(128), 128, 32); }, Status::ShapeMismatch,
       "the matrix has 128 elements, not 128 x 32"},
      {"MicroTileRows", [](Call& c) { Packed<layout::MicroTilesOfA>::pack(c.queue, c.matrix(12 * 16), 12, 16); },
       Status::SizeNotMultiple, "rows = 12 is not a multiple of 8"},
      {"OperandsOfBColumns", [](Call& c) { Packed<layout::OperandsOfB>::pack(c.queue, c.matrix(32 * 32), 32, 32); },
       Status::SizeNotMultiple, "columns = 32 is not a multiple of 64"},
      // Views.
      {"ViewOfNull", [](Call& c) { PackedA::view(c.queue, nullptr, 128, 32); }, Status::NullPointer,
       "A in operand order is null"},
      {"ViewMisaligned", [](Call& c) { PackedA::view(c.queue, c.a.data() + 1, 128, 32); }, Status::MisalignedPointer,
       "not aligned"},
      {"ViewOfHostMemory",
       [](Call& c) { PackedB::view(c.queue, reinterpret_cast<const std::uint32_t*>(c.zeros.data()), 32, 64); },
       Status::NotDeviceMemory, "sycl::malloc_device"},
      {"ViewTooLarge", [](Call& c) { PackedA::view(c.queue, c.a.data(), 1280, 320); }, Status::NotDeviceMemory,
       "its last byte"},
      // The object.
      {"PrefetchTooFar", [](Call& c) { Gemm(c.queue, {.prefetch_distance = 9, .progress = {}}); },
       Status::BadPrefetchDistance, "prefetch distance 9: it is 0 (none) to 8"},
  };
  return all;
}

class EveryMisuse : public testing::TestWithParam<Misuse> {};

TEST_P(EveryMisuse, IsAnErrorThatSaysSo) {
  Call call;
  try {
    GetParam().call(call);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(name_of(error.status()), name_of(GetParam().status)) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().says));
  }
  call.queue.wait_and_throw();
  EXPECT_EQ(call.memory.read(), std::vector<float>(128 * 64 + 4, 7.0F));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMisuse, testing::ValuesIn(misuses()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Misuse, TheRightCallIsNone) {
  Call call;
  call.multiply();
  std::vector<float> expected(128 * 64, 0.0F);
  expected.resize(128 * 64 + 4, 7.0F);
  EXPECT_EQ(call.memory.read(), expected);
}

TEST(Misuse, ErrorsAreInvalidArguments) {
  Call call;
  call.problem.m = 1;
  EXPECT_THROW(call.multiply(), std::invalid_argument);
}

}  // namespace
}  // namespace xeforge::gemm
