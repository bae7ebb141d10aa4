// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "machine/launch.h"

namespace xeforge::machine {
namespace {

struct KindName {
  FaultKind kind;
  std::string_view name;
};
constexpr KindName kKindNames[] = {
    {FaultKind::InvalidLaunch, "invalid launch"},
    {FaultKind::UnknownInstruction, "unknown instruction"},
    {FaultKind::OutOfBounds, "out-of-bounds access to global memory"},
    {FaultKind::SlmOutOfBounds, "out-of-bounds access to shared local memory"},
    {FaultKind::ScratchOutOfBounds, "out-of-bounds access to scratch memory"},
    {FaultKind::RegisterOutOfBounds, "register out of range"},
    {FaultKind::Misaligned, "misaligned access"},
    {FaultKind::BadMessage, "bad message"},
    {FaultKind::UnsupportedOnDevice, "not supported by the device"},
    {FaultKind::BarrierDivergence, "divergent barrier"},
    {FaultKind::Deadlock, "deadlock"},
    {FaultKind::Watchdog, "no progress"},
    {FaultKind::FusedPair, "fused pair"},
    {FaultKind::DivideByZero, "division by zero"},
    {FaultKind::Cancelled, "cancelled"},
};

/// Kinds that concern the launch, not one place in the code.
bool concerns_launch(FaultKind kind) { return kind == FaultKind::InvalidLaunch || kind == FaultKind::Cancelled; }
/// Kinds whose message itself says who stands where.
bool concerns_many(FaultKind kind) { return kind == FaultKind::Deadlock || kind == FaultKind::Watchdog; }

}  // namespace

std::string_view name_of(FaultKind k) {
  for (const KindName& row : kKindNames) {
    if (row.kind == k) return row.name;
  }
  return "unnamed fault";
}

std::string Fault::to_string() const {
  std::string out = "kernel '" + kernel + "': " + std::string(name_of(kind));
  if (!concerns_launch(kind) && !concerns_many(kind)) {
    out += " in group " + std::to_string(group[0]) + "," + std::to_string(group[1]) + "," + std::to_string(group[2]) +
           ", thread " + std::to_string(thread);
    if (lane >= 0) out += ", lane " + std::to_string(lane);
    char number[16];
    std::snprintf(number, sizeof number, "0x%x", pc);
    out += std::string(", at pc ") + number;
    if (!text.empty()) out += " `" + text + "`";
  }
  out += ": " + message;
  if (occurrences > 1) out += " (" + std::to_string(occurrences) + " times)";
  return out;
}

}  // namespace xeforge::machine
