// SPDX-License-Identifier: Apache-2.0
//
// The schedule that rung `jm_k_split` introduces and that the rungs on it share.
#pragma once

#include "kernels/joint_matrix/worker.h"

namespace xeforge::kernels {

/// Double buffering with the last K tile peeled: no branch in the loop and no barrier after the last tile.
template <class Work>
inline void multiply_peeled(Work& work) {
  const int last = work.k_tiles() - 1;
  work.fill(0, 0);
  work.barrier();
  for (int tile = 0; tile < last; ++tile) {
    work.fill((tile + 1) % 2, tile + 1);
    work.load_and_multiply(tile % 2);
    work.barrier();
  }
  work.load_and_multiply(last % 2);
}

}  // namespace xeforge::kernels
