// SPDX-License-Identifier: Apache-2.0
// Intel's sub-group extensions: block reads and writes, shuffles.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_char : enable
__attribute__((intel_reqd_sub_group_size(16))) kernel void blocks(global uint* in, global uint* out) {
  size_t start = (get_group_id(0) * get_local_size(0) + get_sub_group_id() * 16) * 15;
  for (int i = 0; i < 15; i += 15) {
    uint8 a = intel_sub_group_block_read8(in + start);
    uint4 b = intel_sub_group_block_read4(in + start + 8 * 16);
    uint2 c = intel_sub_group_block_read2(in + start + 12 * 16);
    uint d = intel_sub_group_block_read(in + start + 14 * 16);
    intel_sub_group_block_write8(out + start, a + 1u);
    intel_sub_group_block_write4(out + start + 8 * 16, b + 2u);
    intel_sub_group_block_write2(out + start + 12 * 16, c + 3u);
    intel_sub_group_block_write(out + start + 14 * 16, d + 4u);
  }
}
__attribute__((intel_reqd_sub_group_size(16))) kernel void short_blocks(global ushort* in, global ushort* out) {
  size_t start = (get_group_id(0) * get_local_size(0) + get_sub_group_id() * 16) * 8;
  ushort8 v = intel_sub_group_block_read_us8(in + start);
  intel_sub_group_block_write_us8(out + start, v * (ushort)3);
}
__attribute__((intel_reqd_sub_group_size(16))) kernel void byte_blocks(global uchar* in, global uchar* out) {
  size_t start = (get_group_id(0) * get_local_size(0) + get_sub_group_id() * 16) * 4;
  uchar4 v = intel_sub_group_block_read_uc4(in + start);
  intel_sub_group_block_write_uc4(out + start, v ^ (uchar)0x5A);
}
__attribute__((intel_reqd_sub_group_size(16))) kernel void shuffles(global const int* in, global int* out, global const uint* lane) {
  size_t i = get_global_id(0), n = get_global_size(0);
  int x = in[i], next = in[(i + 16) % n];
  out[i] = intel_sub_group_shuffle(x, lane[i]);
  out[n + i] = intel_sub_group_shuffle_xor(x, 6);
  out[2 * n + i] = intel_sub_group_shuffle_down(x, next, 5);
  out[3 * n + i] = intel_sub_group_shuffle_up(next, x, 3);
  out[4 * n + i] = sub_group_broadcast(x, 9);
}
