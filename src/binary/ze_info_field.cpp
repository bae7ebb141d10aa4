// SPDX-License-Identifier: Apache-2.0
#include "binary/ze_info_field.h"

#include <charconv>

#include "binary/zebin.h"

namespace xeforge::binary {

void Field::fail(const std::string& message) const {
  throw ZebinError("zebin: .ze_info line " + std::to_string(node.line) + ": " + path + " " + message);
}

std::string Field::text() const {
  if (node.kind != yaml::Node::Kind::Scalar && node.kind != yaml::Node::Kind::Null) fail("must be a text");
  return node.scalar;
}

bool Field::flag() const {
  if (node.kind == yaml::Node::Kind::Scalar && (node.scalar == "true" || node.scalar == "false"))
    return node.scalar == "true";
  fail("must be true or false, is '" + node.scalar + "'");
}

int64_t Field::integer(int64_t low, int64_t high) const {
  int64_t value = 0;
  const char* end = node.scalar.data() + node.scalar.size();
  const auto [stop, error] = std::from_chars(node.scalar.data(), end, value);
  if (node.kind != yaml::Node::Kind::Scalar || error != std::errc{} || stop != end)
    fail("must be a number, is '" + node.scalar + "'");
  if (value < low || value > high) {
    fail("is " + node.scalar + ", must be between " + std::to_string(low) + " and " + std::to_string(high));
  }
  return value;
}

std::array<uint32_t, 3> Field::triple() const {
  const auto values = items();
  if (values.size() != 3) fail("must be a list of 3 numbers, has " + std::to_string(values.size()));
  return {item(values[0], "0").count(), item(values[1], "1").count(), item(values[2], "2").count()};
}

std::span<const yaml::Node> Field::items() const {
  if (node.kind == yaml::Node::Kind::Null) return {};
  if (node.kind != yaml::Node::Kind::Sequence) fail("must be a list");
  return node.items;
}

}  // namespace xeforge::binary
