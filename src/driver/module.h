// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "binary/debug_lines.h"
#include "binary/zebin.h"
#include "driver/object.h"
#include "driver/usm.h"
#include "machine/launch.h"

namespace xeforge::driver {

/// A zebin made ready: data sections placed in device memory and relocated, kernels prepared on
/// demand. Launches keep it alive after zeModuleDestroy.
class ModuleImage {
 public:
  /// Throws binary::ZebinError for a file that is none, or that is made for another device.
  ModuleImage(std::vector<std::byte> file, const device::Device& model, Usm& usm);
  ~ModuleImage();
  ModuleImage(const ModuleImage&) = delete;
  ModuleImage& operator=(const ModuleImage&) = delete;

  const binary::Zebin& zebin() const { return zebin_; }
  std::span<const std::byte> file() const { return file_; }
  const device::Device& model() const { return model_; }
  uint64_t const_base() const { return base_of(".data.const", ".bss.const"); }
  uint64_t global_base() const { return base_of(".data.global", ".bss.global"); }

  /// Null if there is no kernel of this name. Throws what machine::prepare_kernel throws.
  std::shared_ptr<const machine::Kernel> kernel(const std::string& name);

  struct Global {
    uint64_t address = 0, size = 0;
  };
  /// A variable of the program by its device or host name.
  std::optional<Global> global(const std::string& name) const;

  /// Source lines, read when first asked for.
  const binary::DebugLines& lines();

  /// Names of what neither this module nor one linked to it defines.
  std::vector<std::string> imports() const;
  /// From now on symbols are looked for in `other` too.
  void link(const std::shared_ptr<ModuleImage>& other);

 private:
  void place_data();
  void place_together(const std::vector<std::string>& names);
  uint64_t base_of(const std::string& data, const std::string& zeros) const;
  std::optional<uint64_t> own_address(const std::string& symbol) const;
  std::optional<uint64_t> resolve(const std::string& symbol) const;
  void check_target() const;

  std::vector<std::byte> file_;
  const device::Device& model_;
  Usm& usm_;
  binary::Zebin zebin_;
  std::map<std::string, uint64_t> section_address_;
  std::vector<void*> allocations_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const machine::Kernel>> kernels_;
  std::vector<std::weak_ptr<ModuleImage>> linked_;
  std::optional<binary::DebugLines> lines_;
};

struct Module : Object<ObjectKind::Module, ze_module_handle_t> {
  std::shared_ptr<ModuleImage> image;
};

struct BuildLog : Object<ObjectKind::BuildLog, ze_module_build_log_handle_t> {
  std::string text;
};

}  // namespace xeforge::driver
