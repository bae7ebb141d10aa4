// SPDX-License-Identifier: Apache-2.0
//
// Rung `jm_boustrophedon`: jm_walk_n with every other row of blocks walked backwards.
#pragma once

#include "kernels/joint_matrix/peeled.h"

namespace xeforge::kernels {

/// The row of blocks of this group: downwards in even columns of blocks, upwards in odd ones.
inline int snake_row(const sycl::nd_item<2>& item) {
  const int row = item.get_group(1);
  return item.get_group(0) % 2 == 0 ? row : static_cast<int>(item.get_group_range(1)) - 1 - row;
}

template <int Items>
inline void jm_boustrophedon_body(const GemmArguments<uint32_t>& g) {
  const auto item = this_item();
  using T = Tiling<uint32_t, CopyA::Vectors, Items, 128, 64, 16, 16, 16>;
  Worker<T> work(g, item, snake_row(item), item.get_group(0));
  multiply_peeled(work);
  work.store();
}

XEFORGE_JOINT_MATRIX_KERNELS(jm_boustrophedon, uint32_t)

}  // namespace xeforge::kernels
