// SPDX-License-Identifier: Apache-2.0
#include "device/device_file.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "binary/yaml_tree.h"
#include "binary/zebin.h"

namespace xeforge::device {
namespace {

using binary::yaml::Node;

struct NumberRow {
  const char* name;
  void (*store)(Device&, double);
};

template <auto Member>
void store(Device& device, double value) {
  using Field = std::remove_reference_t<decltype(device.*Member)>;
  device.*Member = static_cast<Field>(value);
}

// Every number that a device must have; further ones (timing) are kept as parameters only.
constexpr NumberRow kNumbers[] = {
    {"pci_device_id", store<&Device::pci_device_id>},
    {"ip_version", store<&Device::ip_version>},
    {"slices", store<&Device::slices>},
    {"subslices_per_slice", store<&Device::subslices_per_slice>},
    {"eus_per_subslice", store<&Device::eus_per_subslice>},
    {"threads_per_eu", store<&Device::threads_per_eu>},
    {"simd_width", store<&Device::simd_width>},
    {"max_group_size", store<&Device::max_group_size>},
    {"max_groups_per_core", store<&Device::max_groups_per_core>},
    {"slm_per_group", store<&Device::slm_per_group>},
    {"slm_per_core", store<&Device::slm_per_core>},
    {"barriers_per_core", store<&Device::barriers_per_core>},
    {"named_barriers", store<&Device::named_barriers>},
    {"has_split_barrier", store<&Device::has_split_barrier>},
    {"has_fp64", store<&Device::has_fp64>},
    {"has_block2d", store<&Device::has_block2d>},
    {"has_dpasw", store<&Device::has_dpasw>},
    {"has_tf32", store<&Device::has_tf32>},
    {"fused_eus", store<&Device::fused_eus>},
    {"clock_mhz", store<&Device::clock_mhz>},
    {"memory_bytes", store<&Device::memory_bytes>},
    {"max_alloc_bytes", store<&Device::max_alloc_bytes>},
    {"memory_gb_per_s", store<&Device::memory_gb_per_s>},
    {"l1_bytes", store<&Device::l1_bytes>},
    {"l2_bytes", store<&Device::l2_bytes>},
};

struct TextRow {
  const char* name;
  std::string Device::*member;
};
constexpr TextRow kTexts[] = {{"id", &Device::id},
                              {"name", &Device::name},
                              {"ocloc", &Device::ocloc_name},
                              {"sycl_architecture", &Device::sycl_architecture}};

struct ListRow {
  const char* name;
  std::vector<unsigned> Device::*member;
};
constexpr ListRow kLists[] = {{"sub_group_sizes", &Device::sub_group_sizes}, {"slm_sizes", &Device::slm_sizes}};

constexpr const char* kMatrixTypes[] = {"f16", "bf16", "tf32", "u8", "s8", "u4", "s4", "f32", "s32"};

class Reader {
 public:
  Reader(Device& device, std::string file) : device_(device), file_(std::move(file)) {}

  void read(const Node& root) {
    require_map(root);
    for (const auto& [key, value] : root.members) read_section(key, value);
  }

  void enter(std::string file) { file_ = std::move(file); }

  [[noreturn]] void fail(const Node& node, const std::string& message) const {
    throw std::invalid_argument("device file " + file_ + " line " + std::to_string(node.line) + ": " + message);
  }

 private:
  void require_map(const Node& node) const {
    if (node.kind != Node::Kind::Map) fail(node, "must be a map");
  }

  void read_section(const std::string& key, const Node& value) {
    for (const TextRow& row : kTexts) {
      if (key == row.name) {
        device_.*row.member = text(value);
        return;
      }
    }
    if (key == "family") return;
    if (key == "platform") return read_platform(value);
    if (key == "sources") return read_sources(value);
    if (key == "numbers") return read_numbers(value);
    if (key == "lists") return read_lists(value);
    if (key == "matrix") return read_matrix(value);
    fail(value, "unknown key '" + key + "'");
  }

  std::string text(const Node& node) const {
    if (node.kind != Node::Kind::Scalar || node.scalar.empty()) fail(node, "must be a text");
    return node.scalar;
  }

  double number(const Node& node) const {
    char* end = nullptr;
    const double value = std::strtod(node.scalar.c_str(), &end);  // takes 0x56a0 too
    if (node.kind != Node::Kind::Scalar || node.scalar.empty() || *end != '\0')
      fail(node, "must be a number, is '" + node.scalar + "'");
    return value;
  }

  void read_platform(const Node& node) {
    if (node.scalar == "xe_hpg") {
      device_.platform = isa::Platform::XeHpg;
    } else if (node.scalar == "xe2") {
      device_.platform = isa::Platform::Xe2;
    } else {
      fail(node, "unknown platform '" + node.scalar + "' (xe_hpg, xe2)");
    }
  }

  void read_sources(const Node& node) {
    require_map(node);
    for (const auto& [key, value] : node.members) sources_[key] = text(value);
  }

  std::string source(const Node& row) const {
    const Node* name = row.find("source");
    if (name == nullptr) fail(row, "has no source");
    const auto known = sources_.find(name->scalar);
    if (known == sources_.end())
      fail(*name, "source '" + name->scalar + "' is not among the sources of this file or its family");
    const Node* note = row.find("note");
    return note == nullptr ? known->second : known->second + "; " + text(*note);
  }

  void only_keys(const Node& row, std::initializer_list<std::string_view> allowed) const {
    require_map(row);
    for (const auto& [key, value] : row.members) {
      if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) fail(value, "unknown key '" + key + "'");
    }
  }

  void read_numbers(const Node& node) {
    require_map(node);
    for (const auto& [key, row] : node.members) {
      only_keys(row, {"value", "low", "high", "source", "unit", "note"});
      const Node* value = row.find("value");
      if (value == nullptr) fail(row, "'" + key + "' has no value");
      Sourced sourced;
      sourced.value = number(*value);
      const Node *low = row.find("low"), *high = row.find("high"), *unit = row.find("unit");
      sourced.low = low != nullptr ? number(*low) : sourced.value;
      sourced.high = high != nullptr ? number(*high) : sourced.value;
      if (sourced.low > sourced.value || sourced.high < sourced.value)
        fail(row, "'" + key + "' is outside its own range");
      sourced.source = source(row);
      if (unit != nullptr) sourced.unit = text(*unit);
      device_.parameters[key] = sourced;
      for (const NumberRow& number_row : kNumbers) {
        if (key == number_row.name) number_row.store(device_, sourced.value);
      }
    }
  }

  void read_lists(const Node& node) {
    require_map(node);
    for (const auto& [key, row] : node.members) {
      only_keys(row, {"values", "source", "unit", "note"});
      const Node* values = row.find("values");
      const auto list = std::find_if(std::begin(kLists), std::end(kLists),
                                     [name = std::string_view(key)](const ListRow& l) { return name == l.name; });
      if (list == std::end(kLists)) fail(row, "unknown list '" + key + "'");
      if (values == nullptr || values->items.empty()) fail(row, "'" + key + "' has no values");
      std::vector<unsigned>& out = device_.*list->member;
      out.clear();
      for (const Node& item : values->items) out.push_back(static_cast<unsigned>(number(item)));
      if (!std::is_sorted(out.begin(), out.end())) fail(row, "'" + key + "' must ascend");
      Sourced sourced;
      sourced.value = out.back();
      sourced.low = out.front();
      sourced.high = out.back();
      sourced.source = source(row);
      device_.parameters[key] = sourced;
    }
  }

  void read_matrix(const Node& node) {
    only_keys(node, {"source", "note", "combinations"});
    const std::string from = source(node);
    const Node* rows = node.find("combinations");
    if (rows == nullptr || rows->items.empty()) fail(node, "has no combinations");
    device_.matrix_combinations.clear();
    for (const Node& row : rows->items) {
      only_keys(row, {"m", "n", "k", "a", "b", "c", "d"});
      device_.matrix_combinations.push_back({static_cast<unsigned>(number(member(row, "m"))),
                                             static_cast<unsigned>(number(member(row, "n"))),
                                             static_cast<unsigned>(number(member(row, "k"))), type(row, "a"),
                                             type(row, "b"), type(row, "c"), type(row, "d")});
    }
    Sourced sourced;
    sourced.value = sourced.low = sourced.high = static_cast<double>(rows->items.size());
    sourced.source = from;
    device_.parameters["matrix_combinations"] = sourced;
  }

  const Node& member(const Node& row, const std::string& key) const {
    const Node* value = row.find(key);
    if (value == nullptr) fail(row, "has no '" + key + "'");
    return *value;
  }

  std::string type(const Node& row, const std::string& key) const {
    const Node& value = member(row, key);
    if (std::find(std::begin(kMatrixTypes), std::end(kMatrixTypes), value.scalar) == std::end(kMatrixTypes)) {
      fail(value, "unknown matrix type '" + value.scalar + "'");
    }
    return value.scalar;
  }

  Device& device_;
  std::string file_;
  std::map<std::string, std::string> sources_;
};

Node tree(std::string_view text, const std::string& file) {
  try {
    return binary::yaml::parse(text, "device file " + file);
  } catch (const binary::ZebinError& error) {
    throw std::invalid_argument(error.what());
  }
}

void check_complete(const Device& device, const std::string& file) {
  const auto missing = [&](const std::string& what) {
    throw std::invalid_argument("device file " + file + ": no '" + what + "'");
  };
  for (const TextRow& row : kTexts) {
    if ((device.*row.member).empty()) missing(row.name);
  }
  for (const NumberRow& row : kNumbers) {
    if (!device.parameters.contains(row.name)) missing(row.name);
  }
  for (const ListRow& row : kLists) {
    if ((device.*row.member).empty()) missing(row.name);
  }
  if (device.matrix_combinations.empty()) missing("matrix");
  if (device.simd_width != isa::native_simd(device.platform)) {
    throw std::invalid_argument("device file " + file + ": simd_width does not fit the platform");
  }
}

}  // namespace

Device parse_device(std::string_view text, const std::string& file, const FamilyText& family) {
  Device device;
  Reader reader(device, file);
  const Node root = tree(text, file);
  if (const Node* name = root.find("family")) {
    if (!family) reader.fail(*name, "families are not available here");
    const std::string family_file = "families/" + name->scalar;
    const Node family_root = tree(family(name->scalar), family_file);
    reader.enter(family_file);
    reader.read(family_root);
    reader.enter(file);
  }
  reader.read(root);
  check_complete(device, file);
  return device;
}

}  // namespace xeforge::device
