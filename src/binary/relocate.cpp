// SPDX-License-Identifier: Apache-2.0
#include "binary/relocate.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

namespace xeforge::binary {
namespace {

// The two names that stand for numbers of the launch, not for addresses (IGC RelocationInfo.h).
constexpr std::string_view kCrossThreadOffset = "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0";
constexpr std::string_view kPerThreadOffset = "__INTEL_PER_THREAD_OFF";
constexpr std::string_view kDeviceLibraryPrefix = "__devicelib_";

// Threads fetch instructions in lines of 64 bytes and IGC pads kernels to that.
constexpr size_t kFunctionAlignment = 64;

struct Patch {
  unsigned bytes;  ///< 0: nothing to patch
  unsigned shift;  ///< of the address
};

Patch patch_of(const Relocation& relocation, const RelocationPlan& plan) {
  switch (relocation.type) {
    case RelocType::None:
      return {0, 0};
    case RelocType::Sym:
      return {8, 0};
    case RelocType::SymAddr32:
    case RelocType::PerThreadPayloadOffset32:
      return {4, 0};
    case RelocType::SymAddr32Hi:
      return {4, 32};
    case RelocType::SymAddr16:
      return {2, 0};
    case RelocType::GlobalImm32:
    case RelocType::Send:
    case RelocType::Unknown:
      break;
  }
  throw ZebinError(plan.where + ": relocation type " + std::to_string(relocation.raw_type) + " for '" +
                   relocation.symbol + "' at offset " + std::to_string(relocation.offset) + " is not understood");
}

std::optional<uint64_t> value_of(const Relocation& relocation, const RelocationPlan& plan) {
  if (relocation.symbol == kCrossThreadOffset) return plan.implicit_args_bytes;
  if (relocation.type == RelocType::PerThreadPayloadOffset32 || relocation.symbol == kPerThreadOffset)
    return plan.per_thread_payload_offset;
  if (!relocation.symbol_section.empty()) {
    const auto section = plan.section_address.find(relocation.symbol_section);
    if (section != plan.section_address.end())
      return section->second + relocation.symbol_value + static_cast<uint64_t>(relocation.addend);
  }
  if (plan.resolve) {
    if (const auto address = plan.resolve(relocation.symbol))
      return *address + static_cast<uint64_t>(relocation.addend);
  }
  return std::nullopt;
}

void apply(std::span<std::byte> bytes, const Relocation& relocation, Patch patch, uint64_t value,
           const RelocationPlan& plan) {
  if (relocation.offset > bytes.size() || patch.bytes > bytes.size() - relocation.offset) {
    throw ZebinError(plan.where + ": relocation of '" + relocation.symbol + "' at offset " +
                     std::to_string(relocation.offset) + " lies outside its " + std::to_string(bytes.size()) +
                     " bytes");
  }
  std::byte* at = bytes.data() + relocation.offset;
  uint64_t word = value >> patch.shift;
  if (relocation.addend_in_place) {
    uint64_t present = 0;
    std::memcpy(&present, at, patch.bytes);
    word += present;
  }
  std::memcpy(at, &word, patch.bytes);
}

[[noreturn]] void fail_unresolved(const std::map<std::string, uint64_t>& unresolved, const RelocationPlan& plan) {
  std::string message = plan.where + ": unresolved symbol" + (unresolved.size() > 1 ? "s" : "");
  bool is_device_library = false;
  const char* separator = " ";
  for (const auto& [name, offset] : unresolved) {
    message += separator + ("'" + name + "' (at offset " + std::to_string(offset) + ")");
    separator = ", ";
    is_device_library |= name.starts_with(kDeviceLibraryPrefix);
  }
  if (is_device_library) {
    message +=
        ". A __devicelib_ function is a call into SYCL's device library which was not linked in: either hand its "
        "SPIR-V image to the "
        "module together with the kernel's (the run-time compiler emits it as a further image), or define the function "
        "in the kernel's "
        "source as extern \"C\" SYCL_EXTERNAL, so that the compiler inlines it";
  }
  throw ZebinError(message);
}

const Section* function_section(const Zebin& zebin, const std::string& name) {
  for (const Section& section : zebin.functions) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

}  // namespace

void relocate(std::span<std::byte> bytes, std::span<const Relocation> relocations, const RelocationPlan& plan) {
  std::map<std::string, uint64_t> unresolved;
  for (const Relocation& relocation : relocations) {
    const Patch patch = patch_of(relocation, plan);
    if (patch.bytes == 0) continue;
    if (const auto value = value_of(relocation, plan)) {
      apply(bytes, relocation, patch, *value, plan);
    } else {
      unresolved.emplace(relocation.symbol.empty() ? "(without name)" : relocation.symbol, relocation.offset);
    }
  }
  if (!unresolved.empty()) fail_unresolved(unresolved, plan);
}

std::map<std::string, uint64_t> function_offsets(const Zebin& zebin, size_t kernel_code_size) {
  std::map<std::string, uint64_t> offsets;
  size_t at = kernel_code_size;
  for (const Section& section : zebin.functions) {
    at = (at + kFunctionAlignment - 1) / kFunctionAlignment * kFunctionAlignment;
    offsets.emplace(section.name, at);
    at += section.bytes.size();
  }
  return offsets;
}

Kernel with_functions(const Zebin& zebin, const Kernel& kernel) {
  std::vector<const Section*> reached;
  const auto follow = [&](std::span<const Relocation> relocations) {
    for (const Relocation& relocation : relocations) {
      const Section* section = function_section(zebin, relocation.symbol_section);
      if (section != nullptr && std::find(reached.begin(), reached.end(), section) == reached.end())
        reached.push_back(section);
    }
  };
  follow(kernel.relocations);
  for (size_t i = 0; i < reached.size(); ++i) follow(reached[i]->relocations);

  Kernel out = kernel;
  if (reached.empty()) return out;
  RelocationPlan plan{"kernel '" + kernel.name + "' with functions", {}, {}, 0, 0};
  for (const Section* section : reached) {
    const size_t at = (out.code.size() + kFunctionAlignment - 1) / kFunctionAlignment * kFunctionAlignment;
    out.code.resize(at);
    plan.section_address.emplace(section->name, at);
    out.code.insert(out.code.end(), section->bytes.begin(), section->bytes.end());
    for (Relocation relocation : section->relocations) {
      relocation.offset += at;
      out.relocations.push_back(std::move(relocation));
    }
  }
  const auto inner = std::stable_partition(
      out.relocations.begin(), out.relocations.end(),
      [&](const Relocation& relocation) { return !plan.section_address.contains(relocation.symbol_section); });
  relocate(out.code, {inner, out.relocations.end()}, plan);
  out.relocations.erase(inner, out.relocations.end());
  return out;
}

}  // namespace xeforge::binary
