// SPDX-License-Identifier: Apache-2.0
//
// The init checker's view of messages: payloads that have to be written, and what loads and stores move.
#include <algorithm>
#include <cstring>

#include "observe/check/init.h"

namespace xeforge::observe::check {
namespace {

using machine::Footprint;
using machine::Thread;
using machine::Uop;
namespace regspace = machine::regspace;

constexpr unsigned kMaxLanes = 32;

bool is_prefix(const isa::Message& m, isa::MessageKind a, isa::MessageKind b) { return m.kind == a || m.kind == b; }

bool all_zero(const uint8_t* bytes, uint32_t n) { return *bytes == 0 && std::memcmp(bytes, bytes + 1, n - 1) == 0; }

}  // namespace

/// False: an address was undefined; what the message moves is taken as written then.
bool InitPart::check_payload(Thread& t, ThreadState& me, const Uop& u, const Footprint& f) {
  using isa::MessageKind;
  const isa::Message& m = *f.message;
  const ShadowRegisters& regs = me.regs;
  const auto descriptor = [&](bool in_register, unsigned subreg) {
    if (!in_register || !regs.undefined(regspace::kAddress + 4 * subreg, 4)) return;
    const uint8_t origins = regs.origins(regspace::kAddress + 4 * subreg, 4);
    if (origins != 0) report(t, u, Kind::UndefinedMessage, 0, "the descriptor in a0", origins);
  };
  descriptor(u.inst->msg.desc_in_reg, u.inst->msg.desc_a0_subreg);
  descriptor(u.inst->msg.exdesc_in_reg, u.inst->msg.exdesc_a0_subreg);

  const uint32_t payload = u.src[0].offset;
  if (payload >= regspace::kGrfBytes || m.src0_len == 0 || !regs.undefined(payload, m.src0_len * grf_)) return true;
  const auto whole = [&](uint32_t offset, uint32_t n, Kind kind, const char* what) {
    const uint8_t origins = regs.origins(payload + offset, n);
    if (origins != 0) report(t, u, kind, 0, what, origins);
    return origins == 0;
  };
  constexpr const char* kAddress = "the address of this access";
  switch (m.kind) {
    case MessageKind::BarrierSignal:
    case MessageKind::NamedBarrierSignal:
      return whole(8, 4, Kind::UndefinedMessage, "the barrier's header");
    case MessageKind::LoadBlock2d:
    case MessageKind::StoreBlock2d:
      return whole(0, 32, Kind::UndefinedAddress, kAddress);
    case MessageKind::OwordBlockRead:
    case MessageKind::OwordBlockWrite:
    case MessageKind::AlignedOwordBlockRead:
      return whole(8, 4, Kind::UndefinedAddress, kAddress);
    case MessageKind::A64BlockRead:
    case MessageKind::A64BlockWrite:
      return whole(0, 8, Kind::UndefinedAddress, kAddress);
    case MessageKind::Fence:
    case MessageKind::LegacyMemoryFence:
    case MessageKind::EndOfThread:
    case MessageKind::ScratchBlockRead:
    case MessageKind::ScratchBlockWrite:
    case MessageKind::Unknown:
      return true;
    default:
      break;
  }
  const uint32_t size = m.address_bits / 8u;
  const uint32_t base = m.header ? grf_ : 0;
  if (m.transposed) return whole(base, size, Kind::UndefinedAddress, kAddress);
  uint32_t lanes = 0;
  uint8_t origins = 0;
  for (uint32_t rest = f.channels; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    const uint8_t one = regs.origins(payload + base + lane * size, size);
    if (one == 0) continue;
    lanes |= 1u << lane;
    origins = static_cast<uint8_t>(origins | one);
  }
  if (lanes != 0) report(t, u, Kind::UndefinedAddress, lanes, kAddress, origins);
  return lanes == 0;
}

InitPart::Transfer InitPart::transfer_of(const Uop& u, const isa::Message& m, bool load) const {
  using isa::MessageKind;
  Transfer transfer;
  transfer.element = isa::memory_bytes(m.data_size);
  transfer.register_bytes = isa::register_bytes(m.data_size);
  transfer.high = m.data_size == isa::DataSize::D16U32H ? 2 : 0;
  switch (m.kind) {
    case MessageKind::OwordBlockRead:
    case MessageKind::OwordBlockWrite:
    case MessageKind::AlignedOwordBlockRead:
    case MessageKind::A64BlockRead:
    case MessageKind::A64BlockWrite:
    case MessageKind::ScratchBlockRead:
    case MessageKind::ScratchBlockWrite:
      return transfer;
    case MessageKind::LoadBlock2d:
    case MessageKind::StoreBlock2d:
      transfer.row = 1;
      return transfer;
    default:
      break;
  }
  if (m.transposed) return transfer;
  transfer.lanes = true;
  if (is_prefix(m, MessageKind::DwordScatteredRead, MessageKind::DwordScatteredWrite))
    transfer.element = transfer.register_bytes = 4;
  if (is_prefix(m, MessageKind::QwordScatteredRead, MessageKind::QwordScatteredWrite))
    transfer.element = transfer.register_bytes = 8;
  const unsigned channels = m.simd != 0 ? m.simd : u.exec_size;
  const uint32_t needed = (channels * transfer.register_bytes + grf_ - 1) / grf_ * grf_;
  const bool mask_form = m.kind == MessageKind::LoadCmask || m.kind == MessageKind::StoreCmask || m.component_mask != 0;
  const unsigned elements =
      mask_form ? static_cast<unsigned>(__builtin_popcount(m.component_mask & 0xFu)) : m.vector_size;
  const unsigned length = load ? m.dst_len : m.src1_len;
  // As the handlers: payloads may be padded to a wider native SIMD.
  transfer.part = needed;
  if (m.simd == 0 && elements > 1 && length != 0 && length % elements == 0)
    transfer.part = std::max(needed, length / elements * grf_);
  return transfer;
}

template <class Move>
void InitPart::for_each_element(const Uop& u, const Footprint& f, const Transfer& transfer, bool load,
                                const Move& move) const {
  const uint32_t base = load ? u.dst.offset : u.src[1].offset;
  std::array<uint32_t, kMaxLanes> element{};
  uint32_t done = 0;
  for (const Footprint::Piece& piece : f) {
    if (!transfer.lanes) {
      move(piece.address, base + done, piece.bytes, 0u);
      done += piece.bytes;
      continue;
    }
    const auto lane = static_cast<unsigned>(piece.part) % kMaxLanes;
    for (uint32_t k = 0; k < piece.bytes; k += transfer.element) {
      const uint32_t at = base + element[lane]++ * transfer.part + lane * transfer.register_bytes + transfer.high;
      move(piece.address + k, at, transfer.element, lane);
    }
  }
}

/// Shadow of memory: 0 is written, as for registers, except for device memory (DefinedMemory: 0 is not written).
uint8_t* InitPart::memory_shadow(Thread& t, ThreadState& me, Footprint::Space space, uint64_t address, uint32_t bytes) {
  switch (space) {
    case Footprint::Space::Slm: {
      std::vector<uint8_t>& slm = states_.of(*t.group).slm;
      return address + bytes <= slm.size() ? slm.data() + address : nullptr;
    }
    case Footprint::Space::Scratch:
      return address + bytes <= me.scratch.size() ? me.scratch.data() + address : nullptr;
    case Footprint::Space::Global:
      if (defined_ == nullptr) return nullptr;
      if (!view_.holds(address)) view_ = defined_->find(address);
      return view_.written != nullptr && address + bytes <= view_.end ? view_.at(address) : nullptr;
    default:
      return nullptr;
  }
}

template <class Look>
bool InitPart::device_memory(uint64_t address, uint64_t bytes, const Look& look) {
  if (defined_ == nullptr) return true;
  while (bytes != 0) {
    if (!view_.holds(address)) view_ = defined_->find(address);
    const uint64_t here = std::min(bytes, view_.end - address);
    if (view_.written != nullptr && !look(view_.at(address), here)) return false;
    address += here;
    bytes -= here;
  }
  return true;
}

void InitPart::load(Thread& t, ThreadState& me, const Uop& u, const Message& message) {
  const Footprint& f = message.footprint;
  const isa::Message& m = *f.message;
  ShadowRegisters& regs = me.regs;
  const bool global = f.space == Footprint::Space::Global;
  bool clean = true;
  for (const Run* run = message.begin(); run != message.end() && clean; ++run) {
    if (global) {
      clean = device_memory(run->address, run->bytes,
                            [](const uint8_t* written, uint64_t n) { return std::memchr(written, 0, n) == nullptr; });
      continue;
    }
    const uint8_t* shadow = memory_shadow(t, me, f.space, run->address, run->bytes);
    clean = shadow == nullptr || all_zero(shadow, run->bytes);
  }
  const uint32_t bytes = result_bytes(m, grf_);
  if (clean && !regs.undefined(u.dst.offset, bytes)) return;
  const Transfer transfer = transfer_of(u, m, true);
  if (clean && (!transfer.lanes || f.channels == u.lanes)) return regs.set(u.dst.offset, bytes, 0);
  if (transfer.row != 0) {
    // Layouts of two-dimensional tiles are many: a tile with an unwritten element counts as unwritten where it matters
    // least, in none of its elements but those of plain tiles.
    regs.set(u.dst.offset, bytes, 0);
    if (m.transposed || m.vnni) return;
  }
  for_each_element(u, f, transfer, true, [&](uint64_t address, uint32_t at, uint32_t n, unsigned) {
    const uint8_t* shadow = memory_shadow(t, me, f.space, address, n);
    if (transfer.lanes) regs.set(at - transfer.high, transfer.register_bytes, 0);
    if (!transfer.lanes) regs.set(at, n, 0);
    if (shadow == nullptr) return;
    uint8_t values[256];
    for (uint32_t done = 0; done < n; done += sizeof values) {
      const uint32_t part = std::min<uint32_t>(n - done, sizeof values);
      for (uint32_t k = 0; k < part; ++k)
        values[k] = global ? (shadow[done + k] != 0 ? uint8_t{0} : origin::kDevice) : shadow[done + k];
      regs.set_bytes(at + done, values, part);
    }
  });
}

void InitPart::store(Thread& t, ThreadState& me, const Uop& u, const Message& message) {
  const Footprint& f = message.footprint;
  const isa::Message& m = *f.message;
  const ShadowRegisters& regs = me.regs;
  const bool global = f.space == Footprint::Space::Global;
  const uint32_t source = u.src[1].offset;
  const bool dirty = source < regspace::kGrfBytes && m.src1_len != 0 && regs.undefined(source, m.src1_len * grf_);
  if (!dirty) {
    for (const Run& run : message) {
      if (global) {
        device_memory(run.address, run.bytes, [](uint8_t* written, uint64_t n) {
          std::memset(written, 1, n);
          return true;
        });
      } else if (uint8_t* shadow = memory_shadow(t, me, f.space, run.address, run.bytes)) {
        std::memset(shadow, 0, run.bytes);
      }
    }
    return;
  }
  uint32_t lanes = 0;
  uint8_t origins = 0;
  for_each_element(u, f, transfer_of(u, m, false), false,
                   [&](uint64_t address, uint32_t at, uint32_t n, unsigned lane) {
                     if (at + n > ShadowRegisters::kBytes) return;
                     uint8_t* shadow = memory_shadow(t, me, f.space, address, n);
                     if (!global) {
                       if (shadow != nullptr) regs.copy(at, n, shadow);
                       return;
                     }
                     if (shadow != nullptr) std::memset(shadow, 1, n);
                     const uint8_t one = regs.origins(at, n);
                     if (one == 0) return;
                     origins = static_cast<uint8_t>(origins | one);
                     lanes |= 1u << lane;
                   });
  if (origins == 0) return;
  report(t, u, Kind::UndefinedStore, m.transposed || f.channels == 1 ? 0 : lanes, "the value that is stored", origins);
}

void InitPart::send(Thread& t, const Uop& u, const Message& what) {
  const Footprint& f = what.footprint;
  ThreadState& me = *states_.of(*t.group).threads[t.id];
  if (f.channels != 0) message(t, me, u, what);
  // The rest of the block takes the result for written.
  if (quiet_ && !u.dst.null && u.dst.offset < regspace::kGrfBytes &&
      me.regs.undefined(u.dst.offset, result_bytes(*f.message, grf_)))
    quiet_ = false;
}

void InitPart::message(Thread& t, ThreadState& me, const Uop& u, const Message& what) {
  const Footprint& f = what.footprint;
  const bool addressed = check_payload(t, me, u, f);
  const bool has_result = !u.dst.null && u.dst.offset < regspace::kGrfBytes;
  switch (f.kind) {
    case Footprint::Kind::Load:
      if (!has_result) return;
      if (addressed && f.space != Footprint::Space::Indirect) return load(t, me, u, what);
      break;
    case Footprint::Kind::Store:
      return store(t, me, u, what);
    case Footprint::Kind::Atomic:
      store(t, me, u, what);
      break;
    default:
      break;
  }
  if (has_result && f.message->dst_len != 0) me.regs.define(u.dst.offset, f.message->dst_len * grf_);
}

}  // namespace xeforge::observe::check
