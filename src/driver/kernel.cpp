// SPDX-License-Identifier: Apache-2.0
#include "driver/kernel.h"

#include <algorithm>
#include <cstring>

#include "device/occupancy.h"

namespace xeforge::driver {
namespace {

using binary::AddrMode;
using binary::AddrSpace;
using binary::ArgType;
using binary::PayloadArg;

enum class ArgumentKind { Unused, Pointer, LocalMemory, Value };

ArgumentKind kind_of(const binary::Kernel& kernel, uint32_t index) {
  ArgumentKind kind = ArgumentKind::Unused;
  for (const PayloadArg& arg : kernel.payload) {
    if (arg.arg_index != static_cast<int32_t>(index)) {
      continue;
    }
    if (arg.type == ArgType::ByPointer) {
      return arg.addrmode == AddrMode::Slm || arg.addrspace == AddrSpace::Local ? ArgumentKind::LocalMemory
                                                                                : ArgumentKind::Pointer;
    }
    if (arg.type == ArgType::ByValue) {
      kind = ArgumentKind::Value;
    }
  }
  return kind;
}

std::string describe(const binary::Kernel& kernel, uint32_t index) {
  return "argument " + std::to_string(index) + " of kernel " + kernel.name;
}

}  // namespace

void Kernel::set_argument(uint32_t index, size_t size, const void* value) {
  if (index >= arguments.size()) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX,
                   describe(binary(), index) + ": the kernel has " + std::to_string(arguments.size()) + " arguments");
  }
  machine::ArgumentValue& argument = arguments[index];
  switch (kind_of(binary(), index)) {
    case ArgumentKind::LocalMemory:
      if (value != nullptr) {
        throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                       describe(binary(), index) + " is local memory: it has a size and no value");
      }
      argument = {machine::ArgumentValue::Kind::Slm, {}, 0, static_cast<uint32_t>(size)};
      return;
    case ArgumentKind::Pointer: {
      if (size != sizeof(void*)) {
        throw ApiError(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE,
                       describe(binary(), index) + " is a pointer, " + std::to_string(size) + " bytes were given");
      }
      uint64_t pointer = 0;
      if (value != nullptr) {
        std::memcpy(&pointer, value, sizeof pointer);
      }
      argument = {machine::ArgumentValue::Kind::Pointer, {}, pointer, 0};
      return;
    }
    case ArgumentKind::Value: {
      const uint32_t needed = binary().argument_size(index);
      // Generated kernels carry no types: they round their scalars up to a whole register element of 4 bytes, and their
      // libraries pass the 2 bytes that a half or a short has. A compiler says what an argument is.
      const bool typed = index < binary().arguments.size();
      const size_t reach = typed ? size : (size + 3) / 4 * 4;
      if (reach < needed) {
        throw ApiError(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, describe(binary(), index) + " has " +
                                                                         std::to_string(needed) + " bytes, " +
                                                                         std::to_string(size) + " were given");
      }
      argument = {machine::ArgumentValue::Kind::Bytes, std::vector<std::byte>(std::max<size_t>(size, needed)), 0, 0};
      if (value != nullptr) {
        std::memcpy(argument.bytes.data(), value, size);
      }
      return;
    }
    case ArgumentKind::Unused:
      // The compiler found no use for it.
      argument = {machine::ArgumentValue::Kind::Bytes, std::vector<std::byte>(size), 0, 0};
      return;
  }
}

void Kernel::set_arguments(void* const* values) {
  if (!arguments.empty()) {
    require(static_cast<const void*>(values), "pArguments");
  }
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    switch (kind_of(binary(), i)) {
      case ArgumentKind::LocalMemory: {
        require(values[i], "an entry of pArguments");
        size_t bytes = 0;
        std::memcpy(&bytes, values[i], sizeof bytes);
        set_argument(i, bytes, nullptr);
        break;
      }
      case ArgumentKind::Pointer:
        set_argument(i, sizeof(void*), values[i]);
        break;
      case ArgumentKind::Value:
        require(values[i], "an entry of pArguments");
        set_argument(i, binary().argument_size(i), values[i]);
        break;
      case ArgumentKind::Unused:
        set_argument(i, 0, nullptr);  // nobody knows how many bytes are there
        break;
    }
  }
}

void Kernel::set_group_size(uint32_t x, uint32_t y, uint32_t z) {
  if (x == 0 || y == 0 || z == 0) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_ARGUMENT, "a group size of 0");
  }
  const std::string text = std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
  const uint64_t items = uint64_t{x} * y * z;
  const uint32_t most = max_group_size(binary(), image->model());
  if (items > most) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
                   "a group of " + text + " work-items: kernel " + binary().name + " (SIMD " +
                       std::to_string(binary().simd_size) + ", " + std::to_string(binary().grf_count) +
                       " registers) may have " + std::to_string(most));
  }
  if (const auto& required = binary().required_group_size;
      required.has_value() && *required != std::array<uint32_t, 3>{x, y, z}) {
    throw ApiError(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
                   "a group of " + text + " work-items: kernel " + binary().name + " is compiled for " +
                       std::to_string((*required)[0]) + "x" + std::to_string((*required)[1]) + "x" +
                       std::to_string((*required)[2]));
  }
  group_size = {x, y, z};
}

uint32_t max_group_size(const binary::Kernel& kernel, const device::Device& model) {
  const uint32_t by_threads = model.threads_per_core(kernel.grf_count) * std::max(1U, kernel.simd_size);
  return std::min(model.max_group_size, by_threads);
}

std::array<uint32_t, 3> suggest_group_size(const binary::Kernel& kernel, const device::Device& model,
                                           const std::array<uint32_t, 3>& global) {
  if (kernel.required_group_size.has_value()) {
    return *kernel.required_group_size;
  }
  // A quarter of a core's threads in one group leaves the dispatcher room, and keeps few idle at the end of the grid.
  uint32_t budget = std::max(1U, std::min(max_group_size(kernel, model), 256U));
  std::array<uint32_t, 3> group{1, 1, 1};
  for (size_t d = 0; d < 3; ++d) {
    const uint32_t items = std::max(1U, global[d]);
    uint32_t size = std::min(items, budget);
    while (items % size != 0) {
      --size;
    }
    group[d] = size;
    budget /= size;
  }
  return group;
}

uint32_t max_resident_groups(const Kernel& kernel, const device::Device& model) {
  uint32_t dynamic_slm = 0;
  for (const auto& argument : kernel.arguments) {
    dynamic_slm += argument.slm_bytes;
  }
  const uint32_t items = kernel.group_size[0] * kernel.group_size[1] * kernel.group_size[2];
  const auto query = device::query_for(kernel.binary(), std::max(1U, items), dynamic_slm);
  return device::resident_groups_per_core(model, query) * model.xe_cores();
}

}  // namespace xeforge::driver
