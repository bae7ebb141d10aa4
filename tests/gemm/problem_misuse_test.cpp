// SPDX-License-Identifier: Apache-2.0
//
// Every wrong call of the library for any problem, one row each, and files of packed weights that are not what they
// should be. A call that throws has submitted nothing: C stays.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "device_memory.h"
#include "xeforge/gemm.h"

namespace xeforge::gemm {
namespace {

namespace fs = std::filesystem;

/// A right call of 24x20x40, bf16 to f32, in parts that a row makes wrong.
struct Call {
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  Gemm gemm{queue};
  DeviceMemory<Bf16> memory_a{queue, std::vector<Bf16>(24 * 40)}, memory_b{queue, std::vector<Bf16>(40 * 20)};
  DeviceMemory<float> memory_c{queue, std::vector<float>(24 * 20, 7.0F)};
  Problem problem{24, 20, 40};
  Operand<Side::A> a = memory_a.data();
  Operand<Side::B> b = memory_b.data();
  void* c = memory_c.data();
  Extras extras;

  void multiply() { gemm.multiply(problem, a, b, c, extras).wait_and_throw(); }
};

struct Misuse {
  const char* name;
  std::function<void(Call&)> spoil;  ///< what is wrong with the call, or a wrong call itself
  Status status;
  const char* says;
};
void PrintTo(const Misuse& misuse, std::ostream* out) { *out << misuse.name; }

const std::vector<Misuse>& misuses() {
  static const std::vector<Misuse> all = {
      {"NegativeM", [](Call& c) { c.problem.m = -1; }, Status::BadSize, "M = -1"},
      {"HugeK", [](Call& c) { c.problem.k = std::int64_t{1} << 40; }, Status::BadSize, "1099511627776"},
      {"NegativeBatch", [](Call& c) { c.problem.batch = -2; }, Status::BadSize, "batch = -2"},
      {"FloatWithInteger", [](Call& c) { c.problem.b = Type::S8; }, Status::BadType, "A of bf16 with B of s8"},
      {"TwoFloats", [](Call& c) { c.problem.b = Type::F16; }, Status::BadType, "both are bf16"},
      {"OperandsOfS32", [](Call& c) { c.problem.a = c.problem.b = Type::S32; }, Status::BadType, "A of s32"},
      {"FloatsToS32", [](Call& c) { c.problem.c = Type::S32; }, Status::BadType, "C of s32"},
      {"Tf32OfBf16", [](Call& c) { c.problem.precision = Precision::Tf32; }, Status::BadType, "tf32"},
      {"ShortLda", [](Call& c) { c.problem.lda = 39; }, Status::BadLeadingDimension, "ld of A = 39: it is 40"},
      {"ShortLdbTransposed",
       [](Call& c) {
         c.problem.transpose_b = true;
         c.problem.ldb = 20;
       },
       Status::BadLeadingDimension, "ld of B = 20: it is 40"},
      {"ShortLdc", [](Call& c) { c.problem.ldc = 0; }, Status::BadLeadingDimension, "ld of C = 0"},
      {"NegativeStride",
       [](Call& c) {
         c.problem.batch = 2;
         c.problem.stride_a = -5;
       },
       Status::BadStride, "A = -5 is negative"},
      {"MatricesOfCOverlap",
       [](Call& c) {
         c.problem.batch = 2;
         c.problem.stride_c = 0;
       },
       Status::BadStride, "overlap"},
      {"BatchBeyondMemory",
       [](Call& c) {
         c.problem.batch = std::int64_t{1} << 31;
         c.problem.stride_a = std::int64_t{1} << 40;
       },
       Status::BadSize, "larger than memory"},
      // Epilogue.
      {"BiasOfNothing", [](Call& c) { c.extras.epilogue.bias(Along::Columns, nullptr); }, Status::NullPointer, "bias"},
      {"ClampBackwards", [](Call& c) { c.extras.epilogue.clamp(2, 1); }, Status::BadEpilogue, "clamp"},
      {"ScaleOfZero", [](Call& c) { c.extras.epilogue.quantize(0); }, Status::BadEpilogue, "positive"},
      {"TooManySteps",
       [](Call& c) {
         for (int i = 0; i < 9; ++i) c.extras.epilogue.relu();
       },
       Status::BadEpilogue, "more than 8"},
      {"ShortResidual", [](Call& c) { c.extras.epilogue.residual(c.memory_a.data(), Type::Bf16, 19); },
       Status::BadEpilogue, "ld = 19"},
      {"BiasTooShort", [](Call& c) { c.extras.epilogue.bias(Along::Rows, c.memory_c.data() + 460); },
       Status::NotDeviceMemory, "bias"},
      {"BiasInC", [](Call& c) { c.extras.epilogue.bias(Along::Columns, c.memory_c.data()); }, Status::Overlap, "bias"},
      {"ResidualBesideC",
       [](Call& c) {
         c.problem.m = 12;
         c.extras.epilogue.residual(c.memory_c.data() + 1, Type::F32);
       },
       Status::Overlap, "residual"},
      // Pointers.
      {"NullA", [](Call& c) { c.a = {}; }, Status::NullPointer, "A is null"},
      {"NullC", [](Call& c) { c.c = nullptr; }, Status::NullPointer, "C is null"},
      {"BetweenElements", [](Call& c) { c.b = reinterpret_cast<const char*>(c.memory_b.data()) + 1; },
       Status::MisalignedPointer, "elements of 2 bytes"},
      {"HostMemory",
       [](Call& c) {
         static const std::vector<Bf16> kHere(24 * 40);
         c.a = kHere.data();
       },
       Status::NotDeviceMemory, "sycl::malloc_device"},
      {"ATooSmall", [](Call& c) { c.problem.lda = 41; }, Status::NotDeviceMemory, "A: its last byte"},
      {"CIsA", [](Call& c) { c.a = c.c; }, Status::Overlap, "C shares memory with A"},
      {"AlphaInC", [](Call& c) { c.extras.alpha = c.memory_c.data(); }, Status::Overlap, "alpha"},
      {"AlphaOnTheHost",
       [](Call& c) {
         static const float kOne = 1;
         c.extras.alpha = &kOne;
       },
       Status::NotDeviceMemory, "alpha"},
      // Packed operands.
      {"PackedOfAnotherShape",
       [](Call& c) {
         c.b = c.gemm.pack_b({24, 10, 40}, c.memory_b.data());
       },
       Status::ShapeMismatch, "1 of 40 x 10 bf16 by rows; the problem needs 1 of 40 x 20"},
      {"PackedOfAnotherType",
       [](Call& c) {
         Problem p = c.problem;
         p.a = p.b = Type::F16;
         c.b = c.gemm.pack_b(p, c.memory_b.data());
       },
       Status::ShapeMismatch, "f16"},
      {"PackedForAnotherOrder",
       [](Call& c) {
         Problem p = c.problem;
         p.order = Order::Columns;
         c.b = c.gemm.pack_b(p, c.memory_b.data());
       },
       Status::ShapeMismatch, "by columns"},
      {"PackedElsewhere",
       [](Call& c) {
         sycl::queue elsewhere(sycl::context(c.queue.get_device()), c.queue.get_device());
         const DeviceMemory<Bf16> memory(elsewhere, std::vector<Bf16>(40 * 20));
         c.b = Gemm(elsewhere).pack_b(c.problem, memory.data());
       },
       Status::WrongDevice, "B was packed for another"},
      {"PackNull", [](Call& c) { c.gemm.pack_a(c.problem, nullptr); }, Status::NullPointer, "A is null"},
      {"PackNothing",
       [](Call& c) {
         c.gemm.pack_a({0, 20, 40}, c.memory_a.data());
       },
       Status::BadSize, "0 x 40"},
      // Workspace and strategy.
      {"SmallWorkspace",
       [](Call& c) {
         // Odd, so that every strategy packs.
         constexpr std::size_t m = 96, n = 81, k = 101;
         c.problem = {m, n, k};
         static const std::vector<Bf16> kZeros(m * k);
         static const std::vector<float> kSevens(m * n);
         const DeviceMemory<Bf16> a2(c.queue, kZeros), b2(c.queue, kZeros);
         const DeviceMemory<float> c2(c.queue, kSevens), workspace(c.queue, std::vector<float>(16));
         c.extras.workspace = workspace.data();
         c.extras.workspace_bytes = 64;
         c.gemm.multiply(c.problem, a2.data(), b2.data(), c2.data(), c.extras);
       },
       Status::WorkspaceTooSmall, "has 64 bytes; the call needs"},
      {"NoSuchStrategy", [](Call& c) { Gemm(c.queue, {.strategy = "fastest"}).multiply(c.problem, c.a, c.b, c.c); },
       Status::BadStrategy, "no strategy is called 'fastest'; there are "},
      {"StrategyDoesNotTakeIt",
       [](Call& c) {
         c.problem.k = 0;
         Gemm(c.queue, {.strategy = "packed"}).multiply(c.problem, c.a, c.b, c.c);
       },
       Status::BadStrategy, "'packed' does not take 24x20x0"},
      // Arrays of pointers.
      {"NullInAnArray",
       [](Call& c) {
         c.problem.batch = 2;
         const std::shared_ptr<void*> array(sycl::malloc_shared<void*>(2, c.queue),
                                            [queue = c.queue](void** pointer) { sycl::free(pointer, queue); });
         array.get()[0] = c.c;
         array.get()[1] = nullptr;
         c.gemm.multiply(c.problem, PointerArrays{array.get(), array.get(), array.get()});
       },
       Status::NullPointer, "C[1] is null"},
      {"ArrayOnTheHost",
       [](Call& c) {
         void* const one[] = {c.c};
         c.gemm.multiply(c.problem, PointerArrays{one, one, one});
       },
       Status::NotDeviceMemory, "the array of C"},
  };
  return all;
}

class EveryMisuse : public testing::TestWithParam<Misuse> {};

TEST_P(EveryMisuse, IsAnErrorThatSaysSo) {
  Call call;
  try {
    GetParam().spoil(call);
    call.multiply();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(name_of(error.status()), name_of(GetParam().status)) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().says));
  }
  call.queue.wait_and_throw();
  EXPECT_EQ(call.memory_c.read(), std::vector<float>(24 * 20, 7.0F));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMisuse, testing::ValuesIn(misuses()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Legal, WhatIsNotReadMayBeNull) {
  Call call;
  call.a = {};
  call.b = {};
  call.problem.alpha = 0;
  call.problem.beta = 2;
  call.multiply();
  EXPECT_EQ(call.memory_c.read(), std::vector<float>(24 * 20, 14.0F));
  call.problem.m = 0;
  call.c = nullptr;
  call.multiply();
}

TEST(Legal, OperandsMayBeColumnsOfOneMatrix) {
  Call call;
  const DeviceMemory<Bf16> all(call.queue, std::vector<Bf16>(24 * 64));
  call.problem = {24, 16, 40};
  call.problem.c = Type::Bf16;
  call.problem.lda = call.problem.ldc = 64;
  call.gemm.multiply(call.problem, all.data(), call.memory_b.data(), all.data() + 40).wait_and_throw();
}

TEST(Workspace, OfTheCallerServes) {
  Call call;
  call.problem = {96, 80, 100};
  const DeviceMemory<Bf16> a(call.queue, std::vector<Bf16>(96 * 100, 0x3F80)),
      b(call.queue, std::vector<Bf16>(100 * 80, 0x3F80));
  DeviceMemory<float> c(call.queue, std::vector<float>(96 * 80, 7.0F));
  const std::size_t bytes = call.gemm.workspace_bytes(call.problem);
  const DeviceMemory<char> workspace(call.queue, std::vector<char>(bytes + 1));
  call.extras.workspace = workspace.data();
  call.extras.workspace_bytes = bytes;
  call.gemm.multiply(call.problem, a.data(), b.data(), c.data(), call.extras).wait_and_throw();
  EXPECT_EQ(c.read(), std::vector<float>(96 * 80, 100.0F));
}

/// A packed matrix in a file in a folder of its own.
class WeightsFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "xeforge-weights-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
    file_ = directory_ / "weights";
    call_.gemm.pack_b(call_.problem, ones_.data()).save(call_.queue, file_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string refusal() {
    try {
      PrepackedB::load(call_.queue, file_);
      return "none";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::BadFile);
      return error.what();
    }
  }
  void change(std::streamoff at, char by = 1) {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const char old = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(old ^ by));
  }

  Call call_;
  DeviceMemory<Bf16> ones_{call_.queue, std::vector<Bf16>(40 * 20, 0x3F80)};
  fs::path directory_, file_;
};

TEST_F(WeightsFile, ComesBack) {
  const PrepackedB weights = PrepackedB::load(call_.queue, file_);
  EXPECT_EQ(weights.matrix().rows, 40);
  EXPECT_EQ(weights.matrix().columns, 20);
  const DeviceMemory<Bf16> twos(call_.queue, std::vector<Bf16>(24 * 40, 0x4000));
  call_.gemm.multiply(call_.problem, twos.data(), weights, call_.c).wait_and_throw();
  EXPECT_EQ(call_.memory_c.read(), std::vector<float>(24 * 20, 80.0F));
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()), 1);
}

TEST_F(WeightsFile, OfTheOtherOperandIsRefused) {
  call_.gemm.pack_a(call_.problem, call_.memory_a.data()).save(call_.queue, file_);
  EXPECT_THAT(refusal(), testing::HasSubstr("holds the other operand, A"));
}

TEST_F(WeightsFile, AnyChangedByteIsNoticed) {
  const auto size = static_cast<std::streamoff>(fs::file_size(file_));
  for (std::streamoff at = 0; at < size; at += at < 104 ? 1 : 211) {
    change(at);
    EXPECT_NE(refusal(), "none") << at;
    change(at);
  }
  EXPECT_EQ(refusal(), "none");
}

TEST_F(WeightsFile, AShortOrLongOneIsRefused) {
  const auto size = fs::file_size(file_);
  for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{50}, size - 1, size + 1}) {
    fs::resize_file(file_, length);
    EXPECT_NE(refusal(), "none") << length;
  }
  fs::remove(file_);
  EXPECT_THAT(refusal(), testing::HasSubstr("cannot be read"));
}

TEST_F(WeightsFile, NowhereToWriteIsAnError) {
  const PrepackedB weights = PrepackedB::load(call_.queue, file_);
  EXPECT_THROW(weights.save(call_.queue, directory_ / "no" / "folder"), std::runtime_error);
}

}  // namespace
}  // namespace xeforge::gemm
