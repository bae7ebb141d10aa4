// SPDX-License-Identifier: Apache-2.0
// 64 values a lane at SIMD32 are twice the register file.
__attribute__((intel_reqd_sub_group_size(32))) kernel void spill(global float* a, global const float* b) {
  int i = get_global_id(0);
  float v[64];
  __attribute__((opencl_unroll_hint(64))) for (int k = 0; k < 64; k++) v[k] = b[i + k * 1024];
  __attribute__((opencl_unroll_hint(4))) for (int r = 0; r < 4; r++) {
    __attribute__((opencl_unroll_hint(64))) for (int k = 0; k < 64; k++) v[k] = v[k] * v[(k * 7 + 3) & 63] + v[(k + 13) & 63];
  }
  __attribute__((opencl_unroll_hint(64))) for (int k = 0; k < 64; k++) a[i + k * 1024] = v[k];
}
