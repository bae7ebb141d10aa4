// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "ze_fixture.h"

namespace xeforge::driver_test {
namespace {

class Memory : public ZeTest {
 protected:
  ze_result_t device_memory(size_t size, size_t alignment, void** out, const void* next = nullptr) {
    ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, next, 0, 0};
    return zeMemAllocDevice(context, &desc, size, alignment, device, out);
  }
  ze_memory_type_t type_of(const void* pointer, ze_device_handle_t* owner = nullptr) {
    ze_memory_allocation_properties_t p{};
    p.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemGetAllocProperties(context, pointer, &p, owner));
    return p.type;
  }
};

TEST_F(Memory, EachKindKnowsItself) {
  void* on_device = nullptr;
  ZE_OK(device_memory(1000, 0, &on_device));
  void* on_host = nullptr;
  ze_host_mem_alloc_desc_t host_desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  ZE_OK(zeMemAllocHost(context, &host_desc, 1000, 0, &on_host));
  int* both = shared<int>(10);
  int none = 0;

  ze_device_handle_t owner = nullptr;
  EXPECT_EQ(ZE_MEMORY_TYPE_DEVICE, type_of(on_device, &owner));
  EXPECT_EQ(device, owner);
  EXPECT_EQ(ZE_MEMORY_TYPE_HOST, type_of(on_host, &owner));
  EXPECT_EQ(nullptr, owner);
  EXPECT_EQ(ZE_MEMORY_TYPE_SHARED, type_of(both + 9));
  EXPECT_EQ(ZE_MEMORY_TYPE_UNKNOWN, type_of(&none));

  ZE_OK(zeMemFree(context, on_device));
  ZE_OK(zeMemFree(context, on_host));
  EXPECT_EQ(ZE_MEMORY_TYPE_UNKNOWN, type_of(on_device)) << "freed";
}

TEST_F(Memory, IsAlignedAndItsRangeIsExact) {
  void* pointer = nullptr;
  ZE_OK(device_memory(100'001, 0, &pointer));
  EXPECT_EQ(0U, reinterpret_cast<uintptr_t>(pointer) % 65536);
  void* base = nullptr;
  size_t size = 0;
  ZE_OK(zeMemGetAddressRange(context, static_cast<char*>(pointer) + 100'000, &base, &size));
  EXPECT_EQ(pointer, base);
  EXPECT_EQ(100'001U, size);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeMemGetAddressRange(context, static_cast<char*>(pointer) + 100'001, &base, &size));
  ZE_OK(zeMemFree(context, pointer));

  ZE_OK(device_memory(10, size_t{2} << 20, &pointer));
  EXPECT_EQ(0U, reinterpret_cast<uintptr_t>(pointer) % (size_t{2} << 20));
  ZE_OK(zeMemFree(context, pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, device_memory(10, 3, &pointer));
}

TEST_F(Memory, LimitsAreTheDevices) {
  ze_device_properties_t p{};
  p.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ZE_OK(zeDeviceGetProperties(device, &p));
  void* pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, device_memory(p.maxMemAllocSize + 1, 0, &pointer));
  EXPECT_EQ(nullptr, pointer);
  ze_relaxed_allocation_limits_exp_desc_t relaxed{ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC, nullptr,
                                                  ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE};
  ZE_OK(device_memory(p.maxMemAllocSize + 1, 0, &pointer, &relaxed));
  ZE_OK(zeMemFree(context, pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, device_memory(size_t{1} << 40, 0, &pointer, &relaxed));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, device_memory(0, 0, &pointer));

  // Memory that is given back can be had again: 16 GiB in pieces, twice.
  for (int round = 0; round < 2; ++round) {
    std::vector<void*> pieces;
    for (void* piece = nullptr; device_memory(size_t{1} << 30, 0, &piece) == ZE_RESULT_SUCCESS;) {
      pieces.push_back(piece);
    }
    EXPECT_EQ(16U, pieces.size());
    for (void* piece : pieces) {
      ZE_OK(zeMemFree(context, piece));
    }
  }
}

TEST_F(Memory, WrongFreesAreErrors) {
  void* pointer = nullptr;
  ZE_OK(device_memory(4096, 0, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, static_cast<char*>(pointer) + 1));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeMemFree(context, nullptr));
  ze_memory_free_ext_desc_t desc{ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, nullptr,
                                 ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE};
  ZE_OK(zeMemFreeExt(context, &desc, pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, pointer)) << "freed twice";
}

TEST_F(Memory, OfWorkInFlightStaysUntilItIsDone) {
  void* from = nullptr;
  ZE_OK(device_memory(64, 0, &from));
  std::memset(from, 0x5A, 64);
  auto* to = shared<unsigned char>(64);
  ze_event_handle_t go = event();
  ze_command_list_handle_t list = immediate();
  ZE_OK(zeCommandListAppendMemoryCopy(list, to, from, 64, nullptr, 1, &go));
  ZE_OK(zeMemFree(context, from));
  ZE_OK(zeEventHostSignal(go));
  ZE_OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  EXPECT_EQ(0x5A, to[63]);
}

}  // namespace
}  // namespace xeforge::driver_test
