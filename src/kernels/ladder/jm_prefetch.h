// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_prefetch`: jm_slm that asks for the next K tile's rows to be brought into L2 while it works on this one.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

/// The first 32 items ask for one row of A each, the first 16 for one row of B each.
template <class Work>
inline void prefetch_tile(const GemmArguments<bf16>& g, const Work& work, int tile) {
  namespace syclexp = sycl::ext::oneapi::experimental;
  const syclexp::properties hint{syclexp::prefetch_hint_L2};
  const int k0 = tile * 16, tid = work.tid();
  if (tid < 32) syclexp::prefetch(const_cast<bf16*>(g.a) + (work.row0() + tid) * g.k + k0, 16, hint);
  if (tid < 16) syclexp::prefetch(const_cast<bf16*>(g.b) + (k0 + tid) * g.n + work.column0(), 32, hint);
}

template <int Items>
inline void jm_prefetch_body(const GemmArguments<bf16>& g) {
  const auto item = this_item();
  Worker<Tiling<bf16, CopyA::Elements, Items, 32, 32, 16, 8, 8>> work(g, item, item.get_group(0), item.get_group(1));
  prefetch_tile(g, work, 0);
  for (int tile = 0; tile < work.k_tiles(); ++tile) {
    if (tile + 1 < work.k_tiles()) prefetch_tile(g, work, tile + 1);
    work.fill(0, tile);
    work.barrier();
    work.load_and_multiply(0);
    work.barrier();
  }
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_prefetch, bf16)

}  // namespace xeforge::kernels
