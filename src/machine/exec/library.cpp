// SPDX-License-Identifier: Apache-2.0
#include "machine/exec/library_parts.h"

namespace xeforge::machine::XEFORGE_EXEC_NS {

namespace {

Handler alu_handler(isa::Opcode op, ExecType type, unsigned exec_size, bool general) {
  if (general) return alu_general_handler(op, type);
  switch (op) {
    case isa::Opcode::Mov:
      return move_handler(type, exec_size);
    case isa::Opcode::Movi:
    case isa::Opcode::Csel:
    case isa::Opcode::Bfn:
    case isa::Opcode::Dp4a:
    case isa::Opcode::Madm:
      return special_handler(op, type);
    default:
      break;
  }
  const bool is_float = type == ExecType::F32 || type == ExecType::F64;
  return is_float ? alu_float_handler(op, type, exec_size) : alu_int_handler(op, type, exec_size);
}

}  // namespace

extern const ExecLibrary library;
#define XEFORGE_STRING2(x) #x
#define XEFORGE_STRING(x) XEFORGE_STRING2(x)
const ExecLibrary library = {
    XEFORGE_STRING(XEFORGE_EXEC_NS), alu_handler, math_handler, load_function, store_function, dpas_handler};

}  // namespace xeforge::machine::XEFORGE_EXEC_NS
