// SPDX-License-Identifier: Apache-2.0
//
// What all message handlers share: which channels take part, and the check of every address
// before host memory is touched. The inline parts are the fast path; whatever ends in a report
// is out of line in access.cpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "isa/message.h"
#include "machine/code.h"
#include "machine/text.h"
#include "machine/thread.h"

namespace xeforge::machine::messages {

enum class Access : uint8_t { Load, Store, Atomic };

/// A message in execution: everything a report about it needs.
struct Call {
  Thread& t;
  const Uop& u;
  const isa::Message& m;
  Access access;
};

/// Channels that take part. The two conditions spare nearly all sends the call.
inline uint32_t active_channels(const Thread& t, const Uop& u) {
  if (u.no_mask && u.pred == isa::PredCtrl::None) return u.lanes;
  return channel_mask(t, u);
}

/// Host memory that addresses of one message may touch without further checks: address a is
/// valid for n bytes if `low <= a && a + n <= end`; it lies at host address origin + a.
struct Range {
  uint64_t origin = 0;
  uint64_t low = 0, end = 0;

  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= low && address < end && bytes <= end - address;
  }
  std::byte* at(uint64_t address) const { return reinterpret_cast<std::byte*>(origin + address); }
};

/// Allocation that contains `address`, writable if the access needs it; end == low if there is none.
Range find_allocation(const Call& c, uint64_t address);

inline Range allocation_at(const Call& c, uint64_t address) {
  for (const Worker::Hit& h : c.t.worker->hits) {
    if (address >= h.base && address < h.end && (c.access == Access::Load || !h.read_only)) return {0, h.base, h.end};
  }
  return find_allocation(c, address);
}

/// Throws, or returns if an observer tolerates the fault: then the access is to be dropped, loads give zero.
void report_fault(const Call& c, FaultException&& fault);
/// Reports an access to global memory that no allocation holds. `lane` < 0: whole message. Returns as report_fault.
void fault_global(const Call& c, uint64_t address, uint64_t bytes, int lane);
/// Where [address, address + bytes) begins inside `range` and ends outside: fills `data` with the bytes that are there
/// and with zeros behind them. False elsewhere.
inline bool load_valid_part(const Range& range, uint64_t address, uint64_t bytes, std::byte* data) {
  if (address < range.low || address >= range.end) return false;
  const uint64_t there = range.end - address;
  std::memcpy(data, range.at(address), there);
  std::memset(data + there, 0, bytes - there);
  return true;
}
/// Code of ngen, Intel's libraries: it counts on what hardware does beyond the rules.
/// RunOptions::stateful_bounds_are_errors has the rules hold for it, too.
bool library_code(const Call& c);
/// A load of library code that begins inside `range`, an allocation, and crosses its end: `data` gets the bytes that
/// are there and zeros behind them. `address` may lie behind the end if it is that of a later element of a vector that
/// begins inside. False for everything else, which is a fault. The libraries load a block or a qword where only its
/// beginning counts; on hardware allocations are whole pages.
bool load_across_end(const Call& c, const Range& range, uint64_t address, uint64_t bytes, std::byte* data);
/// Reports an address that the message's unit does not accept; `rule` says what it needs. Returns as report_fault,
/// but then the access may be made as if there were no rule.
void fault_misaligned(const Call& c, uint64_t address, uint64_t alignment, int lane, const char* rule);
[[noreturn]] void fault_message(const Call& c, const std::string& what);

/// Text of the access for reports: "load.ugm.d32.a64: channel 5 reads 4 bytes at 0x7f00".
std::string describe_access(const Call& c, uint64_t address, uint64_t bytes, int lane);

/// Bytes of one payload operand part: `elements` of `element_bytes`, each part in whole registers.
inline uint32_t part_bytes(const Uop& u, uint32_t elements, uint32_t element_bytes) {
  const uint32_t grf = u.grf_bytes;
  return (elements * element_bytes + grf - 1) / grf * grf;
}

/// The largest payload operand: 31 registers can be named in a descriptor, 32 is what block2d
/// and d64x64t return (five length bits wrap to 0, so lengths are not compared here).
inline constexpr uint32_t kMaxPayloadRegisters = 32;

}  // namespace xeforge::machine::messages
