// SPDX-License-Identifier: Apache-2.0
//
// Instructions that assemble and compile for a device that cannot execute them. Each row is a
// trap somebody met (toolchain.md section 4); on hardware they hang or give wrong results.
#include "machine/translate.h"

namespace xeforge::machine {

std::string unsupported_reason(const isa::Instruction& inst, const device::Device& device) {
  using isa::DataType;
  using isa::MessageKind;
  using isa::Opcode;
  const auto on = [&](const std::string& what) { return what + " does not exist on " + device.name; };
  if (inst.is_send() && !device.has_block2d) {
    const MessageKind k = inst.msg.kind;
    if (k == MessageKind::LoadBlock2d || k == MessageKind::StoreBlock2d)
      return on("the 2D block message " + isa::describe(inst.msg)) +
             " (it compiles without a warning and hangs on hardware)";
  }
  if (inst.is_send() && inst.msg.kind == MessageKind::NamedBarrierSignal && device.named_barriers == 0)
    return on("a named barrier");
  if (inst.op == Opcode::Dpasw && !device.has_dpasw) return on("dpasw");
  if (inst.op == Opcode::Dpas || inst.op == Opcode::Dpasw) {
    const unsigned native = isa::native_simd(device.platform);
    if (inst.exec_size != native)
      return on("a dpas of execution size " + std::to_string(inst.exec_size) + " (needed: " + std::to_string(native) +
                ")");
    if (inst.src[1].type == DataType::TF32 && !device.has_tf32) return on("dpas on tf32");
  }
  if (!device.has_fp64 && !inst.is_send()) {
    bool uses = inst.dst.exists() && !inst.dst.is_null() && inst.dst.type == DataType::DF;
    for (unsigned i = 0; i < inst.num_src; ++i) uses |= inst.src[i].exists() && inst.src[i].type == DataType::DF;
    if (uses) return on("double precision arithmetic");
  }
  return {};
}

}  // namespace xeforge::machine
