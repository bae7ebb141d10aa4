// SPDX-License-Identifier: Apache-2.0
// Assembles an instruction and decodes it again, with the installed library alone.
#include <cstdio>

#include "isa/decode.h"

int main() {
  namespace isa = xeforge::isa;
  const auto code = isa::assemble(isa::Platform::XeHpg,
                                  "(W) mov (8|M0) r1.0<1>:ud 7:ud\n"
                                  "(W) send.gtwy (8|M0) null r126 null 0x0 0x02000010 {EOT}\n");
  const isa::Program program = isa::decode(isa::Platform::XeHpg, code);
  std::printf("%s\n", program.text(0).c_str());
  return program.instructions().size() == 2 ? 0 : 1;
}
