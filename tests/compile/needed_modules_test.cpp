// SPDX-License-Identifier: Apache-2.0
#include "compile/needed_modules.h"

#include <gmock/gmock.h>

namespace xeforge::compile {
namespace {

using ::testing::ElementsAre;

spirv::Function function(spirv::Id id, const std::string& name, std::vector<spirv::Id> calls = {}) {
  spirv::Function f;
  f.id = id;
  f.name = name;
  for (const spirv::Id callee : calls) f.calls.push_back({callee, {}});
  return f;
}

spirv::Module module_of(std::vector<spirv::Function> functions, std::vector<spirv::Id> kernels = {}) {
  spirv::Module m;
  for (const spirv::Id id : kernels) m.entry_points.push_back({id, "kernel", std::nullopt});
  for (auto& f : functions) m.functions[f.id] = std::move(f);
  return m;
}

spirv::Function imported(spirv::Id id, const std::string& name) {
  spirv::Function f = function(id, name);
  f.imported = true;
  return f;
}

spirv::Function exported(spirv::Id id, const std::string& name, std::vector<spirv::Id> calls = {}) {
  spirv::Function f = function(id, name, std::move(calls));
  f.exported = true;
  return f;
}

TEST(NeededModules, ALibraryThatNoKernelCallsIsLeftOut) {
  const auto kernel = module_of({function(1, "kernel"), imported(2, "convert")}, {1});
  const auto library = module_of({exported(1, "convert")});
  EXPECT_THAT(needed_modules({kernel, library}), ElementsAre(0));
}

TEST(NeededModules, WhatAKernelCallsIsTakenWithWhatThatCalls) {
  const auto kernel = module_of({function(1, "kernel", {2}), imported(2, "convert")}, {1});
  const auto base = module_of({exported(1, "round")});
  const auto library = module_of({exported(1, "convert", {2}), imported(2, "round")});
  const auto unused = module_of({exported(1, "other")});
  EXPECT_THAT(needed_modules({base, unused, kernel, library}), ElementsAre(0, 2, 3));
}

TEST(NeededModules, EveryModuleWithKernelsStays) {
  EXPECT_THAT(needed_modules({module_of({function(1, "a")}, {1}), module_of({function(1, "b")}, {1})}),
              ElementsAre(0, 1));
}

TEST(NeededModules, WithoutKernelsNothingIsLeftOut) {
  EXPECT_THAT(needed_modules({module_of({exported(1, "a")}), module_of({exported(1, "b")})}), ElementsAre(0, 1));
}

}  // namespace
}  // namespace xeforge::compile
