// SPDX-License-Identifier: Apache-2.0
kernel void vadd(global float* a, global const float* b, int n) {
  int i = get_global_id(0);
  if (i < n) a[i] += b[i] * FACTOR;
}
