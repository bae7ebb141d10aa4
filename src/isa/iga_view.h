// SPDX-License-Identifier: Apache-2.0
//
// One IGA KernelView over a piece of machine code: owns the handle, keeps IGA's diagnostics by
// position. Internal to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <iga/iga_types_ext.hpp>
#include <iga/kv.h>

#include "isa/types.h"

namespace xeforge::isa {

iga_gen_t iga_platform(Platform platform);

/// Throws std::runtime_error if the loaded libiga64 numbers its opcodes differently from the
/// headers this library was built with (the numbers are not a stable interface).
void check_iga_library();

class IgaView {
 public:
  /// `code` starts at byte `base` of the kernel; all positions below are kernel positions.
  IgaView(Platform platform, std::span<const std::byte> code, uint32_t base);

  Platform platform() const { return platform_; }
  uint32_t base() const { return base_; }
  const kv_t* handle() const { return view_.get(); }
  int32_t local(uint32_t pc) const { return static_cast<int32_t>(pc - base_); }

  /// Bytes of the instruction at `pc`; 0 if no instruction starts there.
  uint32_t size_at(uint32_t pc) const;
  /// IGA's complaint about the instruction at `pc`, or empty.
  std::string error_at(uint32_t pc) const;
  /// One line of assembly, labels as absolute positions ("L128"); `format` are IGA's IGA_FORMATTING_OPT_* bits.
  std::string text(uint32_t pc, uint32_t format = 0) const;

 private:
  struct Deleter {
    void operator()(kv_t* view) const { kv_delete(view); }
  };

  Platform platform_;
  uint32_t base_;
  std::vector<std::byte> code_;
  std::unique_ptr<kv_t, Deleter> view_;
  std::map<uint32_t, std::string> errors_;  // by kernel position
};

}  // namespace xeforge::isa
