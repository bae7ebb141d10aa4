// SPDX-License-Identifier: Apache-2.0
//
// How a fast kernel computes a product, as plain data with a one-line text form. docs/strategies.md says what the words
// mean and how a strategy is added.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gemm/kernel_library.h"
#include "xeforge/gemm/features.h"
#include "xeforge/gemm/problem.h"

namespace xeforge::gemm {

/// The device header that a strategy instantiates (kernels/fast).
enum class FastKernel : std::uint8_t {
  HpgPacked,         ///< Xe-HPG, packed operands, dpasw, no local memory
  HpgRows,           ///< Xe-HPG, matrices by rows, dpasw, B through local memory
  HpgSliceK,         ///< Xe-HPG, matrices by rows, the threads of a group share k
  HpgSliceKColumns,  ///< the same, B by columns
  HpgSliceKPacked,   ///< the same, B packed
  Xe2Rows            ///< Xe2, matrices by rows, 2D block messages
};

struct Strategy {
  FastKernel kernel = FastKernel::HpgPacked;
  std::uint32_t tile_m = 0, tile_n = 0;             ///< of C, for each thread
  std::uint32_t group_rows = 0, group_columns = 0;  ///< threads of a group
  std::uint32_t ahead = 0;     ///< trips of the loop (32 steps of k) that are asked for ahead; Xe2Rows only
  bool columns_outer = false;  ///< groups go down a column of C first
  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// "hpg_packed 32x32 group 4x4 walk down".
std::string to_string(const Strategy& strategy);
/// Reads it; what is left out behind the group has its default (ahead 2, walk across). Throws
/// Error BadStrategy that says what is wrong, or that the kernel has no such form.
Strategy parse_strategy(std::string_view text);

/// Whether it reads B by columns; other kernels read by rows what they do not read packed.
bool reads_columns_of_b(const Strategy& strategy);
/// Which operands it reads in packed form.
struct PackedSides {
  bool a = false, b = false;
};
PackedSides packed_sides(const Strategy& strategy);
/// Why it does not take operands of which these are packed already; empty if it does.
std::string reason_against_packed(const Strategy& strategy, PackedSides given);

/// Threads of a group, down, that have the same rows of C and share k.
std::uint32_t slices_of(const Strategy& strategy);
/// Rows of C that a group computes.
std::uint32_t rows_of_group(const Strategy& strategy);

/// What the strategy asks of a device.
Needs needs_of(const Strategy& strategy);

/// Which of a strategy's kernels: for elements of this type (bf16, f16), for these factors.
struct FastForm {
  Type type = Type::Bf16;
  bool alpha_one = true, beta_zero = true;
};
/// A module of its own, whose name is the kernel's.
Module module_of(const Strategy& strategy, const FastForm& form);

/// Why the strategy cannot compute a problem on any device; empty if it can. Alignment of addresses is not looked at.
std::string reason_against_problem(const Problem& problem, const Strategy& strategy);

/// A device as the selector sees it.
struct FastDevice {
  std::string architecture;       ///< SYCL's name
  double cores = 0, threads = 0;  ///< threads of 256 registers on a core
  double clock_mhz = 0;
  double gb_per_s = 0;        ///< of the memory
  double pack_gb_per_s = 0;   ///< read and written by packing
  double store_gb_per_s = 0;  ///< C, which the threads of a round write at the same time
  double launch_us = 0;       ///< of a launch besides its threads' work
};

/// A row of the catalogue: a strategy and what the timed mode measured of it.
struct FastRow {
  Strategy strategy;
  double busy = 0;      ///< clocks of a core for a dpas, with all its threads at work
  double alone = 0;     ///< clocks of a thread for a dpas
  double start_us = 0;  ///< of each round of groups
};

/// The file data/strategies/catalogue.txt, which is part of the library.
std::span<const FastRow> fast_catalogue();
std::span<const FastDevice> fast_devices();

/// What the selector thinks of a strategy for a problem.
struct Estimate {
  Strategy strategy;
  std::string reason;  ///< why it cannot be taken; empty if it can
  double multiply_us = 0, pack_us = 0, total_us = 0;
  double rounds = 0;       ///< of groups that are on the device at the same time
  const char* bound = "";  ///< "cores", "threads" (too few), "memory"
};

/// Every row of the catalogue for this device, the best first, those that cannot be taken last. `packed_a` and
/// `packed_b`: the operand is packed already.
std::vector<Estimate> estimates(const Problem& problem, const Features& features, bool packed_a, bool packed_b);

}  // namespace xeforge::gemm
