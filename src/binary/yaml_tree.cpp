// SPDX-License-Identifier: Apache-2.0
#include "binary/yaml_tree.h"

#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "binary/text.h"
#include "binary/zebin.h"

namespace xeforge::binary::yaml {
namespace {

// .ze_info nests six deep; the limit keeps recursion (also that of destructors) off the stack's end.
constexpr size_t kMaxDepth = 32;
// Keys are compared one by one; no .ze_info map has fifty.
constexpr size_t kMaxKeys = 1000;

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& what) : what_(what) {}
  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(mark, Node::Kind::Null, {}); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { fail(mark, "aliases are not allowed"); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
    add(mark, Node::Kind::Scalar, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, Node::Kind::Sequence);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(mark, Node::Kind::Map);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  // A key waits here until its value comes; only the innermost map can have one waiting.
  struct Level {
    Node* node;
    bool has_key = false;
    std::string key;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw ZebinError(what_ + " line " + std::to_string(mark.line + 1) + ": " + message);
  }

  void open(const YAML::Mark& mark, Node::Kind kind) {
    if (open_.size() >= kMaxDepth) fail(mark, "nested more than " + std::to_string(kMaxDepth) + " deep");
    Node* node = place(mark, kind);
    open_.push_back({node, false, {}});
  }

  void add(const YAML::Mark& mark, Node::Kind kind, const std::string& scalar) {
    if (!is_text(scalar)) fail(mark, "'" + printable(scalar) + "' is not text");
    if (!open_.empty() && open_.back().node->kind == Node::Kind::Map && !open_.back().has_key) {
      if (kind != Node::Kind::Scalar) fail(mark, "empty key");
      if (open_.back().node->members.size() >= kMaxKeys) fail(mark, "more than " + std::to_string(kMaxKeys) + " keys");
      if (open_.back().node->find(scalar) != nullptr) fail(mark, "key '" + scalar + "' appears twice");
      open_.back().key = scalar;
      open_.back().has_key = true;
      return;
    }
    place(mark, kind)->scalar = scalar;
  }

  // The pointers kept in open_ stay valid: a vector only grows below the innermost open node,
  // and that node's own children are closed by then.
  Node* place(const YAML::Mark& mark, Node::Kind kind) {
    Node* node = &root_;
    if (!open_.empty()) {
      Level& level = open_.back();
      if (level.node->kind == Node::Kind::Map) {
        if (!level.has_key) fail(mark, "a key must be a plain word");
        level.node->members.push_back({std::move(level.key), {}});
        node = &level.node->members.back().value;
        level.has_key = false;
      } else {
        node = &level.node->items.emplace_back();
      }
    }
    node->kind = kind;
    node->line = mark.line + 1;
    return node;
  }

  const std::string& what_;
  Node root_;
  std::vector<Level> open_;
};

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Node parse(std::string_view text, const std::string& what) {
  TreeBuilder builder(what);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    throw ZebinError(what + ": " + printable(error.what()));
  }
  return builder.take();
}

}  // namespace xeforge::binary::yaml
