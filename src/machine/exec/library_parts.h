// SPDX-License-Identifier: Apache-2.0
//
// The pieces that one instruction-set copy of the handlers is put together from (library.cpp).
#pragma once

#include "machine/exec/exec.h"

#ifndef XEFORGE_EXEC_NS
#define XEFORGE_EXEC_NS exec_default
#endif

namespace xeforge::machine::XEFORGE_EXEC_NS {

LoadFn load_function(ExecType type, isa::DataType source);
StoreFn store_function(ExecType type, isa::DataType dst, bool saturate);
Handler alu_int_handler(isa::Opcode op, ExecType type, unsigned exec_size);
Handler alu_float_handler(isa::Opcode op, ExecType type, unsigned exec_size);
Handler alu_general_handler(isa::Opcode op, ExecType type);
Handler move_handler(ExecType type, unsigned exec_size);
Handler special_handler(isa::Opcode op, ExecType type);
Handler math_handler(isa::MathFn fn, ExecType type);
Handler dpas_handler(const isa::Instruction& inst, unsigned n);

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
