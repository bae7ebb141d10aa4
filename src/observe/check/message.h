// SPDX-License-Identifier: Apache-2.0
//
// A message as the checkers see it: its footprint, and the same bytes as few long runs. Lanes mostly touch one byte
// after another, or all the same.
#pragma once

#include <array>

#include "machine/footprint.h"

namespace xeforge::observe::check {

/// Consecutive bytes: `first_lane` has the first `lane_bytes` of them, the next lane the next.
struct Run {
  static constexpr uint32_t kWholeMessage = 63;  ///< no lane in particular

  uint64_t address = 0;
  uint32_t bytes = 0, first_lane = kWholeMessage, lane_bytes = 1;
};

struct Message {
  machine::Footprint footprint;
  std::array<Run, machine::Footprint::kMaxPieces> runs;
  uint32_t count = 0;
  uint64_t bytes = 0;  ///< of all channels

  const Run* begin() const { return runs.data(); }
  const Run* end() const { return runs.data() + count; }

  /// Fills in the rest from the footprint. `channel_offset` of the instruction: lanes are those of the thread.
  void find_runs(uint32_t channel_offset) {
    using machine::Footprint;
    const Footprint& f = footprint;
    const bool reads = f.kind == Footprint::Kind::Load;
    count = 0;
    bytes = 0;
    // All lanes one behind the other, or all at one address: nearly every message, found without branches.
    if (f.count > 1 && f.pieces[0].part >= 0) {
      const Footprint::Piece& first = f.pieces[0];
      uint64_t apart = 0, other = 0, ragged = 0;
      for (uint32_t i = 1; i < f.count; ++i) {
        const Footprint::Piece& piece = f.pieces[i];
        apart |= piece.address ^ (first.address + uint64_t{i} * first.bytes);
        apart |= static_cast<uint32_t>(piece.part - first.part) ^ i;
        other |= piece.address ^ first.address;
        ragged |= piece.bytes ^ first.bytes;
      }
      if (ragged == 0 && (apart == 0 || (reads && other == 0))) {
        bytes = uint64_t{f.count} * first.bytes;
        const auto lane = static_cast<uint32_t>(first.part) + channel_offset;
        runs[count++] = {first.address, apart == 0 ? f.count * first.bytes : first.bytes,
                         lane < 32 ? lane : Run::kWholeMessage, first.bytes};
        return;
      }
    }
    int32_t last_part = -2;
    Run run;
    for (const Footprint::Piece& piece : f) {
      bytes += piece.bytes;
      // Lanes that read one address: once is enough.
      if (reads && run.bytes == piece.bytes && run.address == piece.address) continue;
      if (run.bytes != 0 && piece.part >= 0 && piece.part == last_part + 1 && piece.bytes == run.lane_bytes &&
          piece.address == run.address + run.bytes) {
        run.bytes += piece.bytes;
        last_part = piece.part;
        continue;
      }
      if (run.bytes != 0) runs[count++] = run;
      const auto lane = static_cast<uint32_t>(piece.part) + channel_offset;
      run = {piece.address, piece.bytes, piece.part >= 0 && lane < 32 ? lane : Run::kWholeMessage, piece.bytes};
      last_part = piece.part;
    }
    if (run.bytes != 0) runs[count++] = run;
  }
};

}  // namespace xeforge::observe::check
