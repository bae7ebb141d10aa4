// SPDX-License-Identifier: Apache-2.0
//
// Events, waits and signals in any order: what needs a queue with a thread of its own.
#include <atomic>
#include <chrono>
#include <thread>

#include "ze_fixture.h"

namespace xeforge::driver_test {
namespace {

using Events = ZeTest;
constexpr uint64_t kForEver = UINT64_MAX;
constexpr uint64_t kMoment = 20'000'000;  // 20 ms

TEST_F(Events, HostSignalLetsACommandGo) {
  int* value = shared<int>(1);
  *value = 0;
  const int one = 1;
  ze_event_handle_t go = event(), done = event();
  ze_command_list_handle_t list = immediate();
  ZE_OK(zeCommandListAppendMemoryFill(list, value, &one, 4, 4, done, 1, &go));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done, kMoment));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeCommandListHostSynchronize(list, kMoment));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(done));
  EXPECT_EQ(0, *value);
  ZE_OK(zeEventHostSignal(go));
  ZE_OK(zeEventHostSynchronize(done, kForEver));
  EXPECT_EQ(1, *value);
  ZE_OK(zeEventQueryStatus(done));
}

TEST_F(Events, ChainAcrossListsInAnyOrderOfAppending) {
  int* value = shared<int>(4);
  std::fill_n(value, 4, 0);
  value[0] = 5;
  ze_event_handle_t first = event(), second = event(), third = event();
  ze_command_list_handle_t a = immediate(), b = immediate(), c = immediate(0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 1);
  // Appended last to first: each waits for what is appended after it.
  ZE_OK(zeCommandListAppendMemoryCopy(c, value + 3, value + 2, 4, third, 1, &second));
  ZE_OK(zeCommandListAppendMemoryCopy(b, value + 2, value + 1, 4, second, 1, &first));
  ZE_OK(zeCommandListAppendMemoryCopy(a, value + 1, value, 4, first, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(third, kForEver));
  EXPECT_EQ(5, value[3]);
}

TEST_F(Events, AnUnorderedListLetsReadyCommandsPass) {
  int* value = shared<int>(2);
  value[0] = value[1] = 0;
  const int one = 1, two = 2;
  ze_event_handle_t go = event(), passed = event();
  ze_command_list_handle_t list = immediate();
  ZE_OK(zeCommandListAppendMemoryFill(list, value, &one, 4, 4, nullptr, 1, &go));
  ZE_OK(zeCommandListAppendMemoryFill(list, value + 1, &two, 4, 4, passed, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(passed, kForEver));
  EXPECT_EQ(0, value[0]);
  EXPECT_EQ(2, value[1]);
  ZE_OK(zeEventHostSignal(go));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  EXPECT_EQ(1, value[0]);
}

TEST_F(Events, AnOrderedListAndABarrierLetNothingPass) {
  int* value = shared<int>(2);
  const int one = 1;
  for (const bool in_order : {true, false}) {
    value[0] = value[1] = 0;
    ze_event_handle_t go = event(), last = event();
    ze_command_list_handle_t list = immediate(in_order ? uint32_t{ZE_COMMAND_QUEUE_FLAG_IN_ORDER} : 0U);
    ZE_OK(zeCommandListAppendMemoryFill(list, value, &one, 4, 4, nullptr, 1, &go));
    if (!in_order) {
      ZE_OK(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
    }
    ZE_OK(zeCommandListAppendMemoryFill(list, value + 1, &one, 4, 4, last, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(last, kMoment));
    EXPECT_EQ(0, value[1]);
    ZE_OK(zeEventHostSignal(go));
    ZE_OK(zeEventHostSynchronize(last, kForEver));
    EXPECT_EQ(1, value[1]);
  }
}

TEST_F(Events, SignalWaitAndResetAreCommandsToo) {
  ze_event_handle_t a = event(), b = event();
  ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  ZE_OK(zeCommandListAppendWaitOnEvents(list, 1, &a));
  ZE_OK(zeCommandListAppendEventReset(list, a));
  ZE_OK(zeCommandListAppendSignalEvent(list, b));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(b, kMoment));
  ZE_OK(zeEventHostSignal(a));
  ZE_OK(zeEventHostSynchronize(b, kForEver));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(a)) << "the list reset it";
  ZE_OK(zeEventHostReset(b));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(b));
}

TEST_F(Events, SignalFromAnotherHostThreadWakesASleepingWait) {
  ze_event_handle_t go = event();
  std::atomic<bool> woken{false};
  std::thread waiter([&] {
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(go, kForEver));
    woken = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(woken);
  ZE_OK(zeEventHostSignal(go));
  waiter.join();
  EXPECT_TRUE(woken);
}

TEST_F(Events, CounterBasedOnesNeedNoReset) {
  int* value = shared<int>(1);
  ze_event_counter_based_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC;
  ze_event_handle_t counter = nullptr;
  ZE_OK(zeEventCounterBasedCreate(context, device, &desc, &counter));
  ZE_OK(zeEventQueryStatus(counter));  // never used: nothing to wait for
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventHostReset(counter));
  ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  ze_event_handle_t go = event();
  const int one = 1, two = 2;
  ZE_OK(zeCommandListAppendMemoryFill(list, value, &one, 4, 4, counter, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(counter, kForEver));
  EXPECT_EQ(1, *value);
  ZE_OK(zeCommandListAppendMemoryFill(list, value, &two, 4, 4, counter, 1, &go));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(counter)) << "used again";
  ZE_OK(zeEventHostSignal(go));
  ZE_OK(zeEventHostSynchronize(counter, kForEver));
  EXPECT_EQ(2, *value);
  ZE_OK(zeEventDestroy(counter));
}

TEST_F(Events, TimeStampsLieBetweenTheDevicesOwn) {
  uint64_t host = 0, before = 0, after = 0;
  ZE_OK(zeDeviceGetGlobalTimestamps(device, &host, &before));
  auto* memory = shared<char>(1 << 20);
  const char zero = 0;
  ze_event_handle_t first = event(), second = event();
  ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  ZE_OK(zeCommandListAppendMemoryFill(list, memory, &zero, 1, 1 << 20, first, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryFill(list, memory, &zero, 1, 1 << 20, second, 0, nullptr));
  auto* copied = shared<ze_kernel_timestamp_result_t>(2);
  ze_event_handle_t both[] = {first, second};
  ZE_OK(zeCommandListAppendQueryKernelTimestamps(list, 2, both, copied, nullptr, nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  ZE_OK(zeDeviceGetGlobalTimestamps(device, &host, &after));
  ze_kernel_timestamp_result_t one{}, two{};
  ZE_OK(zeEventQueryKernelTimestamp(first, &one));
  ZE_OK(zeEventQueryKernelTimestamp(second, &two));
  EXPECT_LE(before, one.global.kernelStart);
  EXPECT_LT(one.global.kernelStart, one.global.kernelEnd);
  EXPECT_LE(one.global.kernelEnd, two.global.kernelStart);
  EXPECT_LE(two.global.kernelEnd, after);
  EXPECT_EQ(one.context.kernelEnd, copied[0].context.kernelEnd);
  EXPECT_EQ(two.global.kernelStart, copied[1].global.kernelStart);
}

TEST_F(Events, AreCheckedWhenTheyAreMade) {
  ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 0};
  ze_event_pool_handle_t pool = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeEventPoolCreate(context, &desc, 1, &device, &pool));
  desc.count = 2;
  ZE_OK(zeEventPoolCreate(context, &desc, 1, &device, &pool));
  ze_event_desc_t event_desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 2, 0, 0};
  ze_event_handle_t created = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventCreate(pool, &event_desc, &created));
  ZE_OK(zeEventPoolDestroy(pool));
  ze_command_list_handle_t list = immediate();
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandListAppendBarrier(list, nullptr, 1, nullptr));
}

TEST_F(Events, ListsAppendedToAnImmediateListKeepTheirPlace) {
  int* value = shared<int>(2);
  value[0] = value[1] = 0;
  const int one = 1;
  ze_command_list_handle_t inner = regular();
  ZE_OK(zeCommandListAppendMemoryFill(inner, value, &one, 4, 4, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendBarrier(inner, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(inner, value + 1, value, 4, nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(inner));
  ze_event_handle_t go = event(), done = event();
  ze_command_list_handle_t list = immediate();
  ZE_OK(zeCommandListImmediateAppendCommandListsExp(list, 1, &inner, done, 1, &go));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done, kMoment));
  EXPECT_EQ(0, value[0]);
  ZE_OK(zeEventHostSignal(go));
  ZE_OK(zeEventHostSynchronize(done, kForEver));
  EXPECT_EQ(1, value[1]);
}

TEST_F(Events, HostFunctionsRunInOrder) {
  int* value = shared<int>(1);
  const int one = 1;
  ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
  struct Seen {
    const int* value;
    int seen;
  } seen{value, -1};
  ZE_OK(zeCommandListAppendMemoryFill(list, value, &one, 4, 4, nullptr, 0, nullptr));
  ZE_OK(zeCommandListAppendHostFunction(
      list, [](void* user) { static_cast<Seen*>(user)->seen = *static_cast<Seen*>(user)->value; }, &seen, nullptr,
      nullptr, 0, nullptr));
  ZE_OK(zeCommandListHostSynchronize(list, kForEver));
  EXPECT_EQ(1, seen.seen);
}

}  // namespace
}  // namespace xeforge::driver_test
