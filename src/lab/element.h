// SPDX-License-Identifier: Apache-2.0
//
// Types of matrix elements, as `xeforge bench` and the providers' helpers name them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xeforge::lab {

enum class Element : std::uint8_t { Bf16, F16, F32, S8, U8 };

struct ElementRow {
  Element element;
  std::string_view name;
  std::size_t bytes;
  bool integer;
};

/// In the order of the enumeration.
inline constexpr std::array<ElementRow, 5> kElements{{{Element::Bf16, "bf16", 2, false},
                                                      {Element::F16, "f16", 2, false},
                                                      {Element::F32, "f32", 4, false},
                                                      {Element::S8, "s8", 1, true},
                                                      {Element::U8, "u8", 1, true}}};

constexpr const ElementRow& row_of(Element element) { return kElements.at(static_cast<std::size_t>(element)); }

}  // namespace xeforge::lab
