// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "lab/inspect_input.h"
#include "lab/inspect_kernel.h"

namespace xeforge::lab {

/// A module and its kernels as far as they could be looked into.
struct InspectedModule {
  InspectModule module;
  std::vector<KernelView> kernels;
};

void print_kernel(std::ostream& out, const KernelView& view, const device::Device& device);
/// One line an instruction, loops marked at the left, branch targets labelled.
void print_listing(std::ostream& out, const KernelView& view);

/// {"file", "device", "modules": [{"kind", "error", "warnings", "kernels": [...]}]}
std::string inspect_json(const std::string& file, const device::Device& device,
                         const std::vector<InspectedModule>& modules);

}  // namespace xeforge::lab
