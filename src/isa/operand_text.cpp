// SPDX-License-Identifier: Apache-2.0
#include "isa/operand_text.h"

#include <array>
#include <charconv>

namespace xeforge::isa {
namespace {

std::string_view next_token(std::string_view& rest) {
  const size_t begin = rest.find_first_not_of(' ');
  if (begin == std::string_view::npos) {
    rest = {};
    return {};
  }
  rest.remove_prefix(begin);
  const auto token = rest.substr(0, rest.find(' '));
  rest.remove_prefix(token.size());
  return token;
}

}  // namespace

std::optional<TextRegion> region_in_text(std::string_view line, uint32_t index, bool has_destination) {
  // (pred) op (size|Mn) (cond)flag dst src0 src1 ... {options} // comment
  const size_t size = line.find("|M");
  if (size == std::string_view::npos) return std::nullopt;
  const size_t close = line.find(')', size);
  if (close == std::string_view::npos) return std::nullopt;
  auto rest = line.substr(close + 1);
  auto token = next_token(rest);
  if (token.starts_with('(') && !token.starts_with("(abs)") && !token.starts_with("(sat)")) token = next_token(rest);
  for (uint32_t skip = index + (has_destination ? 1 : 0); skip > 0; --skip) token = next_token(rest);
  if (token.empty() || token.starts_with('{') || token.starts_with("//")) return std::nullopt;

  const size_t open = token.find('<');
  const size_t end = token.find('>', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  std::array<uint32_t, 3> numbers{};
  size_t count = 0;
  const char* at = token.data() + open + 1;
  const char* last = token.data() + end;
  while (at < last && count < numbers.size()) {
    const auto parsed = std::from_chars(at, last, numbers[count]);
    if (parsed.ec != std::errc()) return std::nullopt;
    ++count;
    at = parsed.ptr + 1;  // over ';' or ','
  }
  if (count != numbers.size()) return std::nullopt;
  return TextRegion{numbers[0], numbers[1], numbers[2]};
}

}  // namespace xeforge::isa
