// SPDX-License-Identifier: Apache-2.0
#include "canonical_operand.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>

namespace xeforge::isa::testing {
namespace {

float half_to_float(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const auto mantissa = static_cast<float>(bits & 0x3FF);
  float magnitude = 0;
  if (exponent == 0x1F) {
    magnitude = mantissa != 0 ? std::nanf("") : HUGE_VALF;
  } else if (exponent == 0) {
    magnitude = std::ldexp(mantissa, -24);
  } else {
    magnitude = std::ldexp(mantissa + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.5g", value);
  return buffer.data();
}

}  // namespace

std::string CanonicalOperand::text() const {
  std::string result = std::string(negate ? "-" : "") + (absolute ? "(abs)" : "") + place;
  if (sub_bytes != 0) result += "+" + std::to_string(sub_bytes) + "B";
  if (!macro.empty()) result += "." + macro;
  if (!elements.empty()) result += "<" + elements + ">";
  if (!type.empty()) result += ":" + type;
  return result;
}

std::string element_list(unsigned exec_size, unsigned v, unsigned w, unsigned h, bool vxh) {
  std::string list;
  for (unsigned i = 0; i < exec_size; ++i) {
    if (!list.empty()) list += ' ';
    if (vxh) {
      list += "a" + std::to_string(i / w) + ":" + std::to_string(i % w * h);
    } else {
      list += std::to_string(i / w * v + i % w * h);
    }
  }
  return list;
}

std::string immediate_text(uint64_t bits, std::string_view type) {
  if (type == "f") return "#" + number(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  if (type == "df") return "#" + number(std::bit_cast<double>(bits));
  if (type == "hf") return "#" + number(half_to_float(static_cast<uint16_t>(bits)));
  if (type == "bf") return "#" + number(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16));
  std::array<char, 24> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "#0x%llX", static_cast<unsigned long long>(bits));
  return buffer.data();
}

unsigned type_bits(std::string_view type) {
  static const std::map<std::string_view, unsigned> kBits{
      {"ub", 8},  {"b", 8},   {"uw", 16}, {"w", 16},  {"ud", 32},   {"d", 32},  {"uq", 64}, {"q", 64},
      {"hf", 16}, {"bf", 16}, {"f", 32},  {"df", 64}, {"tf32", 32}, {"u8", 8},  {"s8", 8},  {"u4", 4},
      {"s4", 4},  {"u2", 2},  {"s2", 2},  {"v", 32},  {"uv", 32},   {"vf", 32}, {"bf8", 8}, {"hf8", 8}};
  const auto found = kBits.find(type);
  if (found == kBits.end()) throw std::runtime_error("unknown type '" + std::string(type) + "'");
  return found->second;
}

}  // namespace xeforge::isa::testing
