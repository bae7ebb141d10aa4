// SPDX-License-Identifier: Apache-2.0
#include "timing/parameters.h"

#include <array>
#include <stdexcept>

namespace xeforge::timing {
namespace {

constexpr double kPositive = 1e-3;  ///< a rate: is divided by
constexpr double kOne = 1;          ///< a count

constexpr std::array kTable{
    ParameterRow{"clock_mhz", &Parameters::clock_mhz, kPositive},
    ParameterRow{"issue.float_clocks_per_pass", &Parameters::float_pass},
    ParameterRow{"issue.int_clocks_per_pass", &Parameters::int_pass},
    ParameterRow{"issue.int_mul32_factor", &Parameters::mul32_factor},
    ParameterRow{"issue.math_factor", &Parameters::math_factor},
    ParameterRow{"issue.same_thread_clocks", &Parameters::thread_issue},
    ParameterRow{"issue.send_clocks", &Parameters::send_issue},
    ParameterRow{"issue.dpas8x8_cycles", &Parameters::dpas8x8},
    ParameterRow{"issue.atomic_dpas_locks_engine", &Parameters::atomic_dpas_locks},
    ParameterRow{"issue.matrix_greedy", &Parameters::matrix_greedy},
    ParameterRow{"latency.branch", &Parameters::branch},
    ParameterRow{"latency.alu.simd8", &Parameters::alu8},
    ParameterRow{"latency.alu.simd16", &Parameters::alu16},
    ParameterRow{"latency.alu.simd32", &Parameters::alu32},
    ParameterRow{"latency.math.simd8", &Parameters::math8},
    ParameterRow{"latency.math.simd16", &Parameters::math16},
    ParameterRow{"latency.math.simd32", &Parameters::math32},
    ParameterRow{"latency.dpas.rc1", &Parameters::dpas1},
    ParameterRow{"latency.dpas.rc2", &Parameters::dpas2},
    ParameterRow{"latency.dpas.rc8", &Parameters::dpas8},
    ParameterRow{"latency.send_source_read", &Parameters::source_read},
    ParameterRow{"message.return_clocks_per_register", &Parameters::return_per_register},
    ParameterRow{"message.clocks", &Parameters::message},
    ParameterRow{"message.queue_clocks", &Parameters::queue},
    ParameterRow{"message.pair_join", &Parameters::pair_join},
    ParameterRow{"message.pair_unique", &Parameters::pair_unique},
    ParameterRow{"throughput.gather_clocks_per_8_channels", &Parameters::gather_per_8},
    ParameterRow{"slm.narrow_store_clocks", &Parameters::narrow_store},
    ParameterRow{"throughput.l1_bytes_per_clock", &Parameters::l1_rate, kPositive},
    ParameterRow{"throughput.slm_bytes_per_clock", &Parameters::slm_rate, kPositive},
    ParameterRow{"slm.clocks_per_bank_cycle", &Parameters::slm_conflict},
    ParameterRow{"throughput.prefetch_clocks_per_line", &Parameters::prefetch_per_line},
    ParameterRow{"throughput.store_bytes_per_clock", &Parameters::store_rate, kPositive},
    ParameterRow{"latency.lsc_l1", &Parameters::l1_latency},
    ParameterRow{"latency.slm.simd16", &Parameters::slm_latency},
    ParameterRow{"latency.lsc_l3", &Parameters::l2_latency},
    ParameterRow{"latency.dram", &Parameters::dram_latency},
    ParameterRow{"latency.lsc_fence", &Parameters::fence},
    ParameterRow{"latency.slm_fence", &Parameters::slm_fence},
    ParameterRow{"latency.barrier", &Parameters::barrier},
    ParameterRow{"latency.atomic", &Parameters::atomic},
    ParameterRow{"latency.other_send", &Parameters::other_send},
    ParameterRow{"throughput.l2_bytes_per_clock", &Parameters::l2_rate, kPositive},
    ParameterRow{"l2.banks", &Parameters::l2_banks, kOne},
    ParameterRow{"l2.bank_bytes_per_clock", &Parameters::l2_bank_rate, kPositive},
    ParameterRow{"l1.ways", &Parameters::l1_ways, kOne},
    ParameterRow{"l1.fold_bits", &Parameters::l1_fold, 0, 31},
    ParameterRow{"l2.ways", &Parameters::l2_ways, kOne},
    ParameterRow{"l2.write_bytes_per_clock", &Parameters::write_rate, kPositive},
    ParameterRow{"memory.effective_gb_per_s", &Parameters::dram_gb_per_s, kPositive},
    ParameterRow{"memory.channels", &Parameters::channels, kOne},
    ParameterRow{"memory.channel_bytes", &Parameters::channel_bytes, kOne},
    ParameterRow{"memory.channel_map", &Parameters::channel_map},
    ParameterRow{"memory.write_factor", &Parameters::write_factor},
    ParameterRow{"dispatch.clocks_per_thread", &Parameters::dispatch},
    ParameterRow{"dispatch.start_clocks", &Parameters::start},
    ParameterRow{"dispatch.groups_in_a_row", &Parameters::groups_in_a_row},
    ParameterRow{"launch.front_us", &Parameters::launch_front_us},
    ParameterRow{"launch.gap_us", &Parameters::launch_gap_us},
    ParameterRow{"launch.submit_us", &Parameters::submit_us},
};

}  // namespace

std::span<const ParameterRow> parameter_table() { return kTable; }

Parameters parameters_of(const device::Device& d) {
  Parameters p;
  p.cores = d.xe_cores();
  p.fused = d.fused_eus;
  p.engines = d.eus_per_subslice / (d.fused_eus ? 2 : 1);
  p.slots = d.threads_per_eu;
  p.simd_width = d.simd_width;
  p.grf_bytes = d.grf_bytes();
  p.slm_bytes = d.slm_per_core;
  p.l1_bytes = d.l1_bytes;
  p.l2_bytes = d.l2_bytes;
  p.barriers = d.barriers_per_core;
  p.groups = d.max_groups_per_core;
  for (const ParameterRow& row : kTable) {
    const auto found = d.parameters.find(row.name);
    // A native width of 16 has no SIMD8 row of its own.
    if (found == d.parameters.end() && std::string_view(row.name).ends_with(".simd8")) {
      p.*row.member = d.parameter(std::string(row.name).substr(0, std::string_view(row.name).size() - 1) + "16").value;
      continue;
    }
    p.*row.member = d.parameter(row.name).value;
  }
  return p;
}

const ParameterRow& parameter_row(std::string_view name) {
  for (const ParameterRow& row : kTable) {
    if (name == row.name) return row;
  }
  throw std::invalid_argument("the clock has no parameter '" + std::string(name) + "'");
}

}  // namespace xeforge::timing
