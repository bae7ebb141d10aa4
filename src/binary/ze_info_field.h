// SPDX-License-Identifier: Apache-2.0
//
// Typed access to the values of `.ze_info`, and tables of keys. Both styles of list that writers use
// (`[ 1, 2, 3 ]` and one `- 1` a line) come out of the YAML tree alike.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "binary/yaml_tree.h"

namespace xeforge::binary {

/// Warnings of one file, each key named once however often it occurs.
class Warnings {
 public:
  explicit Warnings(std::vector<std::string>& out) : out_(out) {}
  void add(const std::string& message) {
    if (seen_.insert(message).second) out_.push_back(message);
  }

 private:
  std::vector<std::string>& out_;
  std::set<std::string> seen_;
};

/// A value with the path to it. The readers throw ZebinError naming path and line.
struct Field {
  const yaml::Node& node;
  std::string path;  ///< "kernels.gemm.execution_env.grf_count"
  Warnings& warnings;

  [[noreturn]] void fail(const std::string& message) const;
  std::string text() const;  ///< empty for a null value
  bool flag() const;
  /// A decimal integer in [low, high].
  int64_t integer(int64_t low, int64_t high) const;
  uint32_t count(uint32_t high = UINT32_MAX) const { return static_cast<uint32_t>(integer(0, high)); }
  std::array<uint32_t, 3> triple() const;
  std::span<const yaml::Node> items() const;  ///< of a sequence; empty for a null value
  void unknown(const std::string& key, const std::string& kind) const {
    warnings.add("unknown key '" + key + "' in " + kind);
  }
  Field item(const yaml::Node& child, const std::string& name) const { return {child, path + "." + name, warnings}; }
};

/// What to do with a key. No function: the key is known and of no use here.
template <typename Target>
struct Key {
  std::string_view name;
  void (*apply)(Target&, const Field&);
};

/// Applies the table to every member of a map. Keys that the table lacks become warnings.
/// `kind` says which attribute a warning belongs to ("execution_env").
template <typename Target>
void apply_keys(Target& target, const Field& map, std::span<const Key<Target>> keys, const std::string& kind) {
  if (map.node.kind == yaml::Node::Kind::Null) return;
  if (map.node.kind != yaml::Node::Kind::Map) map.fail("must be a map");
  for (const yaml::Member& member : map.node.members) {
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key<Target>& k) { return k.name == member.key; });
    if (key == keys.end()) {
      map.unknown(member.key, kind);
    } else if (key->apply != nullptr) {
      key->apply(target, map.item(member.value, member.key));
    }
  }
}

}  // namespace xeforge::binary
