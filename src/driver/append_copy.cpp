// SPDX-License-Identifier: Apache-2.0
//
// Appends that move memory. Ranges are checked when they are appended, as far as they lie in
// memory of the driver; the bytes move when the command's turn has come.
#include <cstring>
#include <vector>

#include "driver/command_list.h"
#include "driver/extensions.h"
#include "driver/state.h"

using namespace xeforge::driver;

namespace {

Usm& usm() { return state().device.usm; }

Command copy_command(const char* name, void* to, const void* from, size_t size) {
  require(to, "dstptr");
  require(from, "srcptr");
  usm().check_range(to, size, "a copy to memory");
  usm().check_range(from, size, "a copy from memory");
  Command command;
  command.name = name;
  command.body = [to, from, size]() -> Outcome {
    const Usm::Use use(usm());
    std::memmove(to, from, size);
    usm().note_copy(to, from, size);
    return {};
  };
  return command;
}

Command fill_command(const char* name, void* to, const void* pattern, size_t pattern_size, size_t size) {
  require(to, "ptr");
  require(pattern, "pattern");
  if (pattern_size == 0 || size % pattern_size != 0) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "a fill of " + std::to_string(size) + " bytes with a pattern of " +
                                                     std::to_string(pattern_size) + " bytes");
  }
  usm().check_range(to, size, "a fill of memory");
  const auto* bytes = static_cast<const unsigned char*>(pattern);
  Command command;
  command.name = name;
  command.body = [to, size, value = std::vector<unsigned char>(bytes, bytes + pattern_size)]() -> Outcome {
    const Usm::Use use(usm());
    usm().note_write(to, size);
    if (value.size() == 1) {
      std::memset(to, value[0], size);
      return {};
    }
    auto* out = static_cast<unsigned char*>(to);
    for (size_t at = 0; at < size; at += value.size()) {
      std::memcpy(out + at, value.data(), value.size());
    }
    return {};
  };
  return command;
}

/// A box of bytes in memory with pitches.
struct Box {
  unsigned char* origin;
  size_t row_pitch, slice_pitch;

  static Box make(const void* base, const ze_copy_region_t& region, uint32_t row_pitch, uint32_t slice_pitch) {
    // Without pitches the memory is as wide and high as the region.
    const size_t row = row_pitch != 0 ? row_pitch : size_t{region.originX} + region.width;
    const size_t slice = slice_pitch != 0 ? slice_pitch : row * (size_t{region.originY} + region.height);
    auto* bytes = const_cast<unsigned char*>(static_cast<const unsigned char*>(base));
    return {bytes + region.originX + region.originY * row + region.originZ * slice, row, slice};
  }
  size_t extent(const ze_copy_region_t& region) const {
    const size_t slices = region.depth == 0 ? 1 : region.depth;
    const size_t rows = region.height == 0 ? 1 : region.height;
    return region.width + (rows - 1) * row_pitch + (slices - 1) * slice_pitch;
  }
};

}  // namespace

extern "C" {

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopy(ze_command_list_handle_t hCommandList, void* dstptr,
                                                     const void* srcptr, size_t size, ze_event_handle_t hSignalEvent,
                                                     uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    return append(hCommandList, copy_command("zeCommandListAppendMemoryCopy", dstptr, srcptr, size),
                  {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopyWithParameters(ze_command_list_handle_t hCommandList, void* dstptr,
                                                                   const void* srcptr, size_t size, const void* pNext,
                                                                   ze_event_handle_t hSignalEvent,
                                                                   uint32_t numWaitEvents,
                                                                   ze_event_handle_t* phWaitEvents) {
  if (pNext != nullptr) {
    note_unknown_structure(__func__, static_cast<const ze_base_desc_t*>(pNext)->stype);
  }
  return zeCommandListAppendMemoryCopy(hCommandList, dstptr, srcptr, size, hSignalEvent, numWaitEvents, phWaitEvents);
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t hCommandList, void* dstptr,
                                                                ze_context_handle_t hContextSrc, const void* srcptr,
                                                                size_t size, ze_event_handle_t hSignalEvent,
                                                                uint32_t numWaitEvents,
                                                                ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    as<Context>(hContextSrc);
    return append(hCommandList, copy_command("zeCommandListAppendMemoryCopyFromContext", dstptr, srcptr, size),
                  {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryFill(ze_command_list_handle_t hCommandList, void* ptr,
                                                     const void* pattern, size_t pattern_size, size_t size,
                                                     ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                                     ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    return append(hCommandList, fill_command("zeCommandListAppendMemoryFill", ptr, pattern, pattern_size, size),
                  {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryFillWithParameters(
    ze_command_list_handle_t hCommandList, void* ptr, const void* pattern, size_t pattern_size, size_t size,
    const void* pNext, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  if (pNext != nullptr) {
    note_unknown_structure(__func__, static_cast<const ze_base_desc_t*>(pNext)->stype);
  }
  return zeCommandListAppendMemoryFill(hCommandList, ptr, pattern, pattern_size, size, hSignalEvent, numWaitEvents,
                                       phWaitEvents);
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t hCommandList, void* dstptr,
                                                           const ze_copy_region_t* dstRegion, uint32_t dstPitch,
                                                           uint32_t dstSlicePitch, const void* srcptr,
                                                           const ze_copy_region_t* srcRegion, uint32_t srcPitch,
                                                           uint32_t srcSlicePitch, ze_event_handle_t hSignalEvent,
                                                           uint32_t numWaitEvents, ze_event_handle_t* phWaitEvents) {
  return guarded(__func__, [&] {
    require(dstptr, "dstptr");
    require(srcptr, "srcptr");
    require(dstRegion, "dstRegion");
    require(srcRegion, "srcRegion");
    const ze_copy_region_t region = *srcRegion;
    if (region.width != dstRegion->width || region.height != dstRegion->height || region.depth != dstRegion->depth) {
      throw ApiError(ZE_RESULT_ERROR_INVALID_SIZE, "source and destination region differ in size");
    }
    const Box to = Box::make(dstptr, *dstRegion, dstPitch, dstSlicePitch);
    const Box from = Box::make(srcptr, region, srcPitch, srcSlicePitch);
    usm().check_range(to.origin, to.extent(region), "a region copy to memory");
    usm().check_range(from.origin, from.extent(region), "a region copy from memory");
    Command command;
    command.name = "zeCommandListAppendMemoryCopyRegion";
    command.body = [to, from, region]() -> Outcome {
      const Usm::Use use(usm());
      const size_t slices = region.depth == 0 ? 1 : region.depth;
      const size_t rows = region.height == 0 ? 1 : region.height;
      for (size_t z = 0; z < slices; ++z) {
        for (size_t y = 0; y < rows; ++y) {
          unsigned char* row = to.origin + z * to.slice_pitch + y * to.row_pitch;
          const unsigned char* source = from.origin + z * from.slice_pitch + y * from.row_pitch;
          std::memmove(row, source, region.width);
          usm().note_copy(row, source, region.width);
        }
      }
      return {};
    };
    return append(hCommandList, std::move(command), {hSignalEvent, numWaitEvents, phWaitEvents});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t hCommandList, const void* ptr,
                                                         size_t size) {
  return guarded(__func__, [&] {
    require(ptr, "ptr");
    usm().check_range(ptr, size, "a prefetch");
    Command command;
    command.name = "zeCommandListAppendMemoryPrefetch";
    return append(hCommandList, std::move(command), {});
  });
}

ze_result_t ZE_APICALL zeCommandListAppendMemAdvise(ze_command_list_handle_t hCommandList, ze_device_handle_t hDevice,
                                                    const void* ptr, size_t size, ze_memory_advice_t) {
  return guarded(__func__, [&] {
    as<Device>(hDevice);
    require(ptr, "ptr");
    usm().check_range(ptr, size, "a memory advice");
    Command command;
    command.name = "zeCommandListAppendMemAdvise";
    return append(hCommandList, std::move(command), {});
  });
}

}  // extern "C"
