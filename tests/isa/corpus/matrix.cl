// SPDX-License-Identifier: Apache-2.0
// The systolic array in all precisions, and Xe2's 2D block messages.
#ifdef XE2
#define SIMD 16
#define A short8
#define UA ushort8
#else
#define SIMD 8
#define A int8
#define UA uint8
#endif

#define MATRIX(NAME, FUNCTION, A_TYPE, ACC)                                                                                 \
  __attribute__((intel_reqd_sub_group_size(SIMD))) kernel void NAME(global A_TYPE* a, global int8* b, global ACC* c) {        \
    const int i = get_global_id(0);                                                                                  \
    ACC r = FUNCTION(a[i], b[i], c[i]);                                                                              \
    c[i] = FUNCTION(a[i + 1], b[i + 1], r);                                                                          \
  }
MATRIX(matrix_bf16, intel_sub_group_bf16_bf16_matrix_mad_k16, A, float8)
MATRIX(matrix_f16, intel_sub_group_f16_f16_matrix_mad_k16, A, float8)
MATRIX(matrix_i8, intel_sub_group_i8_i8_matrix_mad_k32, A, int8)
MATRIX(matrix_u8, intel_sub_group_u8_i8_matrix_mad_k32, UA, int8)

#ifdef XE2
__attribute__((intel_reqd_sub_group_size(16))) kernel void blocks_2d(global ushort* base, int width, int height,
                                                                     int pitch, global ushort* out, global uint* words) {
  ushort tile[16];
  uint packed[8];
  const int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 8);
  intel_sub_group_2d_block_read_16b_8r16x2c(base, width, height, pitch, at, tile);
  intel_sub_group_2d_block_read_transform_16b_16r16x1c(base, width, height, pitch, at + (int2)(16, 8), packed);
  intel_sub_group_2d_block_prefetch_16b_8r16x1c(base, width, height, pitch, at + (int2)(32, 0));
  ushort result[8];
  for (int k = 0; k < 8; ++k) result[k] = tile[k] + tile[k + 8] + (ushort)packed[k];
  intel_sub_group_2d_block_write_16b_8r16x1c(out, width, height, pitch, at, result);
  intel_sub_group_2d_block_read_32b_8r8x1c(words, width, height, pitch, at, packed);
  words[get_global_id(0)] = packed[0] + packed[3];
}
#endif
