// SPDX-License-Identifier: Apache-2.0
//
// The schedule that rung `jm_double_buffer` introduces and that the tile-shape rungs after it share.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

/// Two buffers, one barrier a trip: while a tile is multiplied the next one is copied.
template <class T>
inline void double_buffer(const GemmArguments<typename T::B>& g) {
  const auto item = this_item();
  Worker<T> work(g, item, item.get_group(0), item.get_group(1));
  work.fill(0, 0);
  work.barrier();
  for (int tile = 0; tile < work.k_tiles(); ++tile) {
    if (tile + 1 < work.k_tiles()) work.fill((tile + 1) % 2, tile + 1);
    work.load_and_multiply(tile % 2);
    work.barrier();
  }
  work.store();
}

}  // namespace xeforge::kernels
