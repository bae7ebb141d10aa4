// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>

#include "isa/message.h"

namespace xeforge::isa {
namespace {

constexpr std::array<std::string_view, 16> kSfids{"null", "gtwy", "dc0", "dc1", "dcro", "ugm", "ugml", "tgm",
                                                  "slm",  "smpl", "urb", "ts",  "rc",   "btd", "rta",  "other"};
static_assert(kSfids.size() == static_cast<size_t>(Sfid::Other) + 1);

constexpr std::array<std::string_view, 34> kKinds{"unknown",
                                                  "load",
                                                  "load_quad",
                                                  "load_block2d",
                                                  "store",
                                                  "store_quad",
                                                  "store_block2d",
                                                  "atomic",
                                                  "fence",
                                                  "signal_barrier",
                                                  "signal_named_barrier",
                                                  "eot",
                                                  "oword_block_read",
                                                  "oword_block_write",
                                                  "aligned_block_read",
                                                  "scratch_block_read",
                                                  "scratch_block_write",
                                                  "dword_scattered_read",
                                                  "dword_scattered_write",
                                                  "byte_scattered_read",
                                                  "byte_scattered_write",
                                                  "qword_scattered_read",
                                                  "qword_scattered_write",
                                                  "untyped_read",
                                                  "untyped_write",
                                                  "untyped_atomic",
                                                  "a64_untyped_atomic",
                                                  "a64_block_read",
                                                  "a64_block_write",
                                                  "a64_scattered_read",
                                                  "a64_scattered_write",
                                                  "a64_untyped_read",
                                                  "a64_untyped_write",
                                                  "memory_fence"};
static_assert(kKinds.size() == static_cast<size_t>(MessageKind::LegacyMemoryFence) + 1);

constexpr std::array<std::string_view, 23> kAtomics{"none", "iinc", "idec", "load", "store", "iadd",  "isub", "smin",
                                                    "smax", "umin", "umax", "icas", "fadd",  "fsub",  "fmin", "fmax",
                                                    "fcas", "and",  "or",   "xor",  "xchg",  "ipdec", "irsub"};
static_assert(kAtomics.size() == static_cast<size_t>(AtomicOp::RevSub) + 1);

constexpr std::array<std::string_view, 7> kDataSizes{"d8", "d16", "d32", "d64", "d8u32", "d16u32", "d16u32h"};
static_assert(kDataSizes.size() == static_cast<size_t>(DataSize::D16U32H) + 1);

constexpr std::array<std::string_view, 8> kCaching{"df", "uc", "ca", "st", "ri", "wt", "wb", "cc"};
static_assert(kCaching.size() == static_cast<size_t>(CachePolicy::ConstCached) + 1);

constexpr std::array<std::string_view, 7> kScopes{"group", "local", "tile", "gpu", "gpus", "sysrel", "sysacq"};
static_assert(kScopes.size() == static_cast<size_t>(FenceScope::SystemAcquire) + 1);

// The last one is what the compiler calls it too; on Xe-HPG it accompanies every wider fence.
constexpr std::array<std::string_view, 7> kFlushes{"none",  "evict",   "invalidate", "discard",
                                                   "clean", "flushl3", "type6"};

template <typename Table, typename Index>
std::string at(const Table& table, Index index) {
  const auto i = static_cast<size_t>(index);
  return i < table.size() ? std::string(table[i]) : "?" + std::to_string(i);
}

std::string hex(uint32_t value) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "0x%X", value);
  return buffer.data();
}

std::string signed_offset(int32_t offset) {
  if (offset == 0) return {};
  return offset < 0 ? "-" + hex(static_cast<uint32_t>(-offset)) : "+" + hex(static_cast<uint32_t>(offset));
}

std::string operation(const Message& m) {
  switch (m.kind) {
    case MessageKind::Atomic:
      return "atomic_" + at(kAtomics, m.atomic);
    case MessageKind::UntypedAtomic:
    case MessageKind::A64UntypedAtomic:
      return at(kKinds, m.kind) + "_" + at(kAtomics, m.atomic);
    default:
      return at(kKinds, m.kind);
  }
}

bool is_lsc(const Message& m) {
  return m.sfid == Sfid::Ugm || m.sfid == Sfid::UgmL || m.sfid == Sfid::Tgm || m.sfid == Sfid::Slm;
}

std::string data(const Message& m) {
  std::string text = "." + at(kDataSizes, m.data_size);
  const bool block2d = m.kind == MessageKind::LoadBlock2d || m.kind == MessageKind::StoreBlock2d;
  if (m.component_mask != 0) {
    text += '.';
    for (unsigned i = 0; i < 4; ++i) {
      if ((m.component_mask >> i & 1) != 0) text += "xyzw"[i];
    }
  } else if (!block2d && (m.vector_size > 1 || m.transposed)) {
    text += "x" + std::to_string(m.vector_size);
  }
  if (m.transposed) text += 't';
  if (m.vnni) text += 'v';
  text += ".a" + std::to_string(m.address_bits);
  if (m.l1 != CachePolicy::Default || m.l3 != CachePolicy::Default) {
    text += "." + at(kCaching, m.l1) + "." + at(kCaching, m.l3);
  }
  return text;
}

std::string surface(const Message& m) {
  const std::string a0 = "[a0." + std::to_string(m.exdesc_a0_subreg) + "]";
  switch (m.model) {
    case AddressModel::Flat:
      return "flat";
    case AddressModel::Bss:
      return "bss" + (m.exdesc_in_reg ? a0 : "[" + hex(m.exdesc) + "]");
    case AddressModel::Ss:
      return "ss" + (m.exdesc_in_reg ? a0 : "[" + hex(m.exdesc) + "]");
    case AddressModel::Bti:
      return "bti" + (m.exdesc_in_reg && is_lsc(m) ? a0 : "[" + std::to_string(m.bti) + "]");
  }
  return "?";
}

std::string offsets(const Message& m) {
  if (m.block2d_x != 0 || m.block2d_y != 0) {
    return "+(" + std::to_string(m.block2d_x) + "," + std::to_string(m.block2d_y) + ")";
  }
  return signed_offset(m.immediate_offset);
}

}  // namespace

std::string_view name_of(Sfid s) {
  const auto index = static_cast<size_t>(s);
  return index < kSfids.size() ? kSfids[index] : std::string_view("?");
}

std::string describe(const Message& m) {
  std::string text = operation(m) + "." + std::string(name_of(m.sfid));
  switch (m.kind) {
    case MessageKind::Unknown:
      return text + " desc " + (m.desc_in_reg ? "a0." + std::to_string(m.desc_a0_subreg) : hex(m.desc)) + " exdesc " +
             (m.exdesc_in_reg ? "a0." + std::to_string(m.exdesc_a0_subreg) : hex(m.exdesc));
    case MessageKind::BarrierSignal:
    case MessageKind::NamedBarrierSignal:
    case MessageKind::EndOfThread:
      return text;
    case MessageKind::Fence:
      return text + "." + at(kFlushes, m.fence_flush) + "." + at(kScopes, m.fence_scope);
    case MessageKind::LegacyMemoryFence:
      return text + " bti[" + std::to_string(m.bti) + "]";
    case MessageKind::ScratchBlockRead:
    case MessageKind::ScratchBlockWrite:
      return text + data(m) + " scratch" + signed_offset(static_cast<int32_t>(m.scratch_offset));
    default:
      return text + data(m) + " " + surface(m) + offsets(m);
  }
}

}  // namespace xeforge::isa
