// SPDX-License-Identifier: Apache-2.0
#include "binary/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeforge::binary {
namespace {

/// How many bytes the first character takes; 0 if it is none, or a control character.
size_t character_size(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t first = at(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first > 0xf4 || bytes.size() < size) return 0;
  uint32_t code = first & (0x7fU >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (at(i) & 0x3f);
  }
  // Also refuses a first byte that only continues one. U+0080 to U+009F are control characters.
  constexpr uint32_t kLeast[] = {0, 0, 0xa0, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= kLeast[size] && code <= 0x10ffff && !surrogate && first >= 0xc2 ? size : 0;
}

}  // namespace

bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t size = character_size(bytes);
    if (size == 0) return false;
    bytes.remove_prefix(size);
  }
  return true;
}

std::string printable(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  while (!bytes.empty()) {
    const size_t size = character_size(bytes);
    const auto byte = static_cast<uint8_t>(bytes.front());
    if (size != 0)
      out += bytes.substr(0, size);
    else
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    bytes.remove_prefix(std::max<size_t>(size, 1));
  }
  return out;
}

}  // namespace xeforge::binary
