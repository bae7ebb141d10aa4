// SPDX-License-Identifier: Apache-2.0
// Two-dimensional block messages (Xe2) with surfaces that the hardware does not take. Rows: ../support/zoo.h
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define SUB(n) __attribute__((intel_reqd_sub_group_size(n)))

// Rows of 50 elements: 100 bytes are no multiple of 16.
//= odd_pitch | devices b580 | groups 1 | local 16 | args buffer 4096, buffer 1024 | expect memory.block2d
SUB(16) kernel void odd_pitch(global ushort* a, global ushort* out) {
  ushort tile[8];
#ifdef FAULTY
  int pitch = 100;
#else
  int pitch = 112;
#endif
  intel_sub_group_2d_block_read_16b_8r16x1c(a, 100, 8, pitch, (int2)(0, 0), tile);  // FAULT odd_pitch
  for (int i = 0; i < 8; i++) out[i * 16 + get_local_id(0)] = tile[i];
}

// A submatrix that begins in the middle of a cache line.
//= odd_base | devices b580 | groups 1 | local 16 | args buffer 4096, buffer 1024 | expect memory.block2d
SUB(16) kernel void odd_base(global ushort* a, global ushort* out) {
  ushort tile[8];
#ifdef FAULTY
  global ushort* base = a + 8;
#else
  global ushort* base = a + 32;
#endif
  intel_sub_group_2d_block_read_16b_8r16x1c(base, 128, 8, 128, (int2)(0, 0), tile);  // FAULT odd_base
  for (int i = 0; i < 8; i++) out[i * 16 + get_local_id(0)] = tile[i];
}

// The height is that of another matrix: rows behind the buffer are read.
//= wrong_height | devices b580 | groups 1 | local 16 | args buffer 512, buffer 1024 | expect memory.out-of-bounds
SUB(16) kernel void wrong_height(global ushort* a, global ushort* out) {
  ushort tile[8];
#ifdef FAULTY
  int height = 8;
#else
  int height = 4;
#endif
  intel_sub_group_2d_block_read_16b_8r16x1c(a, 128, height, 128, (int2)(0, 0), tile);  // FAULT wrong_height
  for (int i = 0; i < 8; i++) out[i * 16 + get_local_id(0)] = tile[i];
}
