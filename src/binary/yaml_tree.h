// SPDX-License-Identifier: Apache-2.0
//
// A YAML document as a plain owning tree with line numbers, parsed by yaml-cpp. YAML::Node is not used
// because untrusted input can make it share nodes through aliases without bound.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xeforge::binary::yaml {

struct Member;

struct Node {
  enum class Kind : uint8_t { Null, Scalar, Sequence, Map } kind = Kind::Null;
  int line = 0;  ///< from 1
  std::string scalar;
  std::vector<Node> items;
  std::vector<Member> members;

  const Node* find(std::string_view key) const;
};

struct Member {
  std::string key;
  Node value;
};

/// The first document of `text`. Throws ZebinError, with the line, for malformed text, aliases,
/// duplicate keys and nesting deeper than any `.ze_info` has. `what` names the text in messages.
Node parse(std::string_view text, const std::string& what);

}  // namespace xeforge::binary::yaml
