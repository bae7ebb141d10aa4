// SPDX-License-Identifier: Apache-2.0
#include "machine/control_only.h"

#include "machine/code.h"

namespace xeforge::machine {
namespace {

void nothing(Thread&, const Uop&) {}

bool is_arithmetic(const isa::Instruction& i) {
  return isa::info(i.op).cls == isa::OpClass::Dpas ||
         (i.is_send() && !i.msg.desc_in_reg && i.msg.kind == isa::MessageKind::LoadBlock2d);
}

}  // namespace

std::shared_ptr<const Kernel> without_arithmetic(const Kernel& kernel) {
  auto code = std::make_shared<Code>(*kernel.code);
  for (Uop& u : code->uops) {
    if (is_arithmetic(*u.inst)) u.fn = nothing;
  }
  auto copy = std::make_shared<Kernel>(kernel);
  copy->code = std::move(code);
  return copy;
}

}  // namespace xeforge::machine
