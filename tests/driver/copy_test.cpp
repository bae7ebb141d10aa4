// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <numeric>

#include "ze_fixture.h"

namespace xeforge::driver_test {
namespace {

using Copy = ZeTest;

TEST_F(Copy, MovesBytesBetweenAllKindsOfMemory) {
  std::vector<int> host(1000);
  std::iota(host.begin(), host.end(), 1);
  int* middle = shared<int>(1000);
  std::vector<int> back(1000);
  ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  ZE_OK(zeCommandListAppendMemoryCopy(list, middle, host.data(), 4000, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(list, back.data(), middle, 4000, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  EXPECT_EQ(host, back);
}

TEST_F(Copy, FillsWithPatternsOfAnySize) {
  auto* bytes = shared<unsigned char>(64);
  ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const unsigned char one = 7;
  ZE_OK(zeCommandListAppendMemoryFill(list, bytes, &one, 1, 64, nullptr, 0, nullptr));
  EXPECT_EQ(7, bytes[63]);
  std::vector<unsigned char> pattern(12);
  std::iota(pattern.begin(), pattern.end(), 1);
  ZE_OK(zeCommandListAppendMemoryFill(list, bytes, pattern.data(), 12, 60, nullptr, 0, nullptr));
  for (size_t i = 0; i < 60; ++i) {
    ASSERT_EQ(pattern[i % 12], bytes[i]);
  }
  EXPECT_EQ(7, bytes[60]) << "beyond the fill";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE,
            zeCommandListAppendMemoryFill(list, bytes, pattern.data(), 12, 61, nullptr, 0, nullptr));
}

TEST_F(Copy, TakesThePatternWhenItIsAppended) {
  auto* values = shared<int>(4);
  ze_event_handle_t go = event();
  ze_command_list_handle_t list = immediate();
  int pattern = 11;
  ZE_OK(zeCommandListAppendMemoryFill(list, values, &pattern, sizeof pattern, 16, nullptr, 1, &go));
  pattern = 22;
  ZE_OK(zeEventHostSignal(go));
  ZE_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  EXPECT_EQ(11, values[3]);
}

TEST_F(Copy, MovesRegionsOfTwoAndThreeDimensions) {
  constexpr uint32_t kPitch = 10, kSlice = 60;
  std::vector<unsigned char> from(kSlice * 4);
  std::iota(from.begin(), from.end(), 0);
  auto* to = shared<unsigned char>(kSlice * 4);
  std::memset(to, 0xEE, kSlice * 4);
  ze_command_list_handle_t list = immediate(0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  const ze_copy_region_t source{2, 1, 1, 4, 3, 2};
  const ze_copy_region_t target{1, 2, 0, 4, 3, 2};
  ZE_OK(zeCommandListAppendMemoryCopyRegion(list, to, &target, kPitch, kSlice, from.data(), &source, kPitch, kSlice,
                                            nullptr, 0, nullptr));
  for (uint32_t z = 0; z < 4; ++z) {
    for (uint32_t y = 0; y < 6; ++y) {
      for (uint32_t x = 0; x < kPitch; ++x) {
        const bool inside = x >= 1 && x < 5 && y >= 2 && y < 5 && z < 2;
        const unsigned expected = inside ? from[(z + 1) * kSlice + (y - 2 + 1) * kPitch + (x - 1 + 2)] : 0xEE;
        ASSERT_EQ(expected, to[z * kSlice + y * kPitch + x]) << x << " " << y << " " << z;
      }
    }
  }
  // Two dimensions: depth 0, no slice pitch.
  const ze_copy_region_t flat{0, 0, 0, 3, 2, 0};
  ZE_OK(
      zeCommandListAppendMemoryCopyRegion(list, to, &flat, kPitch, 0, from.data(), &flat, 20, 0, nullptr, 0, nullptr));
  EXPECT_EQ(22, to[kPitch + 2]);
}

TEST_F(Copy, ThatLeavesAnAllocationIsRefused) {
  int* to = shared<int>(10);
  std::vector<int> from(20);
  ze_command_list_handle_t list = immediate();
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE,
            zeCommandListAppendMemoryCopy(list, to, from.data(), 44, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE,
            zeCommandListAppendMemoryCopy(list, from.data(), to + 1, 40, nullptr, 0, nullptr));
  const char* text = nullptr;
  ZE_OK(zeDriverGetLastErrorDescription(driver, &text));
  EXPECT_NE(nullptr, std::strstr(text, "shared USM")) << text;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            zeCommandListAppendMemoryCopy(list, nullptr, to, 4, nullptr, 0, nullptr));
}

TEST_F(Copy, RegularListsRunWhenExecutedAndAsOftenAsExecuted) {
  int* counter = shared<int>(2);
  ze_command_queue_desc_t desc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_queue_handle_t queue = nullptr;
  ZE_OK(zeCommandQueueCreate(context, device, &desc, &queue));
  ze_fence_desc_t fence_desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  ze_fence_handle_t fence = nullptr;
  ZE_OK(zeFenceCreate(queue, &fence_desc, &fence));
  ze_command_list_handle_t list = regular();
  ZE_OK(zeCommandListAppendMemoryCopy(list, counter + 1, counter, sizeof(int), nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandQueueExecuteCommandLists(queue, 1, &list, fence))
      << "not closed";
  ZE_OK(zeCommandListClose(list));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeCommandListAppendMemoryCopy(list, counter + 1, counter, sizeof(int), nullptr, 0, nullptr));
  for (int value = 1; value < 4; ++value) {
    counter[0] = value;
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeFenceQueryStatus(fence));
    ZE_OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    ZE_OK(zeFenceHostSynchronize(fence, UINT64_MAX));
    EXPECT_EQ(value, counter[1]);
    ZE_OK(zeFenceReset(fence));
  }
  ZE_OK(zeCommandListReset(list));
  ZE_OK(zeCommandListClose(list));
  counter[0] = 99;
  ZE_OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));
  ZE_OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  EXPECT_EQ(3, counter[1]) << "a list that was reset is empty";
  ZE_OK(zeFenceDestroy(fence));
  ZE_OK(zeCommandQueueDestroy(queue));
}

}  // namespace
}  // namespace xeforge::driver_test
