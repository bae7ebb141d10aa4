// SPDX-License-Identifier: Apache-2.0
// Integer, 64-bit, half, byte and conversion code.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void long_math(global const long* a, global const long* b, global long* out) {
  const int i = get_global_id(0);
  long r = a[i] * b[i] + (a[i] >> (b[i] & 63)) - (a[i] << 3);
  r ^= (long)((ulong)a[i] >> 7);
  out[i] = a[i] > b[i] ? r : -r;
  out[i + 1] = a[i] / (b[i] | 1);
}

kernel void integer_math(global const int* a, global const uint* b, global int* out) {
  const int i = get_global_id(0);
  int r = mul_hi(a[i], a[i + 1]) + mad24(a[i], a[i + 2], 5) + rotate(a[i], 11);
  r += popcount(b[i]) + clz(b[i + 1]) + ctz(b[i + 2]) + abs_diff(a[i], r) + hadd(a[i], r) + rhadd(a[i], r);
  r ^= add_sat(a[i], r) - sub_sat(r, a[i]);
  r += a[i] / 7 + (int)(b[i] % 13u) + a[i] / (a[i + 1] | 1) + (int)(b[i] / (b[i + 1] | 1));
  r = (r & b[i]) | (~r & a[i]);
  out[i] = bitselect(r, a[i], (int)b[i]) ^ (int)upsample((short)r, (ushort)a[i]);
}

kernel void bytes(global const uchar16* in, global char4* out, global const short* s) {
  const int i = get_global_id(0);
  const uchar16 v = in[i];
  out[i] = convert_char4_sat(v.s0123 * (uchar4)(3) + v.s4567) + convert_char4(v.s89ab) - as_char4(v.scdef);
  out[i + 1] = (char4)((char)s[i], (char)(s[i] >> 8), (char)s[i + 1], (char)(s[i + 1] * 3));
}

kernel void halves(global const half* a, global const half8* b, global half* out, global float* f) {
  const int i = get_global_id(0);
  half r = fma(a[i], a[i + 1], (half)1.5h);
  r = fmax(r, sqrt(a[i])) + (half)f[i] - exp2(r);
  const half8 v = b[i] * b[i + 1] + (half8)(r);
  out[i] = v.s0 + v.s1 * v.s2 - v.s3 + (v.s4 > v.s5 ? v.s6 : v.s7);
  f[i] = (float)r;
  vstore_half_rte(f[i + 1], i, out);
}

kernel void conversions(global const float* f, global int* d, global uint* u, global float* out) {
  const int i = get_global_id(0);
  d[i] = convert_int_rte(f[i]) + convert_int_rtz(f[i + 1]) + convert_int_sat(f[i + 2]) + convert_int_rtn(f[i + 3]);
  u[i] = convert_uint_sat(f[i]) + convert_uchar_sat(f[i + 1]);
  out[i] = convert_float(d[i]) + convert_float(u[i]) + convert_float((long)d[i] << 33);
}

#ifdef cl_khr_fp64
kernel void doubles(global const double* a, global double* out) {
  const int i = get_global_id(0);
  out[i] = fma(a[i], a[i + 1], 2.5) / a[i + 2] + sqrt(a[i]);
  out[i + 1] = a[i] > 0.0 ? (double)(float)a[i] : (double)(long)a[i];
}
#endif
