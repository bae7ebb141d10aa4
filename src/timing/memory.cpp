// SPDX-License-Identifier: Apache-2.0
#include "timing/memory.h"

#include <algorithm>

#include "observe/recording.h"

namespace xeforge::timing {
namespace {

constexpr unsigned kLine = 1U << observe::kLineShift;

/// A core alone sees an even share of what all cores get together: its requests are too few to meet in single banks and
/// channels as those of all cores do.
double core_clocks(const Parameters& p, double share) {
  const double alone = kLine / p.l2_rate;
  return share > 1 ? std::max(alone, kLine * share / (p.l2_banks * p.l2_bank_rate)) : alone;
}

/// The least change that makes neighbouring lines and power-of-two pitches use all banks.
uint64_t fold(uint64_t line) { return line ^ (line >> 4) ^ (line >> 9) ^ (line >> 15); }

/// Channel of a range. With a factor of three, the remainder by three stays plain: row pitches of 3 * 2^n then meet in
/// a third of the channels, as measured on the six channels of a B60; other pitches are spread.
uint64_t channel_of(uint64_t range, uint64_t channels) {
  if (channels % 3 != 0) return fold(range) % channels;
  return range % 3 + 3 * (fold(range) % (channels / 3));
}

}  // namespace

Memory::Memory(const Parameters& p, unsigned cores, double share)
    : bank_count_(std::max(1U, static_cast<unsigned>(p.l2_banks))),
      channel_count_(share > 1 || p.channel_map == 0 ? 1 : std::max(1U, static_cast<unsigned>(p.channels))),
      channel_lines_(std::max<uint64_t>(1, static_cast<uint64_t>(p.channel_bytes) / kLine)),
      bank_line_(ticks(kLine / p.l2_bank_rate)),
      channel_line_(ticks(kLine * channel_count_ / (p.dram_gb_per_s * 1000 / p.clock_mhz) * share)),
      channel_write_(ticks(kLine * channel_count_ / (p.dram_gb_per_s * 1000 / p.clock_mhz) * share * p.write_factor)),
      core_line_(ticks(core_clocks(p, share))),
      write_line_(ticks(kLine / p.write_rate * share)),
      l2_latency_(ticks(p.l2_latency)),
      dram_latency_(ticks(p.dram_latency)),
      atomic_latency_(ticks(std::max(p.atomic, p.l2_latency))),
      l2_(p.l2_bytes, static_cast<unsigned>(p.l2_ways), kLine),
      banks_(bank_count_),
      channels_(channel_count_),
      cores_(cores) {}

Ticks Memory::from_dram(uint64_t line, Ticks at, bool write) {
  Ticks& channel = channels_[channel_of(line / channel_lines_, channel_count_)];
  const Ticks start = std::max(at, channel);
  const Ticks taken = write ? channel_write_ : channel_line_;
  channel = start + taken;
  dram_busy_ += taken;
  ++(write ? traffic_.dram_written_lines : traffic_.dram_read_lines);
  return channel + dram_latency_;
}

double Memory::dram_lines_after(Ticks end) const {
  double late = 0;
  for (const Ticks channel : channels_) late += static_cast<double>(std::max(channel, end) - end);
  return late / static_cast<double>(channel_line_);
}

void Memory::touched_before(uint64_t line, bool written) {
  Line* entry = l2_.find(line);
  if (entry == nullptr) entry = &l2_.take(line);
  entry->dirty |= written;
}

Ticks Memory::serve(const Request& r) {
  Ticks& bank = banks_[fold(r.line) % bank_count_];
  const Ticks occupied = bank_line_ * (r.kind == Request::Kind::Atomic ? r.amount : 1);
  Ticks start = std::max(r.time, bank);
  bank = start + occupied;
  bank_busy_ += occupied;
  const bool writes = r.kind == Request::Kind::Write;
  if (writes) {
    // Waits for the path from the cores without holding up its bank.
    start = std::max(start, writes_);
    const Ticks takes = write_line_ * r.amount / kLine;
    writes_ = start + takes;
    write_busy_ += takes;
    last_write_ = std::max(last_write_, writes_ + l2_latency_);
    ++traffic_.l2_writes;
  } else {
    ++traffic_.l2_reads;
  }

  Line* entry = l2_.find(r.line);
  Ticks ready = start;
  if (entry == nullptr) {
    Tags<Line>::Replaced replaced;
    entry = &l2_.take(r.line, &replaced);
    if (replaced.valid() && replaced.extra.dirty) from_dram(replaced.line, start, true);
    // Whole lines are written in practice: a write needs no data from memory.
    if (!writes) ready = from_dram(r.line, start, false);
    entry->ready = ready;
  } else {
    ready = std::max(ready, entry->ready);
    if (!writes) ++traffic_.l2_hits;
  }
  if (writes || r.kind == Request::Kind::Atomic) entry->dirty = true;
  if (writes) return start + l2_latency_;

  Ticks& port = cores_[r.core];
  port = std::max(port, ready) + core_line_;
  const Ticks latency = r.kind == Request::Kind::Atomic ? atomic_latency_ : l2_latency_;
  return std::max(ready + latency, port - core_line_ + latency);
}

}  // namespace xeforge::timing
