// SPDX-License-Identifier: Apache-2.0
//
// Instruction counters of a launch: disjoint classes that sum to the total, from exact execution counts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/decode.h"
#include "machine/launch.h"

namespace xeforge::observe {

/// Field names are those of the JSON (DESIGN.md). The first ten are disjoint and sum to `instructions`.
struct Counters {
  uint64_t instructions = 0;
  uint64_t send = 0, dpas = 0, alu_int = 0, alu_float = 0, mov = 0, math = 0, sync = 0, control = 0, other = 0;
  // Further views of the same executions.
  uint64_t barriers = 0;          ///< gateway barrier signals, one per hardware thread and barrier
  uint64_t send_payload_grf = 0;  ///< payload registers read: mlen + ex_mlen
  uint64_t send_return_grf = 0;   ///< registers written by messages
  // Execution slots by the definitions of Intel's metrics (metrics-discovery, metric_info_ACM_GT1): how long an
  // instruction occupies its pipe, in passes of one register's width.
  uint64_t alu0_slots = 0;  ///< float pipe, extended math included
  uint64_t alu1_slots = 0;  ///< integer pipe
  uint64_t xmx_slots = 0;   ///< matrix engine: 2 for each row of a dpas or dpasw, dummies included
  uint64_t send_slots = 0;  ///< payload registers plus one for each barrier, which is what the measured metric fits
  uint64_t dpas_dummy = 0;  ///< of dpas: IGC's read-suppression dummies (isa.md)
  uint64_t global_loads = 0, global_stores = 0, slm_loads = 0, slm_stores = 0, atomics = 0, fences = 0, prefetches = 0,
           scratch = 0;

  Counters& operator+=(const Counters& o);
};

Counters count(const isa::Program& program, const machine::ExecutionCounts& executed);

/// Name, unit and meaning of each counter: the one table behind JSON, CSV and help texts.
struct CounterRow {
  std::string_view name;
  uint64_t Counters::*field;
  std::string_view meaning;
};
const std::vector<CounterRow>& counter_table();

}  // namespace xeforge::observe
