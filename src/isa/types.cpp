// SPDX-License-Identifier: Apache-2.0
#include "isa/types.h"

#include <array>
#include <cstddef>

namespace xeforge::isa {
namespace {

struct TypeRow {
  std::string_view name;
  uint8_t bits;
  bool floating;
  bool is_signed;
};

// Indexed by DataType. Names are IGA's, so that text and diagnostics agree with the vendor's listings.
constexpr std::array<TypeRow, 25> kTypes{{
    {"ub", 8, false, false},      {"b", 8, false, true},   {"uw", 16, false, false}, {"w", 16, false, true},
    {"ud", 32, false, false},     {"d", 32, false, true},  {"uq", 64, false, false}, {"q", 64, false, true},
    {"hf", 16, true, true},       {"bf", 16, true, true},  {"f", 32, true, true},    {"df", 64, true, true},
    {"tf32", 32, true, true},     {"bf8", 8, true, true},  {"hf8", 8, true, true},   {"u8", 8, false, false},
    {"s8", 8, false, true},       {"u4", 4, false, false}, {"s4", 4, false, true},   {"u2", 2, false, false},
    {"s2", 2, false, true},       {"v", 32, false, true},  {"uv", 32, false, false}, {"vf", 32, true, true},
    {"invalid", 0, false, false},
}};
static_assert(kTypes.size() == static_cast<size_t>(DataType::Invalid) + 1);

const TypeRow& row(DataType t) {
  const auto index = static_cast<size_t>(t);
  return kTypes[index < kTypes.size() ? index : kTypes.size() - 1];
}

constexpr std::array<std::string_view, 17> kRegFiles{"null", "r", "acc", "a",   "f",  "ce", "msg", "sp", "sr",
                                                     "cr",   "n", "ip",  "tdr", "tm", "fc", "dbg", "s"};
static_assert(kRegFiles.size() == static_cast<size_t>(RegFile::Scalar) + 1);

}  // namespace

unsigned bits_of(DataType t) { return row(t).bits; }

unsigned bytes_of(DataType t) { return (row(t).bits + 7U) / 8U; }

bool is_float(DataType t) { return row(t).floating; }

bool is_signed(DataType t) { return row(t).is_signed; }

std::string_view name_of(DataType t) { return row(t).name; }

std::string_view name_of(RegFile f) {
  const auto index = static_cast<size_t>(f);
  return index < kRegFiles.size() ? kRegFiles[index] : std::string_view("?");
}

}  // namespace xeforge::isa
