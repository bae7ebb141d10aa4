// SPDX-License-Identifier: Apache-2.0
#include "device/device.h"

#include <algorithm>
#include <stdexcept>

#include "device/device_file.h"

namespace xeforge::device {
namespace {

constexpr std::string_view kFamilyFolder = "families/";

std::string_view family_text(const std::string& family) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == std::string(kFamilyFolder) + family) return file.text;
  }
  throw std::invalid_argument("there is no device family '" + family + "'");
}

const std::vector<Device>& devices() {
  // Parsed at the first use and never destroyed: other threads may still use a device while the process ends.
  static const auto* all = [] {
    auto* parsed = new std::vector<Device>;
    for (const EmbeddedFile& file : embedded_files()) {
      if (!file.name.starts_with(kFamilyFolder))
        parsed->push_back(parse_device(file.text, std::string(file.name) + ".yaml", family_text));
    }
    return parsed;
  }();
  return *all;
}

}  // namespace

unsigned Device::slm_allocation(unsigned bytes) const {
  const auto fit = std::lower_bound(slm_sizes.begin(), slm_sizes.end(), bytes);
  return fit == slm_sizes.end() ? 0 : *fit;
}

const Sourced& Device::parameter(const std::string& key) const {
  const auto found = parameters.find(key);
  if (found == parameters.end()) throw std::invalid_argument("device '" + id + "' has no parameter '" + key + "'");
  return found->second;
}

std::vector<std::string> device_ids() {
  std::vector<std::string> ids;
  for (const Device& device : devices()) ids.push_back(device.id);
  return ids;
}

const Device& find_device(const std::string& id) {
  for (const Device& device : devices()) {
    if (device.id == id) return device;
  }
  std::string known;
  for (const Device& device : devices()) known += (known.empty() ? "" : ", ") + device.id;
  throw std::invalid_argument("there is no device '" + id + "': " + known);
}

}  // namespace xeforge::device
