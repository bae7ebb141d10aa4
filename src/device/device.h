// SPDX-License-Identifier: Apache-2.0
//
// Devices as data: each is a YAML file in devices/ whose every number carries its source.
// Adding a device is adding a file (docs/add-a-device.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/types.h"

namespace xeforge::device {

/// A number with its provenance; `low`/`high` keep sources that disagree side by side.
struct Sourced {
  double value = 0;
  double low = 0, high = 0;  ///< equal to value where the sources agree
  std::string source;        ///< who says so, with a remark where one is needed
  std::string unit;
};

/// What one dpas multiplies: D(m x n) = C + A(m x k) * B(k x n).
/// Types: f16 bf16 tf32 u8 s8 u4 s4 for a and b, f32 f16 bf16 s32 for c and d.
struct MatrixCombination {
  unsigned m = 0, n = 0, k = 0;  ///< m: largest legal repeat count
  std::string a_type, b_type, c_type, d_type;
};

struct Device {
  std::string id;    ///< "a770"
  std::string name;  ///< "Intel(R) Arc(TM) A770 Graphics"
  isa::Platform platform = isa::Platform::XeHpg;
  std::string ocloc_name;  ///< "dg2-g10"
  uint32_t pci_device_id = 0;
  uint32_t ip_version = 0;        ///< 0x030dc008
  std::string sycl_architecture;  ///< "intel_gpu_acm_g10"

  unsigned slices = 0, subslices_per_slice = 0, eus_per_subslice = 0, threads_per_eu = 0;
  unsigned simd_width = 0;  ///< native
  std::vector<unsigned> sub_group_sizes;
  unsigned max_group_size = 0;  ///< work-items
  unsigned max_groups_per_core = 0;
  unsigned slm_per_group = 0;       ///< bytes
  unsigned slm_per_core = 0;        ///< bytes available as SLM in one Xe-core
  std::vector<unsigned> slm_sizes;  ///< legal allocation sizes, bytes, ascending
  unsigned barriers_per_core = 0;   ///< barrier registers
  unsigned named_barriers = 0;
  bool has_split_barrier = true;
  bool has_fp64 = false, has_block2d = false, has_dpasw = false, fused_eus = false, has_tf32 = false;
  uint64_t memory_bytes = 0;
  uint64_t max_alloc_bytes = 0;
  double clock_mhz = 0;
  uint64_t l1_bytes = 0;  ///< L1 + SLM of one Xe-core
  uint64_t l2_bytes = 0;
  double memory_gb_per_s = 0;
  std::vector<MatrixCombination> matrix_combinations;
  std::map<std::string, Sourced> parameters;  ///< everything above and the timing parameters, with sources

  unsigned xe_cores() const { return slices * subslices_per_slice; }
  unsigned threads_per_core() const { return eus_per_subslice * threads_per_eu; }
  unsigned grf_bytes() const { return isa::grf_bytes(platform); }
  /// Threads of a core when each has `grf` registers: half of them above 128.
  unsigned threads_per_core(unsigned grf) const {
    return eus_per_subslice * (grf > 128 ? threads_per_eu / 2 : threads_per_eu);
  }
  /// Smallest legal SLM allocation that holds `bytes`; 0 if none does.
  unsigned slm_allocation(unsigned bytes) const;
  /// Throws std::invalid_argument naming device and parameter if there is none.
  const Sourced& parameter(const std::string& key) const;
};

/// Ids of the devices that exist, for error messages and `--device` completion.
std::vector<std::string> device_ids();
/// Throws std::invalid_argument naming the legal ids. The data files are compiled into the
/// library, so that a driver loaded into a foreign process needs no files.
const Device& find_device(const std::string& id);

}  // namespace xeforge::device
