// SPDX-License-Identifier: Apache-2.0
#include "lab/validate_b60_sample.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "lab/published.h"

namespace xeforge::lab {
namespace {

constexpr const char* kSample = "b60_bf16_gemm_sample.csv";
constexpr double kFloorUs = 60;
constexpr double kMacsPerUs = 160 * 128 * 2400.0, kBytesPerUs = 456e3;

}  // namespace

double B60Row::peak_us() const { return macs() / kMacsPerUs; }
double B60Row::roofline_us() const { return std::max(peak_us(), (bytes_in() + bytes_out()) / kBytesPerUs); }

bool is_3_times_power(uint32_t k) {
  if (k % 3 != 0) return false;
  const uint32_t v = k / 3;
  return v >= 256 && (v & (v - 1)) == 0;
}

std::vector<B60Row> read_b60_sample() {
  for (const EmbeddedFile& file : reference_files()) {
    if (file.name != kSample) continue;
    std::vector<B60Row> rows;
    std::istringstream in{std::string(file.text)};
    for (std::string line; std::getline(in, line);) {
      B60Row r;
      double old_ms = 0, new_ms = 0;
      char comma = 0;
      std::istringstream fields(line);
      if (line.empty() || line[0] == '#' ||
          !(fields >> r.m >> comma >> r.n >> comma >> r.k >> comma >> old_ms >> comma >> new_ms))
        continue;
      r.column_us = {1000 * old_ms, 1000 * new_ms};
      r.column = r.m >= 512 && old_ms < new_ms ? 0 : 1;
      if (r.measured_us() >= kFloorUs) rows.push_back(r);
    }
    return rows;
  }
  throw std::logic_error(std::string("no reference file ") + kSample);
}

unsigned stratum_of(const B60Row& r) {
  if (is_3_times_power(r.k)) return 0;
  if (r.bytes_out() > r.bytes_in() && r.roofline_us() > r.peak_us()) return 1;
  if (r.m < 128) return 2;
  if (r.m < 512) return 3;
  return r.n >= 1024 && r.k >= 1024 ? 4 : 5;
}

std::vector<B60Row> choose_b60_rows(std::vector<B60Row> all, unsigned rows, double most_macs) {
  std::stable_sort(all.begin(), all.end(), [](const B60Row& a, const B60Row& b) { return a.macs() < b.macs(); });
  std::vector<B60Row> chosen;
  for (unsigned stratum = 0; stratum < kStrata.size(); ++stratum) {
    std::vector<B60Row> of;
    for (const B60Row& r : all) {
      if (stratum_of(r) == stratum && r.macs() <= most_macs) of.push_back(r);
    }
    const size_t n = rows == 0 ? of.size() : std::min<size_t>(rows, of.size());
    for (size_t i = 0; i < n; ++i) chosen.push_back(of[n == 1 ? 0 : i * (of.size() - 1) / (n - 1)]);
  }
  return chosen;
}

LaunchKind kind_of(const observe::Recording& r, const B60Row& row, unsigned cores) {
  std::vector<double> of_block(r.blocks.size()), of_path(r.paths.size());
  const auto instructions = r.program->instructions();
  double macs_of_dpas = 0;
  std::vector<bool> atomics(r.blocks.size());
  for (size_t b = 0; b < r.blocks.size(); ++b) {
    for (uint32_t i = r.blocks[b].first; i < r.blocks[b].first + r.blocks[b].count; ++i) {
      if (instructions[i].is_send() && instructions[i].msg.kind == isa::MessageKind::Atomic) atomics[b] = true;
      if (instructions[i].op != isa::Opcode::Dpas) continue;
      ++of_block[b];
      macs_of_dpas = std::max(macs_of_dpas, 16.0 * 16 * instructions[i].dpas.repeat_count);
    }
  }
  bool shared = false;
  for (size_t p = 0; p < r.paths.size(); ++p) {
    for (const uint16_t block : r.paths[p]) {
      of_path[p] += of_block[block];
      shared = shared || atomics[block];
    }
  }
  LaunchKind kind;
  std::vector<double> core(cores);
  for (const observe::Recording::Group& group : r.groups) {
    double dpas = 0;
    for (uint32_t t = 0; t < r.threads_per_group; ++t) dpas += of_path[r.threads[group.first_thread + t].path];
    *std::min_element(core.begin(), core.end()) += dpas;
    kind.dpas += dpas;
  }
  kind.slowest_core_dpas = *std::max_element(core.begin(), core.end());
  kind.ideal_dpas = macs_of_dpas == 0 ? 0 : row.macs() / macs_of_dpas;
  kind.name = shared ? "stream-K" : kind.dpas > kind.ideal_dpas * 1.001 ? "edges" : "exact tiles";
  return kind;
}

}  // namespace xeforge::lab
