// SPDX-License-Identifier: Apache-2.0
// Arrays indexed at run time and more live values than registers: scratch, spills, indirect access.
kernel void indexed(global const int* in, global int* out) {
  const int i = get_global_id(0);
  int table[32];
  for (int k = 0; k < 32; ++k) table[k] = in[i * 32 + k];
  int sum = 0;
  for (int k = 0; k < 16; ++k) sum += table[in[k] & 31] ^ table[(sum + k) & 31];
  out[i] = sum;
}

kernel void small_table(global const int* in, global int* out) {
  const int i = get_global_id(0);
  int table[4] = {in[i], in[i + 1], in[i + 2], in[i + 3]};
  out[i] = table[in[0] & 3] + table[in[i] & 3];
}

__attribute__((intel_reqd_sub_group_size(16))) kernel void spills(global const float* a, global float* out) {
  const int i = get_global_id(0);
  float v[96];
  #pragma unroll
  for (int k = 0; k < 96; ++k) v[k] = a[i + k * 64];
  barrier(CLK_GLOBAL_MEM_FENCE);
  #pragma unroll
  for (int k = 0; k < 96; ++k) {
    #pragma unroll
    for (int j = 0; j < 3; ++j) v[k] = mad(v[k], v[(k * 7 + j * 11) % 96], v[(k * 5 + 3 + j) % 96]);
  }
  float s = 0;
  #pragma unroll
  for (int k = 0; k < 96; ++k) s = s * 1.5f + v[k];
  out[i] = s;
}
