// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>

#include "binary/relocate.h"
#include "machine/arguments.h"
#include "machine/code.h"
#include "machine/launch.h"

namespace xeforge::machine {
namespace {

binary::RelocationPlan relocation_plan(const binary::Kernel& kernel, const SymbolResolver& resolve) {
  binary::RelocationPlan plan;
  plan.where = "kernel '" + kernel.name + "'";
  plan.resolve = resolve;
  plan.implicit_args_bytes = implicit_args_bytes(kernel);
  const uint32_t cross_thread = kernel.cross_thread_size();
  plan.per_thread_payload_offset = cross_thread - std::min(cross_thread, kernel.inline_data_payload_size);
  return plan;
}

}  // namespace

std::vector<uint32_t> entry_points(const binary::Kernel& kernel) {
  std::vector<uint32_t> entries;
  // Code of ngen is never entered at its loading code (library-kernels.md section 2, item 1).
  if (!kernel.generates_local_ids) entries.push_back(0);
  const uint32_t skip = kernel.offset_to_skip_per_thread_data_load;
  if (entries.empty() || skip != 0) entries.push_back(skip);
  return entries;
}

std::shared_ptr<const Kernel> prepare_kernel(const binary::Kernel& kernel, const device::Device& device,
                                             const SymbolResolver& resolve) {
  auto prepared = std::make_shared<Kernel>();
  prepared->name = kernel.name;
  prepared->binary = kernel;
  prepared->device = &device;
  prepared->hardware_local_ids = kernel.generates_local_ids;
  const std::vector<uint32_t> entries = entry_points(kernel);
  prepared->entry = entries.front();

  std::vector<std::byte>& code = prepared->binary.code;
  if (code.empty()) throw binary::ZebinError("kernel '" + kernel.name + "' has no code");
  binary::relocate(code, kernel.relocations, relocation_plan(kernel, resolve));
  try {
    auto program = std::make_shared<isa::Program>(isa::decode(device.platform, code, entries));
    prepared->program = program;
    prepared->code = translate(std::move(program), device, kernel.grf_count, entries);
  } catch (const isa::DecodeError& e) {
    throw isa::DecodeError(e.pc, "kernel '" + kernel.name + "': " + e.what());
  }
  return prepared;
}

}  // namespace xeforge::machine
