// SPDX-License-Identifier: Apache-2.0
#include "gemm/strategy.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "gemm/catalog.h"
#include "gemm/strategy_files.h"
#include "xeforge/gemm/status.h"

namespace xeforge::gemm {

namespace {

/// What a kernel's header can be instantiated with.
struct KernelRow {
  FastKernel kernel;
  std::string_view name, symbol, header, macro;  ///< symbol: no "pack" in it, which counts as packing in reports
  std::uint32_t unit_m, unit_n;                  ///< of a dpas
  std::uint32_t largest_units;                   ///< of a thread: what 256 registers hold besides the operands
  std::uint32_t most_ahead, default_ahead;
  bool needs_pairs;         ///< neighbouring columns of threads are fused
  std::uint32_t step;       ///< units of a thread along n come in multiples of it
  std::uint32_t most_rows;  ///< units of a thread along m
  PackedSides packed;       ///< operands that it reads in packed form
  bool slices_k;            ///< threads down a group share k
};
constexpr PackedSides kNone{}, kOnlyB{false, true}, kBoth{true, true};
constexpr std::array kKernels{
    KernelRow{FastKernel::HpgPacked, "hpg_packed", "hpg", "kernels/fast/hpg_packed.h", "XEFORGE_HPG_PACKED", 8, 8, 24,
              0, 0, true, 1, 8, kBoth, false},
    KernelRow{FastKernel::HpgRows, "hpg_rows", "hpg_rows", "kernels/fast/hpg_rows.h", "XEFORGE_HPG_ROWS", 8, 8, 16, 0,
              0, true, 2, 4, kNone, false},
    KernelRow{FastKernel::HpgSliceK, "hpg_slice_k", "hpg_slice", "kernels/fast/hpg_slice_k.h", "XEFORGE_HPG_SLICE_K", 8,
              8, 8, 0, 0, false, 4, 2, kNone, true},
    KernelRow{FastKernel::HpgSliceKColumns, "hpg_slice_k_columns", "hpg_slice_n", "kernels/fast/hpg_slice_k.h",
              "XEFORGE_HPG_SLICE_K_COLUMNS", 8, 8, 8, 0, 0, false, 4, 2, kNone, true},
    KernelRow{FastKernel::HpgSliceKPacked, "hpg_slice_k_packed", "hpg_slice_b", "kernels/fast/hpg_slice_k.h",
              "XEFORGE_HPG_SLICE_K_PACKED", 8, 8, 8, 0, 0, false, 4, 2, kOnlyB, true},
    KernelRow{FastKernel::Xe2Rows, "xe2_rows", "xe2", "kernels/fast/xe2_rows.h", "XEFORGE_XE2_ROWS", 8, 16, 16, 4, 2,
              false, 2, 4, kNone, false},
};

const KernelRow& row_of(FastKernel kernel) { return kKernels.at(static_cast<std::size_t>(kernel)); }

std::string pair_text(std::uint32_t a, std::uint32_t b) { return std::to_string(a) + "x" + std::to_string(b); }

[[noreturn]] void fail(std::string_view text, const std::string& why) {
  throw Error(Status::BadStrategy, "strategy '" + std::string(text) + "': " + why +
                                       ". A strategy looks like 'hpg_packed 32x32 group 4x4 walk down'");
}

std::uint32_t number(std::string_view text, std::string_view word) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) fail(text, "'" + std::string(word) + "' is no number");
  return value;
}

std::array<std::uint32_t, 2> pair_of_numbers(std::string_view text, std::string_view word) {
  const std::size_t x = word.find('x');
  if (x == std::string_view::npos) fail(text, "'" + std::string(word) + "' is no pair such as 32x32");
  return {number(text, word.substr(0, x)), number(text, word.substr(x + 1))};
}

/// Why the kernel has no such form; empty if it has.
std::string reason_against_form(const Strategy& s) {
  const KernelRow& row = row_of(s.kernel);
  const std::uint32_t threads = s.group_rows * s.group_columns;
  if (s.tile_m == 0 || s.tile_m % row.unit_m != 0 || s.tile_n == 0 || s.tile_n % (row.unit_n * row.step) != 0)
    return "tiles are multiples of " + pair_text(row.unit_m, row.unit_n * row.step);
  const std::uint32_t units_m = s.tile_m / row.unit_m, units_n = s.tile_n / row.unit_n;
  if (units_m > row.most_rows) return "tiles have at most " + std::to_string(row.most_rows * row.unit_m) + " rows";
  if (units_m * units_n > row.largest_units)
    return "the sums of a thread are at most " + std::to_string(row.largest_units) + " units of " +
           pair_text(row.unit_m, row.unit_n) + ", or registers do not suffice";
  if (threads == 0 || threads > 32) return "groups have 1 to 32 threads";
  if (row.needs_pairs && s.group_columns % 2 != 0) return "pairs of threads need an even number of columns";
  if (s.ahead > row.most_ahead) return "ahead is at most " + std::to_string(row.most_ahead);
  if (s.kernel == FastKernel::HpgRows && (s.group_rows < 2 || s.group_rows > 16 || 32 % s.group_rows != 0))
    return "threads down a group share 32 steps of B in pairs of rows: 2, 4, 8 or 16 of them";
  // Each of them adds up whole rows of one unit.
  if (row.slices_k && (8 * units_m * units_n % s.group_rows != 0 || units_m * units_n > s.group_rows))
    return "threads down a group add up the sums of a tile: at least " + std::to_string(units_m * units_n) +
           " of them, and a divisor of " + std::to_string(8 * units_m * units_n);
  if (s.kernel == FastKernel::Xe2Rows) {
    // What a group asks for ahead is dealt out evenly (kernels/fast/xe2_rows.h).
    const std::uint32_t strips = s.tile_n * s.group_columns / 32;
    if ((s.tile_m * s.group_rows) % threads != 0 || s.tile_m * s.group_rows / threads > 32 || threads % strips != 0 ||
        threads / strips > 32 || 32 % (threads / strips) != 0)
      return "the group's tiles cannot be dealt out evenly for prefetching";
  }
  return {};
}

}  // namespace

std::string to_string(const Strategy& s) {
  const KernelRow& row = row_of(s.kernel);
  return std::string(row.name) + " " + pair_text(s.tile_m, s.tile_n) + " group " +
         pair_text(s.group_rows, s.group_columns) + (row.most_ahead == 0 ? "" : " ahead " + std::to_string(s.ahead)) +
         " walk " + (s.columns_outer ? "down" : "across");
}

Strategy parse_strategy(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string word, value;
  words >> word;
  const auto* row = std::find_if(kKernels.begin(), kKernels.end(), [&](const KernelRow& k) { return k.name == word; });
  if (row == kKernels.end()) {
    std::string names;
    for (const KernelRow& kernel : kKernels) names += (names.empty() ? "" : ", ") + std::string(kernel.name);
    fail(text, "no kernel is called '" + word + "'; there are " + names);
  }
  Strategy s;
  s.kernel = row->kernel;
  s.ahead = row->default_ahead;
  if (!(words >> word)) fail(text, "the tile of a thread is missing");
  const auto tile = pair_of_numbers(text, word);
  s.tile_m = tile[0];
  s.tile_n = tile[1];
  while (words >> word) {
    if (!(words >> value)) fail(text, "'" + word + "' has no value");
    if (word == "group") {
      const auto group = pair_of_numbers(text, value);
      s.group_rows = group[0];
      s.group_columns = group[1];
    } else if (word == "ahead" && row->most_ahead != 0) {
      s.ahead = number(text, value);
    } else if (word == "walk") {
      if (value != "down" && value != "across") fail(text, "a walk is down or across");
      s.columns_outer = value == "down";
    } else {
      fail(text, "'" + word + "' is no word of " + std::string(row->name));
    }
  }
  if (const std::string reason = reason_against_form(s); !reason.empty()) fail(text, reason);
  return s;
}

bool reads_columns_of_b(const Strategy& s) { return s.kernel == FastKernel::HpgSliceKColumns; }
PackedSides packed_sides(const Strategy& s) { return row_of(s.kernel).packed; }
std::uint32_t slices_of(const Strategy& s) { return row_of(s.kernel).slices_k ? s.group_rows : 1; }
std::uint32_t rows_of_group(const Strategy& s) { return s.tile_m * s.group_rows / slices_of(s); }

Needs needs_of(const Strategy& s) {
  Needs needs;
  needs.esimd = true;
  needs.large_grf = true;
  needs.group = std::size_t{s.group_rows} * s.group_columns;
  needs.dpas_width = row_of(s.kernel).unit_n;
  needs.dpasw = row_of(s.kernel).needs_pairs;
  // Two tiles of 32 steps of B for each column of threads.
  if (s.kernel == FastKernel::HpgRows) needs.local_memory = std::size_t{2} * 32 * 2 * s.tile_n * s.group_columns;
  // The sums of all threads.
  if (row_of(s.kernel).slices_k) needs.local_memory = needs.group * s.tile_m * s.tile_n * 4;
  needs.block2d = s.kernel == FastKernel::Xe2Rows;
  return needs;
}

Module module_of(const Strategy& s, const FastForm& form) {
  const KernelRow& row = row_of(s.kernel);
  const auto yes_no = [](bool value) { return value ? "true" : "false"; };
  std::string name = "fast_" + std::string(row.symbol) + "_" + std::string(name_of(form.type)) + "_" +
                     pair_text(s.tile_m, s.tile_n) + "_" + pair_text(s.group_rows, s.group_columns) + "_" +
                     std::to_string(s.ahead) + (s.columns_outer ? "d" : "a") + (form.alpha_one ? "_1" : "_a") +
                     (form.beta_zero ? "_0" : "_b");
  std::string arguments = name + ", " + (form.type == Type::F16 ? "sycl::half" : "bf16");
  for (const std::uint32_t value :
       {s.tile_m / row.unit_m, s.tile_n / row.unit_n, s.group_rows, s.group_columns, s.ahead})
    arguments += ", " + std::to_string(value);
  arguments += std::string(", ") + yes_no(s.columns_outer);
  arguments += std::string(", ") + yes_no(form.alpha_one) + ", " + yes_no(form.beta_zero);
  std::string source = "#include \"" + std::string(row.header) + "\"\nnamespace xeforge::kernels {\n" +
                       std::string(row.macro) + "(" + arguments + ")\n}\n";
  return {std::move(name), std::move(source)};
}

namespace {

struct Catalogue {
  std::vector<FastDevice> devices;
  std::vector<FastRow> rows;
};

/// "name value name value ...": the file is part of the library, a test reads it.
Catalogue read_catalogue() {
  Catalogue catalogue;
  for (const auto& file : strategy_files()) {
    std::istringstream lines{std::string(file.text)};
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line[0] == '#') continue;
      const std::size_t colon = line.find(" : ");
      if (colon == std::string::npos) fail(line, "' : ' is missing in the catalogue");
      const std::string key = line.substr(0, colon);
      std::istringstream numbers(line.substr(colon + 3));
      const auto read = [&](std::string_view name, double& value) {
        std::string word;
        if (!(numbers >> word >> value) || word != name) fail(line, "the catalogue misses " + std::string(name));
      };
      if (key.starts_with("device ")) {
        FastDevice device;
        device.architecture = key.substr(7);
        read("cores", device.cores);
        read("threads", device.threads);
        read("mhz", device.clock_mhz);
        read("gb_per_s", device.gb_per_s);
        read("pack_gb_per_s", device.pack_gb_per_s);
        read("store_gb_per_s", device.store_gb_per_s);
        read("launch_us", device.launch_us);
        catalogue.devices.push_back(std::move(device));
      } else {
        FastRow row;
        row.strategy = parse_strategy(key);
        read("busy", row.busy);
        read("alone", row.alone);
        read("start_us", row.start_us);
        catalogue.rows.push_back(row);
      }
    }
  }
  return catalogue;
}

const Catalogue& catalogue_file() {
  static const Catalogue catalogue = read_catalogue();
  return catalogue;
}

}  // namespace

std::span<const FastRow> fast_catalogue() { return catalogue_file().rows; }
std::span<const FastDevice> fast_devices() { return catalogue_file().devices; }

}  // namespace xeforge::gemm
