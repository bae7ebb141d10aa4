// SPDX-License-Identifier: Apache-2.0
//
// Which strategy is likely the fastest: a formula with few terms, whose numbers per strategy come from the timed mode
// (data/strategies/catalogue.txt). `xeforge explain --problem` prints it.
#include <algorithm>
#include <cmath>

#include "gemm/strategy.h"

namespace xeforge::gemm {

namespace {

double blocks(double size, double of) { return std::ceil(size / of); }

struct Sizes {
  double m, n, k, batch;
};

Estimate estimate(const FastRow& row, const FastDevice& device, const Problem& p, bool packed_a, bool packed_b) {
  const Strategy& s = row.strategy;
  Estimate e;
  e.strategy = s;
  const Sizes size{static_cast<double>(p.m), static_cast<double>(p.n), static_cast<double>(p.k),
                   static_cast<double>(p.batch)};
  const double width = s.kernel == FastKernel::Xe2Rows ? 16 : 8;
  const double groups = blocks(size.m, rows_of_group(s)) * blocks(size.n, s.tile_n * s.group_columns) * size.batch;
  const double threads = s.group_rows * s.group_columns;
  const double dpas =
      (s.tile_m / 8.0) * (s.tile_n / width) * blocks(blocks(size.k, 32), slices_of(s)) * 2;  // of a thread
  const double resident = std::max(1.0, std::floor(device.threads / threads));
  const double on_core = blocks(groups, device.cores);  // on the fullest core
  e.rounds = blocks(on_core, resident);
  const double clocks_busy = on_core * threads * dpas * row.busy;
  const double clocks_alone = e.rounds * dpas * row.alone;
  const double clocks = std::max(clocks_busy, clocks_alone);
  e.bound = clocks_busy >= clocks_alone ? "cores" : "threads";
  const double bytes = size.batch * (2 * (size.m * size.k + size.k * size.n) + 4 * size.m * size.n);
  const double memory_us = bytes / (device.gb_per_s * 1e3);
  // Threads of the last round store at the end, when nobody multiplies.
  const double last_round =
      std::min(size.m * size.n * size.batch, device.cores * resident * threads * s.tile_m * s.tile_n);
  const double store_us = last_round * 4 / (device.store_gb_per_s * 1e3);
  const double work_us = clocks / device.clock_mhz + e.rounds * row.start_us + store_us;
  if (memory_us > work_us) e.bound = "memory";
  e.multiply_us = std::max(work_us, memory_us) + device.launch_us;
  const PackedSides reads = packed_sides(s);
  const double packed_bytes =
      (reads.a && !packed_a ? size.m * size.k : 0) + (reads.b && !packed_b ? size.k * size.n : 0);
  // Both are packed by one launch.
  if (packed_bytes != 0) e.pack_us = size.batch * packed_bytes * 4 / (device.pack_gb_per_s * 1e3) + device.launch_us;
  e.total_us = e.multiply_us + e.pack_us;
  return e;
}

}  // namespace

std::string reason_against_packed(const Strategy& s, PackedSides given) {
  const PackedSides reads = packed_sides(s);
  return (given.a && !reads.a) || (given.b && !reads.b) ? "it reads operands as they are, not packed" : "";
}

std::string reason_against_problem(const Problem& p, const Strategy& s) {
  if (p.a != p.b || (p.a != Type::Bf16 && p.a != Type::F16)) return "A and B are both bf16 or both f16";
  if (p.c != Type::F32) return "C is f32";
  if (p.alpha == 0 || p.k == 0) return "nothing is multiplied";
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  if (p.m > kMost || p.n > kMost || p.k > kMost) return "sizes are at most 2^24";
  // With more rows the compiler runs out of registers: ten times the instructions, or an error.
  constexpr std::uint32_t kRowsBesideOldC = 8;
  const bool hpg_tile = s.kernel == FastKernel::HpgPacked || s.kernel == FastKernel::HpgRows;
  if (hpg_tile && p.beta != 0 && s.tile_m > kRowsBesideOldC) return "old C does not fit into its registers, too";
  const PackedSides packed = packed_sides(s);
  const bool by_columns = reads_columns_of_b(s);
  if ((!packed.a && p.transpose_a) || (!packed.b && p.transpose_b && !by_columns)) return "operands are stored by rows";
  if (by_columns && !p.transpose_b) return "B is stored by columns";
  if (s.kernel != FastKernel::Xe2Rows) {
    // Tiles that are moved back to lie inside; blocks of 4 bytes; distances that fit into a word.
    const bool moves_back = s.kernel == FastKernel::HpgRows;
    if (moves_back && (p.m < s.tile_m || p.n < s.tile_n || p.k < 32)) return "a whole tile and 32 steps of k at least";
    const bool b_by_rows = !packed.b && !by_columns;
    if (b_by_rows && p.n < s.tile_n) return "a whole tile across at least";
    if ((!packed.a && (p.k % 2 != 0 || p.lda % 2 != 0)) || (!packed.b && p.ldb % 2 != 0) || (b_by_rows && p.n % 2 != 0))
      return "rows begin and end at 4 bytes";
    // What a trip of the loop adds to an address is less than 2^31 bytes.
    const std::int64_t farthest = (std::int64_t{1} << 25) / slices_of(s);
    if ((!packed.a && p.lda >= farthest) || (!packed.b && p.ldb >= farthest))
      return "rows are " + std::to_string(farthest) + " elements apart or more";
    return {};
  }
  // 2D block messages: surfaces of at least 64 bytes, pitches of 16.
  constexpr std::int64_t kPitch = 8, kPitchC = 4, kLeast = 32;
  if (p.lda % kPitch != 0 || p.ldb % kPitch != 0 || p.ldc % kPitchC != 0) return "pitches are multiples of 16 bytes";
  if (p.k < kLeast || p.n < kLeast) return "rows have at least 64 bytes";
  if (p.k % 2 != 0 || p.n % 2 != 0) return "rows are multiples of 4 bytes";
  return {};
}

std::vector<Estimate> estimates(const Problem& problem, const Features& features, bool packed_a, bool packed_b) {
  const auto devices = fast_devices();
  const auto device = std::find_if(devices.begin(), devices.end(),
                                   [&](const FastDevice& d) { return d.architecture == features.architecture; });
  std::vector<Estimate> result, of_other_devices;
  for (const FastRow& row : fast_catalogue()) {
    Estimate e;
    e.strategy = row.strategy;
    e.reason = reason_against(needs_of(row.strategy), features);
    if (!e.reason.empty()) {
      of_other_devices.push_back(std::move(e));
      continue;
    }
    if (device == devices.end()) e.reason = "the catalogue has no numbers for " + features.architecture;
    if (e.reason.empty()) e.reason = reason_against_problem(problem, row.strategy);
    if (e.reason.empty()) e.reason = reason_against_packed(row.strategy, {packed_a, packed_b});
    if (e.reason.empty()) e = estimate(row, *device, problem, packed_a, packed_b);
    result.push_back(std::move(e));
  }
  std::stable_sort(result.begin(), result.end(), [](const Estimate& a, const Estimate& b) {
    if (a.reason.empty() != b.reason.empty()) return a.reason.empty();
    return a.reason.empty() && a.total_us < b.total_us;
  });
  result.insert(result.end(), of_other_devices.begin(), of_other_devices.end());
  return result;
}

}  // namespace xeforge::gemm
