// SPDX-License-Identifier: Apache-2.0
#include "compile/needed_modules.h"

#include <numeric>
#include <set>
#include <string>

namespace xeforge::compile {
namespace {

/// Imports that can be reached from the module's kernels; for a library every import counts.
std::set<std::string> imports_of(const spirv::Module& module) {
  std::set<std::string> names;
  if (module.entry_points.empty()) {
    for (const auto& [id, function] : module.functions)
      if (function.imported) names.insert(function.name);
  }
  for (const spirv::EntryPoint& entry : module.entry_points)
    for (const spirv::Function* function : module.reachable(entry))
      if (function->imported) names.insert(function->name);
  // A function that others may call keeps its own imports alive.
  for (const auto& [id, function] : module.functions) {
    if (!function.exported) continue;
    for (const spirv::Function* reached : module.reachable({id, function.name, std::nullopt}))
      if (reached->imported) names.insert(reached->name);
  }
  return names;
}

bool defines_any(const spirv::Module& module, const std::set<std::string>& names) {
  for (const auto& [id, function] : module.functions)
    if (function.exported && names.contains(function.name)) return true;
  return false;
}

}  // namespace

std::vector<size_t> needed_modules(const std::vector<spirv::Module>& modules) {
  std::set<size_t> needed;
  std::set<std::string> wanted;
  const auto take = [&](size_t i) {
    needed.insert(i);
    wanted.merge(imports_of(modules[i]));
  };
  for (size_t i = 0; i < modules.size(); ++i)
    if (!modules[i].entry_points.empty()) take(i);
  if (needed.empty()) {
    std::vector<size_t> all(modules.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return all;
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = 0; i < modules.size(); ++i) {
      if (needed.contains(i) || !defines_any(modules[i], wanted)) continue;
      take(i);
      grown = true;
    }
  }
  return {needed.begin(), needed.end()};
}

}  // namespace xeforge::compile
