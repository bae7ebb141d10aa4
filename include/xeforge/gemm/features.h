// SPDX-License-Identifier: Apache-2.0
//
// What a device can do, asked before a kernel is chosen. Most comes from SYCL; what SYCL has no question for comes from
// a table by SYCL's name of the architecture. A feature that is missing is a refusal in words, never a kernel that
// computes nonsense or hangs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

namespace xeforge::gemm {

/// A product of bfloat16 matrices with float sums that the matrix engine has: m (or less) x n x k.
struct MatrixShape {
  std::size_t m = 0, n = 0, k = 0;
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

struct Features {
  std::string device;                        ///< its name
  std::string architecture;                  ///< SYCL's name: "intel_gpu_acm_g10"; "unknown" if SYCL has none
  bool has_esimd = false;                    ///< explicit SIMD kernels
  std::vector<MatrixShape> bf16_shapes;      ///< SYCL's matrix combinations; empty: no matrix engine
  std::vector<std::size_t> sub_group_sizes;  ///< that plain kernels may require
  std::size_t local_memory = 0;              ///< bytes per group
  std::size_t largest_group = 0;             ///< work-items
  bool has_block2d = false;                  ///< 2D block loads and stores

  // From the table: nullopt for an architecture that it does not have.
  std::optional<bool> has_large_grf;       ///< 256 registers per thread
  std::optional<unsigned> named_barriers;  ///< per group
  std::optional<bool> has_dpasw;           ///< dpas of two fused threads that share an operand

  /// Columns of one dpas: 8 (Xe-HPG), 16 (Xe-HPC, Xe2), 0 without a matrix engine for bfloat16.
  std::size_t dpas_width() const;
};

Features probe(const sycl::device& device);

/// What a kernel needs.
struct Needs {
  bool esimd = false;
  std::size_t dpas_width = 0;      ///< 0: none
  std::size_t sub_group_size = 0;  ///< 0: any
  std::size_t local_memory = 0;    ///< bytes per group
  std::size_t group = 0;           ///< work-items
  bool block2d = false, large_grf = false, dpasw = false;
  unsigned named_barriers = 0;
};

/// Why a kernel with these needs cannot run on the device, in words; empty if it can. A fact that is not known counts
/// as missing.
std::string reason_against(const Needs& needs, const Features& features);

}  // namespace xeforge::gemm
