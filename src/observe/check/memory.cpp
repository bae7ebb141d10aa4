// SPDX-License-Identifier: Apache-2.0
#include "observe/check/memory.h"

#include "machine/text.h"

namespace xeforge::observe::check {
namespace {

using machine::FaultKind;
using machine::Footprint;
using machine::hex;

/// Channels are numbered in the whole sub-group: those of the second half of a split message begin at M16.
uint32_t lane_bit(const machine::Uop& u, int32_t part) {
  return part < 0 || part + u.channel_offset > 31 ? 0 : 1u << (part + u.channel_offset);
}

bool has_word(const std::string& text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ';
    const size_t end = at + word.size();
    if (begins && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

/// A pointer argument of the launch with what the binary says about it.
struct PointerArgument {
  size_t index = 0;
  uint64_t pointer = 0;
  std::string name;
  bool read_only = false, restricted = false;
  const machine::Allocation* allocation = nullptr;
};

std::vector<PointerArgument> pointers_of(const machine::Launch& launch) {
  std::vector<PointerArgument> all;
  const binary::Kernel& kernel = launch.kernel->binary;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const machine::ArgumentValue& value = launch.arguments[i];
    if (value.kind != machine::ArgumentValue::Kind::Pointer || value.pointer == 0) continue;
    PointerArgument argument;
    argument.index = i;
    argument.pointer = value.pointer;
    argument.name = "argument " + std::to_string(i);
    for (const binary::PayloadArg& payload : kernel.payload) {
      if (payload.arg_index == static_cast<int32_t>(i) && payload.access == binary::Access::ReadOnly)
        argument.read_only = true;
    }
    if (i < kernel.arguments.size()) {
      const binary::ArgumentInfo& info = kernel.arguments[i];
      if (!info.name.empty()) argument.name += " (" + info.name + ")";
      argument.read_only |= has_word(info.type_qualifiers, "const");
      argument.restricted = has_word(info.type_qualifiers, "restrict");
    }
    if (launch.memory != nullptr) argument.allocation = launch.memory->find(value.pointer);
    if (argument.allocation != nullptr) all.push_back(std::move(argument));
  }
  return all;
}

}  // namespace

ArgumentRules::ArgumentRules(const machine::Launch& launch) {
  const std::vector<PointerArgument> all = pointers_of(launch);
  for (const PointerArgument& argument : all) {
    if (!argument.read_only) continue;
    bool also_written = false;
    for (const PointerArgument& other : all)
      also_written |= !other.read_only && other.allocation == argument.allocation;
    if (also_written) continue;
    const machine::Allocation& a = *argument.allocation;
    read_only_.push_back({a.base, a.base + a.size, argument.name, a.label});
  }
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i + 1; j < all.size(); ++j) {
      const PointerArgument &a = all[i], &b = all[j];
      if (a.allocation != b.allocation || (!a.restricted && !b.restricted) || (a.read_only && b.read_only)) continue;
      const PointerArgument& promises = a.restricted ? a : b;
      const uint64_t distance = a.pointer > b.pointer ? a.pointer - b.pointer : b.pointer - a.pointer;
      overlaps_.push_back(promises.name + " is declared restrict, but " + a.name + " at " + hex(a.pointer) + " and " +
                          b.name + " at " + hex(b.pointer) + " (" +
                          (distance == 0 ? "the same address" : std::to_string(distance) + " bytes apart") +
                          ") lie in one allocation: " + a.allocation->label);
    }
  }
}

const ArgumentRules::Range* ArgumentRules::read_only(uint64_t address) const {
  for (const Range& range : read_only_) {
    if (address >= range.base && address < range.end) return &range;
  }
  return nullptr;
}

Kind MemoryPart::kind_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::OutOfBounds:
      return Kind::OutOfBounds;
    case FaultKind::SlmOutOfBounds:
      return Kind::SlmOutOfBounds;
    case FaultKind::ScratchOutOfBounds:
      return Kind::ScratchOutOfBounds;
    case FaultKind::Misaligned:
      return Kind::Misaligned;
    case FaultKind::BadMessage:
      return Kind::BadMessage;
    default:
      return Kind::Count_;
  }
}

bool MemoryPart::tolerates(machine::Thread& t, const machine::FaultException& fault) {
  Kind kind = kind_of(fault.kind);
  std::string message = fault.message;
  if (kind == Kind::OutOfBounds && fault.has_address) {
    constexpr uint64_t kFirstPage = 4096;
    if (fault.address < kFirstPage || message.find("pointer argument is null") != std::string::npos) {
      kind = Kind::NullPointer;
    } else if (const auto freed = environment_.freed ? environment_.freed(fault.address) : std::nullopt) {
      kind = Kind::UseAfterFree;
      message += "; the address lies inside " + *freed + ", which was freed before this launch ended";
    } else if (environment_.is_host_memory && environment_.is_host_memory(fault.address)) {
      kind = Kind::WrongMemoryKind;
      message += "; the address is memory of the host program (its heap, stack or data), not USM";
    }
  } else if ((kind == Kind::Misaligned || kind == Kind::BadMessage) && message.find("2D ") != std::string::npos) {
    kind = Kind::Surface2d;
  }
  if (kind == Kind::Count_) return false;
  const machine::Code& code = *t.worker->context->code;
  const uint32_t lanes = lane_bit(code.uops[code.uop_at(fault.pc)], fault.lane);
  findings_.add(kind, fault.pc, Findings::kNoPc, t.group->linear, [&] {
    Finding finding;
    finding.message = message;
    finding.first = place_of(t, fault.pc, lanes);
    return finding;
  });
  return true;
}

void MemoryPart::send(machine::Thread& t, const machine::Uop& u, const Footprint& f) {
  if (f.space != Footprint::Space::Global) return;
  if (f.kind == Footprint::Kind::Prefetch) {
    for (const Footprint::Piece& piece : f) {
      const machine::MemorySnapshot* memory = t.worker->memory;
      const machine::Allocation* found = memory == nullptr ? nullptr : memory->find(piece.address);
      if (found != nullptr && found->contains(piece.address, piece.bytes)) continue;
      findings_.add(Kind::InvalidPrefetch, u.pc, Findings::kNoPc, t.group->linear, [&] {
        Finding finding;
        finding.first = place_of(t, u.pc, lane_bit(u, piece.part));
        finding.message =
            isa::describe(*f.message) + ": prefetches " + std::to_string(piece.bytes) + " bytes at " +
            hex(piece.address) + ", " +
            (memory == nullptr ? "no memory is allocated" : memory->describe_miss(piece.address, piece.bytes));
        return finding;
      });
    }
    return;
  }
  if (!rules_.any_read_only() || (f.kind != Footprint::Kind::Store && f.kind != Footprint::Kind::Atomic)) return;
  for (const Footprint::Piece& piece : f) {
    const ArgumentRules::Range* range = rules_.read_only(piece.address);
    if (range == nullptr) continue;
    findings_.add(Kind::ReadOnlyWrite, u.pc, Findings::kNoPc, t.group->linear, [&] {
      Finding finding;
      finding.first = place_of(t, u.pc, lane_bit(u, piece.part));
      finding.message = isa::describe(*f.message) + ": writes " + std::to_string(piece.bytes) + " bytes at " +
                        hex(piece.address) + ", offset " + std::to_string(piece.address - range->base) + " of " +
                        range->allocation + ", which the launch has only through " + range->argument +
                        ", declared read-only";
      return finding;
    });
  }
}

}  // namespace xeforge::observe::check
