// SPDX-License-Identifier: Apache-2.0
//
// A kernel's instructions specialised for execution: one Uop per instruction that does something,
// its handler and operand addresses resolved, grouped in basic blocks. Counting happens per block.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/device.h"
#include "isa/decode.h"
#include "machine/thread.h"

namespace xeforge::machine {

struct Uop;
using Handler = void (*)(Thread&, const Uop&);

/// How a handler fetches a source; the first three are the fast ones.
enum class Fetch : uint8_t {
  Contiguous,  ///< elements of the execution type one after another at `offset`
  Uniform,     ///< one element of the execution type for all channels
  Immediate,   ///< `value` holds the element, already in the execution type
  Convert      ///< `load` gathers and converts
};

struct SrcOperand;
/// Fills `out` with exec_size elements of the execution type the function was chosen for.
using LoadFn = void (*)(const Thread&, const Uop&, const SrcOperand&, void* out);
/// Writes exec_size elements of the execution type `in` where `mask` is set.
using StoreFn = void (*)(Thread&, const Uop&, const void* in, uint32_t mask);

struct SrcOperand {
  Fetch fetch = Fetch::Uniform;
  bool negate = false, absolute = false;
  bool region_1d = true;  ///< element i at offset + i * stride; else the 2-D region
  bool indirect = false, vxh = false;
  isa::DataType type = isa::DataType::UD;
  uint32_t offset = 0;                ///< into Thread::regs; indirect: immediate part, the a0 word gives the rest
  int32_t stride = 0;                 ///< bytes, region_1d
  uint16_t v_bytes = 0, h_bytes = 0;  ///< 2-D region
  uint8_t width = 1;
  uint8_t addr_subreg = 0;
  uint64_t value = 0;  ///< Immediate
  LoadFn load = nullptr;
};

struct DstOperand {
  bool contiguous = true;  ///< of the execution type, without conversion or saturation: plain store
  bool null = false, acc = false, indirect = false;
  isa::DataType type = isa::DataType::UD;
  uint32_t offset = 0;
  int32_t stride = 4;  ///< bytes between elements
  uint8_t addr_subreg = 0;
  StoreFn store = nullptr;
};

struct Uop {
  Handler fn = nullptr;
  uint8_t exec_size = 1;
  uint8_t channel_offset = 0;
  bool no_mask = false;
  isa::PredCtrl pred = isa::PredCtrl::None;
  bool pred_inverse = false;
  isa::FlagMod cond_mod = isa::FlagMod::None;
  bool saturate = false;
  bool acc_wr_en = false;
  uint16_t flag_offset = 0;  ///< regs offset of the 32-bit flag register used by predicate / condition
  uint8_t flag_shift = 0;    ///< 16 for f0.1
  uint8_t grf_bytes = 32;
  uint32_t lanes = 1;  ///< (1 << exec_size) - 1
  uint32_t pc = 0;
  UopIndex target_jip = 0, target_uip = 0;  ///< uop index of the branch targets
  uint32_t pc_jip = 0, pc_uip = 0, pc_next = 0;
  DstOperand dst;
  std::array<SrcOperand, 3> src;
  const isa::Instruction* inst = nullptr;  ///< everything else (message, function controls)
};

/// A straight run of uops: [first, first + count). Its instructions (including those without a
/// uop, such as nops) are Program indices [inst_first, inst_first + inst_count).
struct Block {
  UopIndex first = 0, count = 0;
  uint32_t inst_first = 0, inst_count = 0;
};

class Code {
 public:
  std::vector<Uop> uops;
  std::vector<Block> blocks;
  std::vector<uint32_t> block_of_uop;  ///< uop index -> block that starts there (only block starts are meaningful)
  std::shared_ptr<const isa::Program> program;
  isa::Platform platform = isa::Platform::XeHpg;
  unsigned grf_count = 128;
  bool single_worker = false;  ///< value-returning or float atomics on global memory: deterministic order needed
  bool has_dpasw = false;
  bool has_barrier = false;

  UopIndex uop_at(uint32_t pc) const;  ///< first uop at or after pc
  std::vector<UopIndex> uop_by_pc8;    ///< pc / 8 -> uop
};

/// Channels that an instruction acts on: execution mask, channel offset, predicate.
uint32_t channel_mask(const Thread& t, const Uop& u);
/// The predicate alone, one bit per channel of the instruction; all ones without one.
uint32_t predicate_mask(const Thread& t, const Uop& u);

/// Chooses the handlers. `entries`: pcs where threads may start, besides the first instruction. Throws
/// isa::DecodeError naming what the device cannot execute.
std::shared_ptr<const Code> translate(std::shared_ptr<const isa::Program> program, const device::Device& device,
                                      unsigned grf_count, std::span<const uint32_t> entries = {});

/// Runs `t` until it blocks, finishes, or its budget is used up. FaultException on a fault.
void run_thread(const Code& code, Thread& t);

/// Executes the run of dpasw at which both threads of a fused pair stand, and leaves both Ready behind it.
/// `even` supplies the first half of every src2, `odd` the second (IGC DPASW.md; which is which:
/// library-kernels.md section 1).
void run_dpasw_pair(const Code& code, Thread& even, Thread& odd);

/// Handler for a send instruction (send.cpp, messages/*.cpp); null = unknown message: translate() throws.
/// An instruction whose descriptor is in a0 gets a handler that decodes at run time.
Handler send_handler(const isa::Instruction& inst, const device::Device& device);

}  // namespace xeforge::machine
