// SPDX-License-Identifier: Apache-2.0
#include "xeforge/gemm/features.h"

#include <algorithm>

namespace xeforge::gemm {

namespace syclexp = sycl::ext::oneapi::experimental;

namespace {

/// What SYCL has no question for. Sources: IGC's platform table and what the offline compiler accepts or refuses for
/// each (large registers: eu_thread_count in the binary halves; named barriers: refused for DG2, compiled from PVC on;
/// dpasw: IGC documentation/visa/instructions/DPASW.md).
struct Row {
  syclexp::architecture architecture;
  const char* name;
  bool large_grf;
  unsigned named_barriers;
  bool dpasw;
};

using Arch = syclexp::architecture;
constexpr Row kTable[] = {
    {Arch::intel_gpu_acm_g10, "intel_gpu_acm_g10", true, 0, true},
    {Arch::intel_gpu_acm_g11, "intel_gpu_acm_g11", true, 0, true},
    {Arch::intel_gpu_acm_g12, "intel_gpu_acm_g12", true, 0, true},
    {Arch::intel_gpu_pvc, "intel_gpu_pvc", true, 32, false},
    {Arch::intel_gpu_pvc_vg, "intel_gpu_pvc_vg", true, 32, false},
    {Arch::intel_gpu_bmg_g21, "intel_gpu_bmg_g21", true, 32, false},
    {Arch::intel_gpu_lnl_m, "intel_gpu_lnl_m", true, 32, false},
};

const Row* row_of(const sycl::device& device) {
  const auto architecture = device.get_info<syclexp::info::device::architecture>();
  const auto* found = std::find_if(std::begin(kTable), std::end(kTable),
                                   [&](const Row& row) { return row.architecture == architecture; });
  return found == std::end(kTable) ? nullptr : found;
}

std::vector<MatrixShape> bf16_shapes(const sycl::device& device) {
  std::vector<MatrixShape> shapes;
  if (!device.has(sycl::aspect::ext_intel_matrix)) return shapes;
  using syclexp::matrix::matrix_type;
  for (const auto& c : device.get_info<syclexp::info::device::matrix_combinations>()) {
    if (c.atype != matrix_type::bf16 || c.btype != matrix_type::bf16 || c.ctype != matrix_type::fp32) continue;
    // A combination names either one legal value or the largest.
    const MatrixShape shape{c.msize == 0 ? c.max_msize : c.msize, c.nsize == 0 ? c.max_nsize : c.nsize,
                            c.ksize == 0 ? c.max_ksize : c.ksize};
    if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
  }
  return shapes;
}

std::string list_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text.empty() ? "none" : text;
}

}  // namespace

std::size_t Features::dpas_width() const {
  // Xe2 also lists combinations of several dpas; the narrowest is one.
  std::size_t width = 0;
  for (const MatrixShape& shape : bf16_shapes) width = width == 0 ? shape.n : std::min(width, shape.n);
  return width;
}

Features probe(const sycl::device& device) {
  Features features;
  features.device = device.get_info<sycl::info::device::name>();
  features.architecture = "unknown";
  features.has_esimd = device.has(sycl::aspect::ext_intel_esimd);
  features.bf16_shapes = bf16_shapes(device);
  features.sub_group_sizes = device.get_info<sycl::info::device::sub_group_sizes>();
  features.local_memory = device.get_info<sycl::info::device::local_mem_size>();
  features.largest_group = device.get_info<sycl::info::device::max_work_group_size>();
  features.has_block2d =
      features.has_esimd && device.get_info<sycl::ext::intel::esimd::info::device::has_2d_block_io_support>();
  if (const Row* row = row_of(device)) {
    features.architecture = row->name;
    features.has_large_grf = row->large_grf;
    features.named_barriers = row->named_barriers;
    features.has_dpasw = row->dpasw;
  }
  return features;
}

std::string reason_against(const Needs& needs, const Features& features) {
  const std::string& device = features.device;
  if (needs.esimd && !features.has_esimd) return device + " has no explicit SIMD kernels (aspect ext_intel_esimd)";
  if (needs.dpas_width != 0 && needs.dpas_width != features.dpas_width()) {
    const std::size_t has = features.dpas_width();
    return "it is built for a matrix engine that is " + std::to_string(needs.dpas_width) + " columns wide, and " +
           device +
           (has == 0 ? " has none"
                     : " has one of " + std::to_string(has) + ": the wrong width compiles and computes nonsense");
  }
  if (needs.block2d && !features.has_block2d) {
    return device + " has no 2D block messages: they compile, and hang on the hardware";
  }
  if (needs.dpasw && !features.has_dpasw.value_or(false)) return device + " has no fused threads for dpasw";
  if (needs.large_grf && !features.has_large_grf.value_or(false)) {
    return device + (features.has_large_grf ? " has no 256 registers per thread"
                                            : " is not known to have 256 registers per thread");
  }
  if (needs.named_barriers > features.named_barriers.value_or(0)) {
    return "it needs " + std::to_string(needs.named_barriers) + " named barriers, and " + device + " has " +
           std::to_string(features.named_barriers.value_or(0));
  }
  if (needs.sub_group_size != 0 && std::find(features.sub_group_sizes.begin(), features.sub_group_sizes.end(),
                                             needs.sub_group_size) == features.sub_group_sizes.end()) {
    return "it needs sub-groups of " + std::to_string(needs.sub_group_size) + ", and " + device + " has " +
           list_of(features.sub_group_sizes);
  }
  if (needs.local_memory > features.local_memory) {
    return "it needs " + std::to_string(needs.local_memory) + " bytes of local memory per group, and " + device +
           " has " + std::to_string(features.local_memory);
  }
  if (needs.group > features.largest_group) {
    return "it needs groups of " + std::to_string(needs.group) + " work-items, and " + device + " has at most " +
           std::to_string(features.largest_group);
  }
  return "";
}

}  // namespace xeforge::gemm
