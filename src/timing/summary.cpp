// SPDX-License-Identifier: Apache-2.0
#include "timing/summary.h"

#include <algorithm>

namespace xeforge::timing {
namespace {

double part(double some, double whole) { return whole > 0 ? some / whole : 0; }
double part(Ticks some, Ticks whole) { return part(static_cast<double>(some), static_cast<double>(whole)); }

double cause(const Result& r, Cause c) { return static_cast<double>(r.causes[static_cast<size_t>(c)]); }

}  // namespace

Metrics metrics_of(const Result& r, const Parameters& p) {
  Metrics m;
  m.xve_active = 100 * part(r.active, r.engine_ticks);
  m.xve_stall = 100 * part(r.loaded - r.active, r.engine_ticks);
  m.occupancy = 100 * (1 - part(cause(r, Cause::Empty), static_cast<double>(r.slot_ticks)));
  // A kernel with large registers has half the slots; the metric counts all of them.
  const double all_slots = static_cast<double>(r.engine_ticks) * p.slots * (p.fused ? 2 : 1);
  m.occupancy *= part(static_cast<double>(r.slot_ticks), all_slots);
  m.xmx_active = 100 * part(r.matrix_busy, r.engine_ticks);
  m.lsc_active = 100 * part(r.lsc_busy, r.core_ticks);
  const Traffic& t = r.traffic;
  m.l1_hit = 100 * part(static_cast<double>(t.l1_hits), static_cast<double>(t.l1_reads));
  m.l2_hit = 100 * part(static_cast<double>(t.l2_hits), static_cast<double>(t.l2_reads));
  const double clocks = static_cast<double>(r.core_ticks) / kTicksPerClock / std::max(1U, r.cores);
  m.l2_bytes_per_clock = part(64.0 * static_cast<double>(t.l2_reads + t.l2_writes) * r.share, clocks);
  const double dram_lines = static_cast<double>(t.dram_read_lines + t.dram_written_lines) - r.dram_late_lines;
  const double dram_bytes = 64.0 * dram_lines * r.share;
  m.dram_active = 100 * part(dram_bytes, clocks * p.dram_gb_per_s * 1000 / p.clock_mhz);
  return m;
}

std::vector<Bound> bounds_of(const Result& r, const Parameters& p) {
  const Metrics m = metrics_of(r, p);
  const double used = static_cast<double>(r.slot_ticks) - cause(r, Cause::Empty);
  std::vector<Bound> bounds{
      {"XMX", m.xmx_active / 100},
      {"ALU", std::max(part(r.float_busy, r.engine_ticks), part(r.int_busy, r.engine_ticks))},
      {"send", part(r.send_busy, r.engine_ticks)},
      {"load/store unit", m.lsc_active / 100},
      {"L2", part(m.l2_bytes_per_clock, p.l2_banks * p.l2_bank_rate)},
      {"DRAM", m.dram_active / 100},
      {"barrier", part(cause(r, Cause::Barrier), used)},
      {"latency", part(cause(r, Cause::MessageData) + cause(r, Cause::Pipe) + cause(r, Cause::MatrixResult) +
                           cause(r, Cause::MathResult) + cause(r, Cause::MessageRead),
                       used)},
  };
  std::stable_sort(bounds.begin(), bounds.end(), [](const Bound& a, const Bound& b) { return a.share > b.share; });
  return bounds;
}

}  // namespace xeforge::timing
