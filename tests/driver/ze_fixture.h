// SPDX-License-Identifier: Apache-2.0
//
// A Level Zero client: driver, device and context, and short forms of the calls that tests make often.
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "level_zero/ze_api.h"

namespace xeforge::driver_test {

#define ZE_OK(call) ASSERT_EQ(ZE_RESULT_SUCCESS, (call)) << #call

class ZeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ZE_OK(zeInit(ZE_INIT_FLAG_GPU_ONLY));
    uint32_t count = 1;
    ZE_OK(zeDriverGet(&count, &driver));
    ASSERT_EQ(1U, count);
    count = 1;
    ZE_OK(zeDeviceGet(driver, &count, &device));
    ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ZE_OK(zeContextCreate(driver, &desc, &context));
  }
  void TearDown() override {
    for (void* pointer : allocations_) {
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemFree(context, pointer));
    }
    for (ze_event_handle_t event : events_) {
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventDestroy(event));
    }
    if (pool_ != nullptr) {
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventPoolDestroy(pool_));
    }
    for (ze_command_list_handle_t list : lists_) {
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListDestroy(list));
    }
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeContextDestroy(context));
  }

  template <class T>
  T* shared(size_t count) {
    ze_device_mem_alloc_desc_t device_desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    ze_host_mem_alloc_desc_t host_desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void* pointer = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeMemAllocShared(context, &device_desc, &host_desc, count * sizeof(T), 0, device, &pointer));
    allocations_.push_back(pointer);
    return static_cast<T*>(pointer);
  }
  ze_command_list_handle_t immediate(ze_command_queue_flags_t flags = 0,
                                     ze_command_queue_mode_t mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                     uint32_t ordinal = 0) {
    ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, ordinal, 0, flags, mode,
                                 ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    ze_command_list_handle_t list = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListCreateImmediate(context, device, &desc, &list));
    lists_.push_back(list);
    return list;
  }
  ze_command_list_handle_t regular(ze_command_list_flags_t flags = 0) {
    ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, flags};
    ze_command_list_handle_t list = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListCreate(context, device, &desc, &list));
    lists_.push_back(list);
    return list;
  }
  ze_event_handle_t event() {
    if (pool_ == nullptr) {
      ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 64};
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventPoolCreate(context, &desc, 1, &device, &pool_));
    }
    ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, static_cast<uint32_t>(events_.size()), 0, 0};
    ze_event_handle_t created = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventCreate(pool_, &desc, &created));
    events_.push_back(created);
    return created;
  }

  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;

 private:
  std::vector<void*> allocations_;
  std::vector<ze_command_list_handle_t> lists_;
  std::vector<ze_event_handle_t> events_;
  ze_event_pool_handle_t pool_ = nullptr;
};

}  // namespace xeforge::driver_test
