// SPDX-License-Identifier: Apache-2.0
// Shuffles, broadcasts, reductions, scans and votes: regions, register-indirect sources, (W) code.
#ifndef SIMD
#define SIMD 16
#endif

__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void shuffle_variable(global const float* in,
                                                                              global const uint* index,
                                                                              global float* out) {
  const size_t i = get_global_id(0);
  out[i] = intel_sub_group_shuffle(in[i], index[i] & (SIMD - 1));
}

__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void shuffle_fixed(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  float v = in[i];
  v += intel_sub_group_shuffle_xor(v, 1);
  v += intel_sub_group_shuffle_xor(v, 2);
  v += intel_sub_group_shuffle_up(v, in[i + SIMD], 3);
  out[i] = sub_group_broadcast(v, 5);
}

__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void reductions(global const float* f, global const int* d,
                                                                        global float* out, global int* out_d) {
  const size_t i = get_global_id(0);
  out[i] = sub_group_reduce_add(f[i]) + sub_group_reduce_max(f[i]) + sub_group_scan_inclusive_add(f[i]);
  out_d[i] = sub_group_scan_exclusive_add(d[i]) + sub_group_reduce_min(d[i]);
}

__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void votes(global const int* d, global int* out) {
  const size_t i = get_global_id(0);
  if (sub_group_any(d[i] > 3)) out[i] = sub_group_all(d[i] < 100) ? 1 : 2;
  if (sub_group_all(d[i] == 7)) out[i] += 10;
}

__attribute__((intel_reqd_sub_group_size(SIMD))) kernel void blocks(global const uint* in, global uint* out,
                                                                    global const ushort* h, global ushort* out_h) {
  const size_t group = get_group_id(0) * SIMD * 8;
  const uint8 v = intel_sub_group_block_read8(in + group);
  intel_sub_group_block_write8(out + group, v * 3u);
  intel_sub_group_block_write_us4(out_h + group, intel_sub_group_block_read_us4(h + group) + (ushort4)(1));
}
