// SPDX-License-Identifier: Apache-2.0
//
// A send message decoded from its descriptors. Descriptors may live in a0 (known only at run
// time), so decode_message() is separate from instruction decoding and cheap to call again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/types.h"

namespace xeforge::isa {

enum class Sfid : uint8_t {
  Null,
  Gateway,
  Dc0,
  Dc1,
  DcRo,
  Ugm,
  UgmL,
  Tgm,
  Slm,
  Sampler,
  Urb,
  ThreadSpawner,
  RenderCache,
  BindlessThread,
  RayTracing,
  Other
};
std::string_view name_of(Sfid s);

enum class MessageKind : uint8_t {
  Unknown,
  // LSC (ugm, ugml, tgm, slm)
  Load,
  LoadCmask,
  LoadBlock2d,
  Store,
  StoreCmask,
  StoreBlock2d,
  Atomic,
  Fence,
  // gateway
  BarrierSignal,
  NamedBarrierSignal,
  EndOfThread,
  // legacy data ports (dc0, dc1)
  OwordBlockRead,
  OwordBlockWrite,
  AlignedOwordBlockRead,
  ScratchBlockRead,
  ScratchBlockWrite,
  DwordScatteredRead,
  DwordScatteredWrite,
  ByteScatteredRead,
  ByteScatteredWrite,
  QwordScatteredRead,
  QwordScatteredWrite,
  UntypedSurfaceRead,
  UntypedSurfaceWrite,
  UntypedAtomic,
  A64UntypedAtomic,
  A64BlockRead,
  A64BlockWrite,
  A64ScatteredRead,
  A64ScatteredWrite,
  A64UntypedRead,
  A64UntypedWrite,
  LegacyMemoryFence
};

enum class AtomicOp : uint8_t {
  None,
  Inc,
  Dec,
  Load,
  Store,
  Add,
  Sub,
  Smin,
  Smax,
  Umin,
  Umax,
  Cmpxchg,
  FAdd,
  FSub,
  FMin,
  FMax,
  FCmpxchg,
  And,
  Or,
  Xor,
  Xchg,
  Predec,
  RevSub
};

/// How an address is formed. Flat: the address itself. Bss/Ss: surface state offset from the
/// extended descriptor (a0 or immediate). Bti: binding table index `Message::bti`.
enum class AddressModel : uint8_t { Flat, Bss, Ss, Bti };

/// Element in memory -> element in registers. D8U32 / D16U32: zero-extended to a dword;
/// D16U32H: placed in the dword's high half.
enum class DataSize : uint8_t { D8, D16, D32, D64, D8U32, D16U32, D16U32H };
unsigned memory_bytes(DataSize s);
unsigned register_bytes(DataSize s);

enum class CachePolicy : uint8_t {
  Default,
  Uncached,
  Cached,
  Streaming,
  InvalidateAfterRead,
  WriteThrough,
  WriteBack,
  ConstCached
};

enum class FenceScope : uint8_t { Group, Local, Tile, Gpu, Gpus, System, SystemAcquire };

struct Message {
  Sfid sfid = Sfid::Null;
  MessageKind kind = MessageKind::Unknown;
  AtomicOp atomic = AtomicOp::None;
  AddressModel model = AddressModel::Flat;
  uint8_t address_bits = 32;  ///< 16, 32, 64
  DataSize data_size = DataSize::D32;
  uint8_t vector_size = 1;     ///< elements per address (1,2,3,4,8,16,32,64); block messages: total elements
  uint8_t component_mask = 0;  ///< *Cmask and untyped surface messages: channels present
  bool transposed = false;     ///< one address, vector goes down the registers
  bool vnni = false;           ///< block2d: transform
  CachePolicy l1 = CachePolicy::Default;
  CachePolicy l3 = CachePolicy::Default;
  FenceScope fence_scope = FenceScope::Group;
  uint8_t fence_flush = 0;       ///< raw LSC flush code
  uint8_t simd = 0;              ///< legacy messages: channels fixed by the descriptor (8/16); 0 = execution size
  uint8_t bti = 0;               ///< Bti model: binding table index (0xFE SLM, 0xFF/0xFD stateless for legacy ports)
  int32_t immediate_offset = 0;  ///< byte offset added to every address
  int16_t block2d_x = 0, block2d_y = 0;  ///< immediate block offsets (Xe2), elements / rows
  uint32_t scratch_offset = 0;           ///< ScratchBlock*: byte offset from the thread's scratch base
  bool header = false;
  bool returns_data = false;  ///< destination registers are written
  bool end_of_thread = false;

  uint8_t src0_len = 0, src1_len = 0, dst_len = 0;  ///< payload registers (mlen, ex_mlen, rlen)
  bool src1_len_in_reg = false;   ///< src1_len is not in the instruction but in bits 10:6 of the register exdesc
  uint32_t desc = 0, exdesc = 0;  ///< raw, immediate parts
  bool desc_in_reg = false;       ///< whole descriptor in a0 at desc_a0_subreg: decode again at run time
  bool exdesc_in_reg = false;     ///< extended descriptor (surface) in a0 at exdesc_a0_subreg
  uint8_t desc_a0_subreg = 0, exdesc_a0_subreg = 0;  ///< dword sub-registers of a0
  bool exbso = false;

  bool is_prefetch() const {
    return (kind == MessageKind::Load || kind == MessageKind::LoadCmask || kind == MessageKind::LoadBlock2d) &&
           dst_len == 0;
  }
};

/// Decodes descriptor bits. `exdesc` is the immediate part (`Message::exdesc`) also where an a0 register holds the
/// surface. What does not come from `desc` (ex_mlen, use of a0, end of thread) is taken from `partial`, so that a
/// message whose descriptor is in a0 is decoded by
/// `decode_message(platform, m.sfid, a0_value, m.exdesc, m)`. `kind` stays Unknown if the message is not one we know;
/// `describe` then names it. An instruction with `desc_in_reg` carries kind Unknown.
Message decode_message(Platform platform, Sfid sfid, uint32_t desc, uint32_t exdesc, const Message& partial);

/// For example "load.ugm.d32x64t.a64.ca.ca flat"; also for unknown messages (raw bits).
std::string describe(const Message& m);

}  // namespace xeforge::isa
