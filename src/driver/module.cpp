// SPDX-License-Identifier: Apache-2.0
#include "driver/module.h"

#include <algorithm>
#include <cstring>

#include "binary/relocate.h"

namespace xeforge::driver {
namespace {

// Symbols that the runtime patches and the program does not define (NEO, linker.cpp).
bool patched_by_runtime(const std::string& symbol) {
  return symbol.rfind("__INTEL_PATCH", 0) == 0 || symbol.rfind("INTEL_PATCH", 0) == 0 ||
         symbol.rfind("__SubDeviceID", 0) == 0 || symbol.rfind("__MaxHWThreadIDPerSubDevice", 0) == 0 ||
         symbol.rfind("__AssertBuffer", 0) == 0;
}

std::string version_text(uint32_t ip) {
  return std::to_string(ip >> 22) + "." + std::to_string((ip >> 14) & 0xFF) + "." + std::to_string(ip & 0x3F);
}

}  // namespace

ModuleImage::ModuleImage(std::vector<std::byte> file, const device::Device& model, Usm& usm)
    : file_(std::move(file)), model_(model), usm_(usm), zebin_(binary::read_zebin(file_)) {
  check_target();
  try {
    place_data();
  } catch (...) {
    for (void* allocation : allocations_) {
      usm_.free(allocation);
    }
    throw;
  }
}

const binary::DebugLines& ModuleImage::lines() {
  const std::lock_guard lock(mutex_);
  if (!lines_) {
    lines_.emplace(zebin_.debug_line_source_elf);
  }
  return *lines_;
}

ModuleImage::~ModuleImage() {
  for (void* allocation : allocations_) {
    usm_.free(allocation);
  }
}

void ModuleImage::check_target() const {
  // The low 6 bits are the stepping; binaries run on all steppings of their architecture.
  const uint32_t made_for = zebin_.target.ip_version;
  if (made_for != 0 && (made_for >> 14) != (model_.ip_version >> 14)) {
    throw binary::ZebinError("the binary is made for the device architecture " + version_text(made_for) + ", but " +
                             model_.name + " (" + model_.id + ") is " + version_text(model_.ip_version) +
                             ": compile it for " + model_.ocloc_name);
  }
}

void ModuleImage::place_together(const std::vector<std::string>& names) {
  std::vector<const binary::Section*> parts;
  uint64_t size = 0;
  for (const std::string& name : names) {
    for (const binary::Section& section : zebin_.data) {
      if (section.name == name) {
        parts.push_back(&section);
        size += section.bytes.size() + section.zero_fill;
      }
    }
  }
  if (size == 0) {
    return;
  }
  auto* memory = static_cast<std::byte*>(
      usm_.allocate(machine::MemoryKind::ModuleData, size, 0, ("module section " + names.front()).c_str()));
  allocations_.push_back(memory);
  for (const binary::Section* section : parts) {
    if (!section->bytes.empty()) {
      std::memcpy(memory, section->bytes.data(), section->bytes.size());
    }
    section_address_[section->name] = reinterpret_cast<uintptr_t>(memory);
    memory += section->bytes.size() + section->zero_fill;
  }
}

void ModuleImage::place_data() {
  // What starts as zeros lies directly behind what has values, and const_base / global_base point to the beginning of
  // both (NEO, zebin decoder: zeroInitSize); often there are only zeros.
  place_together({".data.const", ".bss.const"});
  place_together({".data.global", ".bss.global"});
  for (const binary::Section& section : zebin_.data) {
    if (section_address_.count(section.name) == 0) {
      place_together({section.name});
    }
  }
  // Only when all have their place can they refer to each other.
  for (const binary::Section& section : zebin_.data) {
    if (section.relocations.empty()) {
      continue;
    }
    binary::RelocationPlan plan;
    plan.where = "section " + section.name;
    plan.section_address = section_address_;
    plan.resolve = [this](const std::string& symbol) { return resolve(symbol); };
    auto* memory = reinterpret_cast<std::byte*>(section_address_.at(section.name));
    binary::relocate({memory, section.bytes.size()}, section.relocations, plan);
  }
}

uint64_t ModuleImage::base_of(const std::string& data, const std::string& zeros) const {
  for (const std::string& name : {data, zeros}) {
    if (const auto it = section_address_.find(name); it != section_address_.end()) {
      return it->second;
    }
  }
  return 0;
}

std::optional<uint64_t> ModuleImage::own_address(const std::string& name) const {
  for (const binary::Symbol& symbol : zebin_.symbols) {
    if (symbol.name == name && !symbol.undefined()) {
      const auto section = section_address_.find(symbol.section);
      if (section != section_address_.end()) {
        return section->second + symbol.value;
      }
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> ModuleImage::resolve(const std::string& symbol) const {
  if (auto own = own_address(symbol)) {
    return own;
  }
  for (const auto& other : linked_) {
    if (const auto image = other.lock()) {
      if (auto address = image->own_address(symbol)) {
        return address;
      }
    }
  }
  return std::nullopt;
}

std::shared_ptr<const machine::Kernel> ModuleImage::kernel(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = kernels_.find(name);
  if (known != kernels_.end()) {
    return known->second;
  }
  const binary::Kernel* found = zebin_.find_kernel(name);
  if (found == nullptr) {
    return nullptr;
  }
  auto prepared = machine::prepare_kernel(binary::with_functions(zebin_, *found), model_,
                                          [this](const std::string& symbol) { return resolve(symbol); });
  kernels_[name] = prepared;
  return prepared;
}

std::optional<ModuleImage::Global> ModuleImage::global(const std::string& name) const {
  std::string device_name = name;
  for (const auto& [device, host] : zebin_.host_access) {
    if (host == name) {
      device_name = device;
    }
  }
  for (const binary::Symbol& symbol : zebin_.symbols) {
    if (symbol.name == device_name && !symbol.undefined() && !symbol.is_function) {
      if (auto address = own_address(device_name)) {
        return Global{*address, symbol.size};
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> ModuleImage::imports() const {
  std::vector<std::string> names;
  for (const binary::Symbol& symbol : zebin_.symbols) {
    if (symbol.undefined() && !symbol.name.empty() && !patched_by_runtime(symbol.name) &&
        !resolve(symbol.name).has_value()) {
      names.push_back(symbol.name);
    }
  }
  return names;
}

void ModuleImage::link(const std::shared_ptr<ModuleImage>& other) {
  const std::lock_guard lock(mutex_);
  linked_.push_back(other);
}

}  // namespace xeforge::driver
