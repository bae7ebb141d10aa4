// SPDX-License-Identifier: Apache-2.0
// Conversions in all rounding modes, with and without saturation, and halves in memory.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define CONVERT(FROM, TO, SUFFIX) \
  kernel void FROM##_to_##TO##SUFFIX(global const FROM* in, global TO* out) { out[get_global_id(0)] = convert_##TO##SUFFIX(in[get_global_id(0)]); }
#define MODES(FROM, TO, SAT) \
  CONVERT(FROM, TO, SAT##_rte) \
  CONVERT(FROM, TO, SAT##_rtz) \
  CONVERT(FROM, TO, SAT##_rtp) \
  CONVERT(FROM, TO, SAT##_rtn)
MODES(int, float, )
MODES(uint, float, )
MODES(long, float, )
MODES(ulong, float, )
MODES(float, half, )
MODES(float, char, _sat)
MODES(float, uchar, _sat)
MODES(float, short, _sat)
MODES(float, ushort, _sat)
MODES(float, int, _sat)
MODES(float, uint, _sat)
MODES(float, long, _sat)
MODES(float, ulong, _sat)
MODES(half, char, _sat)
MODES(half, int, _sat)
CONVERT(int, char, _sat)
CONVERT(int, uchar, _sat)
CONVERT(int, short, _sat)
CONVERT(int, ushort, _sat)
CONVERT(int, uint, _sat)
CONVERT(uint, int, _sat)
CONVERT(long, int, _sat)
CONVERT(long, uint, _sat)
CONVERT(long, ulong, _sat)
CONVERT(ulong, long, _sat)
CONVERT(short, char, _sat)
CONVERT(ushort, uchar, _sat)
kernel void halves_in_memory(global const float* in, global half* out, global float* back) {
  size_t i = get_global_id(0);
  vstore_half_rtz(in[4 * i], 4 * i, out);
  vstore_half_rte(in[4 * i + 1], 4 * i + 1, out);
  vstore_half2((float2)(in[4 * i + 2], in[4 * i + 3]), 2 * i + 1, out);
  vstore4(vload_half4(i, out), i, back);
}
