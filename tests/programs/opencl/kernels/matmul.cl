// SPDX-License-Identifier: Apache-2.0
#define T 8
#define PRODUCT(NAME, TYPE, SUM)                                                                              \
  kernel void NAME(global const TYPE* a, global const TYPE* b, global SUM* c, int m, int n, int k) {          \
    local TYPE ta[T][T], tb[T][T];                                                                            \
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);               \
    SUM sum = 0;                                                                                              \
    for (int t = 0; t < k; t += T) {                                                                          \
      ta[ly][lx] = y < m && t + lx < k ? a[y * k + t + lx] : (TYPE)0;                                         \
      tb[ly][lx] = x < n && t + ly < k ? b[(t + ly) * n + x] : (TYPE)0;                                       \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
      for (int i = 0; i < T; ++i) sum += (SUM)ta[ly][i] * (SUM)tb[i][lx];                                     \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
    }                                                                                                         \
    if (x < n && y < m) c[y * n + x] = sum;                                                                   \
  }
PRODUCT(product_float, float, float)
PRODUCT(product_int, int, int)
PRODUCT(product_char, char, int)
PRODUCT(product_short, short, long)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
PRODUCT(product_half, half, float)
