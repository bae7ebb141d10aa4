// SPDX-License-Identifier: Apache-2.0
#include "driver/printf_output.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace xeforge::driver {
namespace {

struct Undecodable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Class : uint8_t { Integer, Float, Address };

/// Type tags of values in the buffer; a vector is its length and then its elements.
struct ValueType {
  uint8_t bytes;
  Class kind;
  bool vector;
};
constexpr std::array<ValueType, 15> kTypes = {{{0, Class::Integer, false},
                                               {1, Class::Integer, false},
                                               {2, Class::Integer, false},
                                               {4, Class::Integer, false},
                                               {4, Class::Float, false},
                                               {8, Class::Address, false},
                                               {8, Class::Integer, false},
                                               {8, Class::Address, false},
                                               {8, Class::Float, false},
                                               {1, Class::Integer, true},
                                               {2, Class::Integer, true},
                                               {4, Class::Integer, true},
                                               {8, Class::Integer, true},
                                               {4, Class::Float, true},
                                               {8, Class::Float, true}}};
constexpr unsigned kMostElements = 16;  // OpenCL's widest vector

class Records {
 public:
  explicit Records(std::span<const std::byte> bytes) : rest_(bytes) {}
  bool empty() const { return rest_.empty(); }
  uint64_t integer(size_t bytes) {
    if (rest_.size() < bytes) throw Undecodable("a record is cut off");
    uint64_t value = 0;
    std::memcpy(&value, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
    return value;
  }
  void skip(size_t bytes) { rest_ = rest_.subspan(bytes < rest_.size() ? bytes : rest_.size()); }

 private:
  std::span<const std::byte> rest_;
};

/// One conversion of a format: "%-8.3v4hlf" has flags and width "-8.3", four elements, conversion 'f'.
struct Conversion {
  std::string layout;  ///< "%" with flags, width and precision
  char letter = 0;
  size_t length = 0;  ///< of its text in the format
};

Conversion parse_conversion(std::string_view text) {
  Conversion c;
  c.layout = "%";
  size_t at = 1;
  while (at < text.size() && std::string_view("-+ #0123456789.").find(text[at]) != std::string_view::npos)
    c.layout += text[at++];
  if (at < text.size() && text[at] == 'v') {
    ++at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  }
  while (at < text.size() && std::string_view("hlLjzt").find(text[at]) != std::string_view::npos) ++at;
  if (at >= text.size() || std::string_view("diouxXaAeEfFgGcsp").find(text[at]) == std::string_view::npos)
    throw Undecodable("the format has a conversion that is not OpenCL's: " + std::string(text.substr(0, at + 1)));
  c.letter = text[at];
  c.length = at + 1;
  return c;
}

template <class T>
std::string formatted(const std::string& format, T value) {
  const int length = std::snprintf(nullptr, 0, format.c_str(), value);
  if (length < 0) throw Undecodable("the format cannot be printed: " + format);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  return text;
}

int64_t sign_extended(uint64_t value, unsigned bytes) {
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<int64_t>(value << shift) >> shift;
}

std::string element(const Conversion& c, const ValueType& type, uint64_t bits) {
  const bool wants_float = std::string_view("aAeEfFgG").find(c.letter) != std::string_view::npos;
  if (wants_float != (type.kind == Class::Float))
    throw Undecodable(std::string("a value does not have the type of its conversion '") + c.letter + "'");
  if (wants_float) {
    double value;
    if (type.bytes == 8) {
      std::memcpy(&value, &bits, sizeof value);
    } else {
      float single;
      std::memcpy(&single, &bits, sizeof single);
      value = static_cast<double>(single);
    }
    return formatted(c.layout + c.letter, value);
  }
  if (c.letter == 'c') return formatted(c.layout + 'c', static_cast<int>(bits));
  if (c.letter == 'p') return formatted(c.layout + 'p', reinterpret_cast<const void*>(bits));
  if (c.letter == 'd' || c.letter == 'i')
    return formatted(c.layout + "ll" + c.letter, static_cast<long long>(sign_extended(bits, type.bytes)));
  return formatted(c.layout + "ll" + c.letter, static_cast<unsigned long long>(bits));
}

std::string value_text(const Conversion& c, Records& records, const StringAt& string_at) {
  const uint64_t tag = records.integer(4);
  if (tag == 0 || tag >= kTypes.size()) throw Undecodable("type tag " + std::to_string(tag) + " is unknown");
  const ValueType& type = kTypes[tag];
  if (c.letter == 's') {
    const uint64_t address = records.integer(8);
    const std::optional<std::string> text = string_at(address);
    return formatted(c.layout + 's', text.has_value() ? text->c_str() : "(null)");
  }
  if (!type.vector) {
    const uint64_t bits = records.integer(type.bytes < 4 ? 4 : type.bytes);
    return element(c, type, type.bytes < 4 ? bits & ((uint64_t{1} << 8 * type.bytes) - 1) : bits);
  }
  const uint64_t count = records.integer(4);
  if (count == 0 || count > kMostElements) throw Undecodable("a vector of " + std::to_string(count) + " elements");
  std::string text;
  for (uint64_t i = 0; i < count; ++i) {
    if (i != 0) text += ',';
    text += element(c, type, records.integer(type.bytes));
  }
  // A vector takes at least a dword for each of its elements.
  if (type.bytes < 4) records.skip((4 - type.bytes) * count);
  return text;
}

void add_record(std::string& out, const std::string& format, Records& records, const StringAt& string_at) {
  const std::string_view text = format;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\\' && at + 1 < text.size()) {  // IGC keeps escapes as they were written
      out += text[at + 1] == 'n' ? '\n' : text[at + 1] == 't' ? '\t' : text[at + 1];
      at += 2;
    } else if (text[at] != '%') {
      out += text[at++];
    } else if (at + 1 < text.size() && text[at + 1] == '%') {
      out += '%';
      at += 2;
    } else {
      const Conversion c = parse_conversion(text.substr(at));
      out += value_text(c, records, string_at);
      at += c.length;
    }
  }
}

}  // namespace

std::string printf_text(std::span<const std::byte> buffer, const StringAt& string_at) {
  std::string out;
  Records records(buffer);
  try {
    while (!records.empty()) {
      const std::optional<std::string> format = string_at(records.integer(8));
      if (!format.has_value()) throw Undecodable("a format lies outside the device's memory");
      add_record(out, *format, records, string_at);
    }
  } catch (const Undecodable& why) {
    out += std::string("\n[xeforge: the rest of this kernel's printf output cannot be decoded: ") + why.what() + "]\n";
  }
  return out;
}

}  // namespace xeforge::driver
