// SPDX-License-Identifier: Apache-2.0
//
// What only IGA's text says about an operand. Internal to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace xeforge::isa {

struct TextRegion {
  uint32_t v, w, h;
};

/// The `<V;W,H>` written on source `index` of a line of IGA assembly; nullopt if there is none.
std::optional<TextRegion> region_in_text(std::string_view line, uint32_t index, bool has_destination);

}  // namespace xeforge::isa
