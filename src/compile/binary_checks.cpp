// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "binary/zebin.h"
#include "compile/checks.h"
#include "isa/decode.h"

namespace xeforge::compile {
namespace {

using Refusal = std::optional<std::string>;

/// A function of SYCL's device libraries that no module defined: the compiler leaves a call to nowhere and succeeds
/// (toolchain.md, pitfall 1). Other undefined names are the loader's to know.
Refusal unresolved_library_call(const binary::Kernel& kernel) {
  for (const auto& relocation : kernel.relocations) {
    if (!relocation.symbol.starts_with("__devicelib_")) continue;
    return "kernel '" + kernel.name + "' calls " + relocation.symbol +
           ", a function of SYCL's device library that is defined in none of the modules: link the device-library "
           "image that defines it, or "
           "define it in the source (bf16 conversions: extern \"C\" SYCL_EXTERNAL)";
  }
  return std::nullopt;
}

/// Messages made from raw descriptors (raw_send) pass every check of the source.
Refusal missing_messages(const binary::Kernel& kernel, const device::Device& device) {
  if (device.has_block2d && device.named_barriers != 0) return std::nullopt;
  const isa::Program program = isa::decode(device.platform, kernel.code);
  for (const auto& instruction : program.instructions()) {
    if (!instruction.is_send()) continue;
    const auto kind = instruction.msg.kind;
    const bool block2d = kind == isa::MessageKind::LoadBlock2d || kind == isa::MessageKind::StoreBlock2d;
    const bool named = kind == isa::MessageKind::NamedBarrierSignal;
    if ((block2d && !device.has_block2d) || (named && device.named_barriers == 0))
      return "kernel '" + kernel.name + "' sends a message that " + device.name + " does not have, at pc " +
             std::to_string(instruction.pc) + ": " + program.text(instruction.pc);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> binary_refusal(std::span<const std::byte> zebin, const device::Device& device) {
  try {
    for (const auto& kernel : binary::read_zebin(zebin).kernels) {
      if (auto reason = unresolved_library_call(kernel)) return reason;
      if (auto reason = missing_messages(kernel, device)) return reason;
    }
  } catch (const binary::ZebinError&) {
    return std::nullopt;
  } catch (const isa::DecodeError&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace xeforge::compile
