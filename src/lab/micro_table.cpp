// SPDX-License-Identifier: Apache-2.0
#include "lab/micro_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace xeforge::lab {
namespace {

using device::Device;
using Words = std::vector<uint32_t>;

constexpr uint32_t kLanes = 16;   ///< words that a thread leaves
constexpr uint32_t kChains = 8;   ///< kernels/micro/micro.h
constexpr uint32_t kWindow = 64;  ///< blocks of the windows in kernels/micro/memory.h
constexpr uint32_t kBlock = 64;   ///< words of a block
constexpr uint32_t kPerTrip = 64;

float as_float(uint32_t word) { return std::bit_cast<float>(word); }
uint32_t as_word(float value) { return std::bit_cast<uint32_t>(value); }

// --- launches -----------------------------------------------------------------------------------------------------

/// Every thread slot of the device, in groups of `local`.
MicroLaunch full(const Device& d, uint32_t local, uint32_t trips) {
  return {d.xe_cores() * d.threads_per_core() / local, local, trips};
}

/// Both longer than dealing out the threads takes, else the difference would be too small.
void alu_launches(const Device& d, uint32_t longer, MicroLaunch& first, MicroLaunch& second) {
  first = full(d, 32, 64 * longer);
  second = full(d, 32, 128 * longer);
}
void stream_launches(const Device& d, uint32_t longer, MicroLaunch& first, MicroLaunch& second) {
  first = full(d, 32, 64 * longer);
  second = full(d, 32, 128 * longer);
}
void chain_launches(const Device&, uint32_t longer, MicroLaunch& first, MicroLaunch& second) {
  first = {1, 1, 50 * longer};
  second = {1, 1, 150 * longer};
}
/// At least one and a half times the L2 in the short one, so that nothing of it is found again.
void dram_launches(const Device& d, uint32_t, MicroLaunch& first, MicroLaunch& second) {
  const uint64_t per_trip = uint64_t{d.xe_cores()} * d.threads_per_core() * 4 * kBlock * 4;
  first = full(d, 32, static_cast<uint32_t>(d.l2_bytes * 3 / 2 / per_trip) + 1);
  second = first;
  second.trips *= 3;
}
void place_launches(const Device& d, uint32_t longer, MicroLaunch& first, MicroLaunch& second) {
  first = full(d, 32, 64 * longer);
  second = first;
  second.groups = second.groups * 3 / 2;
}
void walk_launches(const Device&, uint32_t, MicroLaunch& first, MicroLaunch& second) { first = second = {256, 16, 0}; }

// --- amounts ------------------------------------------------------------------------------------------------------

template <uint32_t PerOperation>
double operations(const Device&, const MicroLaunch& l) {
  return double(l.threads()) * l.trips * kPerTrip * kLanes * PerOperation;
}
double dpas_flops(const Device& d, const MicroLaunch& l) {
  return double(l.threads()) * l.trips * 32 * 2 * 8 * 16 * d.simd_width;
}
double block_bytes(const Device&, const MicroLaunch& l) { return double(l.threads()) * l.trips * 4 * kBlock * 4; }
double of_thread_64(const Device&, const MicroLaunch& l) { return double(l.trips) * kPerTrip; }
double of_thread_8(const Device&, const MicroLaunch& l) { return double(l.trips) * 8; }
double prefetches_of_core(const Device& d, const MicroLaunch& l) {
  return double(l.threads()) * l.trips * 4 / d.xe_cores();
}

// --- inputs and what must come out --------------------------------------------------------------------------------

/// Odd numbers without pattern, so that products stay odd.
Words odd_numbers(const MicroLaunch&) {
  Words in(size_t{kLanes} * (1 + kChains) * 4);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint32_t>(i * 2654435761U) | 1;
  return in;
}
/// s = 1 first, then small whole numbers: x * s + c counts the steps, exactly.
Words counting(const MicroLaunch&) {
  Words in(size_t{kLanes} * (1 + kChains));
  for (size_t i = 0; i < in.size(); ++i) in[i] = as_word(i < kLanes ? 1.0F : static_cast<float>(i % 7));
  return in;
}

Words for_all_threads(const std::array<uint32_t, kLanes>& lanes, const MicroLaunch& l) {
  Words out;
  out.reserve(size_t{l.threads()} * kLanes);
  for (uint32_t t = 0; t < l.threads(); ++t) out.insert(out.end(), lanes.begin(), lanes.end());
  return out;
}

template <class Step>
Words rotated(const Words& in, const MicroLaunch& l, Step step) {
  std::array<uint32_t, kLanes> lanes{};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    std::array<uint32_t, kChains> x{};
    for (uint32_t i = 0; i < kChains; ++i) x[i] = in[kLanes * i + lane];
    for (uint32_t n = 0; n < l.trips * kPerTrip; ++n) x[n % kChains] = step(x[n % kChains], x[(n + 1) % kChains]);
    for (const uint32_t value : x) lanes[lane] ^= value;
  }
  return for_all_threads(lanes, l);
}
Words expect_add(const Words& in, const MicroLaunch& l) {
  return rotated(in, l, [](uint32_t a, uint32_t b) { return a + b; });
}
Words expect_mul(const Words& in, const MicroLaunch& l) {
  return rotated(in, l, [](uint32_t a, uint32_t b) { return a * b; });
}

Words expect_int_mad(const Words& in, const MicroLaunch& l) {
  std::array<uint32_t, kLanes> lanes{};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    for (uint32_t chain = 0; chain < kChains; ++chain) {
      const uint32_t s = in[lane], c = in[kLanes * (1 + chain) + lane];
      uint32_t x = c;
      for (uint32_t n = 0; n < l.trips * kPerTrip / kChains; ++n) x = x * s + c;
      lanes[lane] += x;
    }
  }
  return for_all_threads(lanes, l);
}
/// `steps` of x * s + c from c on.
float chain(float s, float c, uint32_t steps) {
  float x = c;
  for (uint32_t n = 0; n < steps; ++n) x = std::fma(x, s, c);
  return x;
}
Words expect_float_mad(const Words& in, const MicroLaunch& l) {
  std::array<uint32_t, kLanes> lanes{};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    float sum = 0;
    for (uint32_t i = 0; i < kChains; ++i)
      sum += chain(as_float(in[lane]), as_float(in[kLanes * (1 + i) + lane]), l.trips * kPerTrip / kChains);
    lanes[lane] = as_word(sum);
  }
  return for_all_threads(lanes, l);
}
Words expect_float_chain(const Words& in, const MicroLaunch& l) {
  std::array<uint32_t, kLanes> lanes{};
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    lanes[lane] = as_word(chain(as_float(in[lane]), as_float(in[kLanes + lane]), l.trips * kPerTrip));
  return for_all_threads(lanes, l);
}
Words expect_int_chain(const Words& in, const MicroLaunch& l) {
  std::array<uint32_t, kLanes> lanes{};
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint32_t x = in[lane], y = in[kLanes + lane];
    for (uint32_t n = 0; n < l.trips * kPerTrip / 2; ++n) {
      x += y;
      y += x;
    }
    lanes[lane] = y;
  }
  return for_all_threads(lanes, l);
}

constexpr uint32_t kDepth = 16;  ///< of a product of bf16
float left_of(uint32_t row, uint32_t k) { return static_cast<float>((row + k) % 3); }
float right_of(uint32_t k, uint32_t column) { return static_cast<float>((k * 5 + column) % 4); }
uint16_t bf16_bits(float value) { return static_cast<uint16_t>(as_word(value) >> 16); }

template <uint32_t Columns>
Words dpas_input(const MicroLaunch&) {
  std::vector<uint16_t> elements;
  for (uint32_t row = 0; row < 8; ++row) {
    for (uint32_t k = 0; k < kDepth; ++k) elements.push_back(bf16_bits(left_of(row, k)));
  }
  for (uint32_t k = 0; k < kDepth; k += 2) {
    for (uint32_t column = 0; column < Columns; ++column) {
      elements.push_back(bf16_bits(right_of(k, column)));
      elements.push_back(bf16_bits(right_of(k + 1, column)));
    }
  }
  Words words;
  for (size_t i = 0; i < elements.size(); i += 2) words.push_back(elements[i] | uint32_t{elements[i + 1]} << 16);
  return words;
}
template <uint32_t Columns>
Words expect_dpas(const Words&, const MicroLaunch& l) {
  std::array<uint32_t, kLanes> lanes{};
  for (uint32_t i = 0; i < kLanes; ++i) {
    float product = 0;
    for (uint32_t k = 0; k < kDepth; ++k) product += left_of(i / Columns, k) * right_of(k, i % Columns);
    // Four sums that begin at 0 to 3, eight products each a trip.
    lanes[i] = as_word(6 + 32 * static_cast<float>(l.trips) * product);
  }
  return for_all_threads(lanes, l);
}

Words blocks(uint64_t count) {
  Words in(count * kBlock);
  for (size_t i = 0; i < in.size(); ++i) in[i] = as_word(static_cast<float>((i + i / 61) % 4));
  return in;
}
/// Adds a block's four quarters to the lanes.
void add_block(const Words& in, uint64_t block, std::array<float, kLanes>& lanes) {
  for (uint32_t i = 0; i < kBlock; ++i) lanes[i % kLanes] += as_float(in[block * kBlock + i]);
}
template <class BlocksOf>
Words sums(const Words& in, const MicroLaunch& l, const BlocksOf& blocks_of) {
  Words out;
  out.reserve(size_t{l.threads()} * kLanes);
  for (uint32_t t = 0; t < l.threads(); ++t) {
    std::array<float, kLanes> lanes{};
    blocks_of(t, [&](uint64_t block) { add_block(in, block, lanes); });
    for (const float lane : lanes) out.push_back(as_word(lane));
  }
  return out;
}
Words window(const MicroLaunch&) { return blocks(kWindow); }
Words expect_window(const Words& in, const MicroLaunch& l) {
  return sums(in, l, [&](uint32_t t, const auto& add) {
    for (uint32_t n = 0; n < l.trips; ++n) {
      for (uint32_t i = 0; i < 4; ++i) add((t % l.local * 4 + 4 * n) % kWindow + i);
    }
  });
}
/// Two blocks twice: from the L1 and from local memory.
Words expect_window_twice(const Words& in, const MicroLaunch& l) {
  return sums(in, l, [&](uint32_t t, const auto& add) {
    for (uint32_t n = 0; n < l.trips; ++n) {
      for (uint32_t i = 0; i < 4; ++i) add((t % l.local * 2 + 2 * n) % kWindow + i % 2);
    }
  });
}
Words expect_last_block(const Words& in, const MicroLaunch& l) {
  return sums(in, l, [&](uint32_t t, const auto& add) { add((t % l.local * 4 + 4 * l.trips) % kWindow); });
}
Words whole_memory(const MicroLaunch& l) { return blocks(uint64_t{l.threads()} * l.trips * 4); }
Words expect_whole_memory(const Words& in, const MicroLaunch& l) {
  return sums(in, l, [&](uint32_t t, const auto& add) {
    for (uint64_t n = 0; n < l.trips; ++n) {
      for (uint32_t i = 0; i < 4; ++i) add((n * l.threads() + t) * 4 + i);
    }
  });
}

Words vector_of_each(const MicroLaunch& l) {
  Words in(size_t{l.local} * kLanes);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint32_t>(i * 40503U);
  return in;
}
Words expect_neighbour(const Words& in, const MicroLaunch& l) {
  Words out;
  for (uint32_t t = 0; t < l.threads(); ++t) {
    const auto first = in.begin() + std::ptrdiff_t{(t + 1) % l.local} * kLanes;
    out.insert(out.end(), first, first + kLanes);
  }
  return out;
}

constexpr uint32_t kSide = 16, kLeftBlocks = 8, kRightBlocks = 64;  ///< kernels/micro/groups.h
Words panels(const MicroLaunch&) { return blocks(uint64_t{kSide} * (kLeftBlocks + kRightBlocks)); }
template <bool LeftFastest>
Words expect_walk(const Words& in, const MicroLaunch& l) {
  return sums(in, l, [&](uint32_t t, const auto& add) {
    const uint32_t group = t / l.local, row = t % l.local / 4, column = t % 4;
    const uint32_t i = LeftFastest ? group % kSide : group / kSide, j = LeftFastest ? group / kSide : group % kSide;
    for (uint32_t k = 0; k < kRightBlocks / 4; ++k) {
      add(i * kLeftBlocks + row * (kLeftBlocks / 4) + k % (kLeftBlocks / 4));
      add(kSide * kLeftBlocks + j * kRightBlocks + column * (kRightBlocks / 4) + k);
    }
  });
}

// --- what the results say of a device -----------------------------------------------------------------------------

double engine_passes(const Device& d) { return d.clock_mhz / 1000 * d.xe_cores() * d.eus_per_subslice * d.simd_width; }
/// Clocks that a pass over one register takes: lanes a second without waiting over operations a second.
double clocks_per_pass(const Device& d, double gops) { return engine_passes(d) / gops; }
double mul_factor(const Device& d, double gops) {
  return clocks_per_pass(d, gops) / d.parameter("issue.int_clocks_per_pass").value;
}
double clocks_per_flop_pass(const Device& d, double gflops) { return engine_passes(d) * 2 / gflops; }
double dpas_clocks(const Device& d, double gflops) {
  return d.clock_mhz / 1000 * d.xe_cores() * d.eus_per_subslice * 2 * 8 * 16 * d.simd_width / gflops;
}
double bytes_per_clock(const Device& d, double gb_per_s) { return gb_per_s * 1000 / d.clock_mhz / d.xe_cores(); }
double per_line(const Device&, double clocks_of_256_bytes) { return clocks_of_256_bytes / 4; }
constexpr std::string_view kAlu = "kernels/micro/alu.h", kMemory = "kernels/micro/memory.h",
                           kGroups = "kernels/micro/groups.h";

const std::array kTable{
    MicroKernel{"int_add",
                "32-bit additions",
                kAlu,
                "micro_int_add",
                "micro_int_add",
                {},
                MicroResult::Rate,
                "Gop/s",
                alu_launches,
                operations<1>,
                odd_numbers,
                expect_add,
                expect_add,
                "",
                "issue.int_clocks_per_pass",
                clocks_per_pass},
    MicroKernel{"int_mul",
                "32-bit products",
                kAlu,
                "micro_int_mul",
                "micro_int_mul",
                {},
                MicroResult::Rate,
                "Gop/s",
                alu_launches,
                operations<1>,
                odd_numbers,
                expect_mul,
                expect_mul,
                "",
                "issue.int_mul32_factor",
                mul_factor},
    MicroKernel{"int_mad",
                "32-bit multiply-adds, two operations each",
                kAlu,
                "micro_int_mad",
                "micro_int_mad",
                {},
                MicroResult::Rate,
                "Gop/s",
                alu_launches,
                operations<2>,
                odd_numbers,
                expect_int_mad,
                expect_int_mad,
                "measured.int32_gops",
                "",
                nullptr},
    MicroKernel{"float_mad",
                "float multiply-adds, two operations each",
                kAlu,
                "micro_float_mad",
                "micro_float_mad",
                {},
                MicroResult::Rate,
                "Gflop/s",
                alu_launches,
                operations<2>,
                counting,
                expect_float_mad,
                expect_float_mad,
                "measured.fp32_gflops",
                "issue.float_clocks_per_pass",
                clocks_per_flop_pass},
    MicroKernel{"int_chain",
                "dependent additions of one thread",
                kAlu,
                "micro_int_chain",
                "micro_int_chain",
                {},
                MicroResult::ThreadClocks,
                "clocks",
                chain_launches,
                of_thread_64,
                odd_numbers,
                expect_int_chain,
                expect_int_chain,
                "",
                "latency.alu.simd16",
                nullptr},
    MicroKernel{"float_chain",
                "dependent multiply-adds of one thread",
                kAlu,
                "micro_float_chain",
                "micro_float_chain",
                {},
                MicroResult::ThreadClocks,
                "clocks",
                chain_launches,
                of_thread_64,
                counting,
                expect_float_chain,
                expect_float_chain,
                "",
                "latency.alu.simd16",
                nullptr},
    MicroKernel{"dpas_peak", "dpas.8x8 of bf16", "kernels/micro/dpas8.h", "micro_dpas8", "micro_dpas8",
                isa::Platform::XeHpg, MicroResult::Rate, "Gflop/s", alu_launches, dpas_flops, dpas_input<8>,
                expect_dpas<8>, expect_dpas<8>, "measured.dpas8x8_gflops", "issue.dpas8x8_cycles", dpas_clocks},
    MicroKernel{"dpas_peak", "dpas.8x8 of bf16", "kernels/micro/dpas16.h", "micro_dpas16", "micro_dpas16",
                isa::Platform::Xe2, MicroResult::Rate, "Gflop/s", alu_launches, dpas_flops, dpas_input<16>,
                expect_dpas<16>, expect_dpas<16>, "measured.xmx16_gflops", "issue.dpas8x8_cycles", dpas_clocks},
    MicroKernel{"l1_stream",
                "256-byte loads that hit the L1",
                kMemory,
                "micro_l1_stream",
                "micro_l1_stream",
                {},
                MicroResult::Rate,
                "GB/s",
                stream_launches,
                block_bytes,
                window,
                expect_window,
                expect_window,
                "measured.l1_gb_per_s",
                "throughput.l1_bytes_per_clock",
                bytes_per_clock},
    MicroKernel{"slm_stream",
                "256-byte loads from local memory",
                kMemory,
                "micro_slm_stream",
                "micro_slm_stream",
                {},
                MicroResult::Rate,
                "GB/s",
                stream_launches,
                block_bytes,
                window,
                expect_window,
                expect_window,
                "measured.slm_gb_per_s",
                "throughput.slm_bytes_per_clock",
                bytes_per_clock},
    MicroKernel{"slm_and_l1",
                "both streams at once, half each",
                kMemory,
                "micro_slm_and_l1",
                "micro_slm_and_l1",
                {},
                MicroResult::Rate,
                "GB/s",
                stream_launches,
                block_bytes,
                window,
                expect_window_twice,
                expect_window_twice,
                "",
                "",
                nullptr},
    MicroKernel{"prefetch_256",
                "256-byte prefetches of lines in the L1",
                kMemory,
                "micro_prefetch",
                "micro_prefetch",
                {},
                MicroResult::CoreClocks,
                "clocks",
                stream_launches,
                prefetches_of_core,
                window,
                expect_last_block,
                expect_last_block,
                "",
                "throughput.prefetch_clocks_per_line",
                per_line},
    MicroKernel{"dram_stream",
                "memory read once",
                kMemory,
                "micro_dram_stream",
                "micro_dram_stream",
                {},
                MicroResult::Rate,
                "GB/s",
                dram_launches,
                block_bytes,
                whole_memory,
                expect_whole_memory,
                expect_whole_memory,
                "measured.dram_gb_per_s",
                "memory.effective_gb_per_s",
                nullptr},
    MicroKernel{"barrier",
                "barriers of groups of 32 threads",
                kGroups,
                "micro_barrier",
                "micro_barrier",
                {},
                MicroResult::ThreadClocks,
                "clocks",
                stream_launches,
                of_thread_8,
                vector_of_each,
                expect_neighbour,
                expect_neighbour,
                "",
                "latency.barrier",
                nullptr},
    MicroKernel{"place",
                "1.5 device-fulls of groups over 1",
                kGroups,
                "micro_place",
                "micro_place",
                {},
                MicroResult::Ratio,
                "times",
                place_launches,
                of_thread_64,
                counting,
                expect_float_chain,
                expect_float_chain,
                "",
                "",
                nullptr},
    MicroKernel{"place_slm",
                "the same, groups with local memory",
                kGroups,
                "micro_place_slm",
                "micro_place_slm",
                {},
                MicroResult::Ratio,
                "times",
                place_launches,
                of_thread_64,
                counting,
                expect_float_chain,
                expect_float_chain,
                "",
                "",
                nullptr},
    MicroKernel{"walk",
                "neighbouring groups share the small panel over sharing the large one",
                kGroups,
                "micro_walk_left",
                "micro_walk_right",
                {},
                MicroResult::Ratio,
                "times",
                walk_launches,
                of_thread_64,
                panels,
                expect_walk<true>,
                expect_walk<false>,
                "",
                "",
                nullptr},
};

}  // namespace

std::span<const MicroKernel> micro_kernels() { return kTable; }

}  // namespace xeforge::lab
