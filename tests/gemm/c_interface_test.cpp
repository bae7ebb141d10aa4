// SPDX-License-Identifier: Apache-2.0
//
// The C interface: every function, the words of its errors, and that numbers mean the same as in C++.
#include <cstring>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "xeforge/gemm.h"
#include "xeforge/gemm_c.h"

namespace {

using testing::HasSubstr;
namespace cpp = xeforge::gemm;

static_assert(XEFORGE_BF16 == static_cast<int>(cpp::Type::Bf16) && XEFORGE_S32 == static_cast<int>(cpp::Type::S32));
static_assert(XEFORGE_STEP_SHIFT == static_cast<int>(cpp::Epilogue::Kind::Shift) &&
              XEFORGE_STEP_RESIDUAL == static_cast<int>(cpp::Epilogue::Kind::Residual));
static_assert(XEFORGE_ALONG_ROWS == static_cast<int>(cpp::Along::Rows) && XEFORGE_DENSE == cpp::kDense);

class CInterface : public testing::Test {
 protected:
  static constexpr std::int64_t kM = 20, kN = 12, kK = 40;

  void SetUp() override {
    ASSERT_EQ(xeforge_gemm_create(nullptr, &gemm_), 0) << xeforge_gemm_error_text();
    problem_ = xeforge_gemm_problem_default(kM, kN, kK);
    problem_.a = problem_.b = XEFORGE_S8;
    problem_.c = XEFORGE_S32;
    const std::vector<std::int8_t> ones(kM * kK, 1), twos(kK * kN, 2);
    call_.a = memory(ones.data(), ones.size());
    call_.b = memory(twos.data(), twos.size());
    const std::vector<std::int32_t> c(kM * kN, 7);
    call_.c = memory(c.data(), c.size() * sizeof(std::int32_t));
  }
  void TearDown() override {
    for (void* pointer : memory_) EXPECT_EQ(xeforge_gemm_free(gemm_, pointer), 0);
    xeforge_gemm_destroy(gemm_);
  }

  void* memory(const void* from, std::size_t bytes) {
    void* pointer = nullptr;
    EXPECT_EQ(xeforge_gemm_allocate(gemm_, bytes, &pointer), 0) << xeforge_gemm_error_text();
    EXPECT_EQ(xeforge_gemm_copy(gemm_, pointer, from, bytes), 0) << xeforge_gemm_error_text();
    memory_.push_back(pointer);
    return pointer;
  }
  std::vector<std::int32_t> result() {
    std::vector<std::int32_t> c(kM * kN);
    EXPECT_EQ(xeforge_gemm_copy(gemm_, c.data(), call_.c, c.size() * sizeof(std::int32_t)), 0);
    return c;
  }
  static std::vector<std::int32_t> all(std::int32_t value) {
    return std::vector<std::int32_t>(static_cast<std::size_t>(kM * kN), value);
  }

  xeforge_gemm* gemm_ = nullptr;
  xeforge_gemm_problem problem_{};
  xeforge_gemm_call call_{};
  std::vector<void*> memory_;
};

TEST_F(CInterface, MultipliesInOrderOfEvents) {
  xeforge_gemm_event* first = nullptr;
  ASSERT_EQ(xeforge_gemm_multiply(gemm_, &problem_, &call_, &first), 0) << xeforge_gemm_error_text();
  EXPECT_STREQ(xeforge_gemm_error_text(), "");
  problem_.beta = 1;
  call_.after = &first;
  call_.after_count = 1;
  ASSERT_EQ(xeforge_gemm_multiply(gemm_, &problem_, &call_, nullptr), 0) << xeforge_gemm_error_text();
  EXPECT_EQ(xeforge_gemm_event_wait(first), 0);
  xeforge_gemm_event_free(first);
  EXPECT_EQ(xeforge_gemm_wait(gemm_), 0);
  EXPECT_EQ(result(), all(160));
}

TEST_F(CInterface, DoesTheSteps) {
  const std::vector<float> bias(kN, 3.0F);
  const xeforge_gemm_step steps[] = {
      {XEFORGE_STEP_SCALE, XEFORGE_ALONG_ALL, XEFORGE_F32, nullptr, XEFORGE_DENSE, XEFORGE_DENSE, 0.5F, 0},
      {XEFORGE_STEP_BIAS, XEFORGE_ALONG_COLUMNS, XEFORGE_F32, memory(bias.data(), bias.size() * sizeof(float)),
       XEFORGE_DENSE, XEFORGE_DENSE, 0, 0}};
  call_.steps = steps;
  call_.step_count = 2;
  ASSERT_EQ(xeforge_gemm_multiply(gemm_, &problem_, &call_, nullptr), 0) << xeforge_gemm_error_text();
  EXPECT_EQ(result(), all(43));
}

TEST_F(CInterface, KeepsWeights) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("xeforge-c-weights-" + std::to_string(::getpid()))).string();
  xeforge_gemm_weights *packed = nullptr, *loaded = nullptr;
  ASSERT_EQ(xeforge_gemm_pack(gemm_, &problem_, XEFORGE_SIDE_B, call_.b, &packed), 0) << xeforge_gemm_error_text();
  ASSERT_EQ(xeforge_gemm_weights_save(gemm_, packed, file.c_str()), 0) << xeforge_gemm_error_text();
  ASSERT_EQ(xeforge_gemm_weights_load(gemm_, XEFORGE_SIDE_B, file.c_str(), &loaded), 0) << xeforge_gemm_error_text();
  xeforge_gemm_weights* wrong = nullptr;
  EXPECT_EQ(xeforge_gemm_weights_load(gemm_, XEFORGE_SIDE_A, file.c_str(), &wrong),
            static_cast<int>(cpp::Status::BadFile));
  std::filesystem::remove(file);
  call_.b = nullptr;
  call_.packed_b = loaded;
  std::size_t bytes = 0;
  EXPECT_EQ(xeforge_gemm_workspace_bytes(gemm_, &problem_, &call_, &bytes), 0);
  ASSERT_EQ(xeforge_gemm_multiply(gemm_, &problem_, &call_, nullptr), 0) << xeforge_gemm_error_text();
  EXPECT_EQ(result(), all(80));
  call_.packed_a = loaded;
  EXPECT_EQ(xeforge_gemm_multiply(gemm_, &problem_, &call_, nullptr), static_cast<int>(cpp::Status::ShapeMismatch));
  xeforge_gemm_weights_free(packed);
  xeforge_gemm_weights_free(loaded);
}

TEST_F(CInterface, SaysWhatIsWrong) {
  problem_.lda = 3;
  const xeforge_gemm_status status = xeforge_gemm_multiply(gemm_, &problem_, &call_, nullptr);
  EXPECT_STREQ(xeforge_gemm_status_name(status), "BadLeadingDimension");
  EXPECT_THAT(xeforge_gemm_error_text(), HasSubstr("ld of A = 3"));
  EXPECT_EQ(result(), all(7));
  EXPECT_STREQ(xeforge_gemm_status_name(xeforge_gemm_multiply(gemm_, nullptr, &call_, nullptr)), "NullPointer");
  EXPECT_STREQ(xeforge_gemm_status_name(xeforge_gemm_multiply(gemm_, &problem_, nullptr, nullptr)), "NullPointer");
  EXPECT_STREQ(xeforge_gemm_status_name(xeforge_gemm_multiply(nullptr, &problem_, &call_, nullptr)), "NullPointer");
  EXPECT_STREQ(xeforge_gemm_status_name(xeforge_gemm_create(nullptr, nullptr)), "NullPointer");
  const int no_type = 7;
  std::memcpy(&problem_.c, &no_type, sizeof problem_.c);
  EXPECT_STREQ(xeforge_gemm_status_name(xeforge_gemm_multiply(gemm_, &problem_, &call_, nullptr)), "BadType");
  EXPECT_STREQ(xeforge_gemm_status_name(0), "Ok");
  EXPECT_STREQ(xeforge_gemm_status_name(XEFORGE_GEMM_RUNTIME_ERROR), "RuntimeError");
  EXPECT_STREQ(xeforge_gemm_status_name(-5), "unknown");
}

}  // namespace
