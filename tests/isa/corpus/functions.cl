// SPDX-License-Identifier: Apache-2.0
// The math function unit, rounding, accurate division and square root (math macros), calls.
kernel void native(global const float* a, global float* out) {
  const int i = get_global_id(0);
  const float x = a[i];
  out[i] = native_sin(x) + native_cos(x) + native_exp2(x) + native_log2(x) + native_rsqrt(x) + native_sqrt(x) +
           native_recip(x) + native_powr(x, a[i + 1]) + native_divide(x, a[i + 2]);
}

kernel void accurate(global const float* a, global float* out) {
  const int i = get_global_id(0);
  const float x = a[i];
  out[i] = x / a[i + 1] + sqrt(x) + rsqrt(x) + exp(x) + log(x) + pow(x, a[i + 1]) + sin(x) + tanh(x);
}

kernel void rounding(global const float* a, global float* out) {
  const int i = get_global_id(0);
  int e;
  float whole;
  out[i] = floor(a[i]) + ceil(a[i + 1]) + rint(a[i + 2]) + trunc(a[i + 3]) + round(a[i + 4]);
  out[i + 1] = fract(a[i], &whole) + whole + ldexp(a[i + 1], 3) + frexp(a[i + 2], &e) + (float)e + fabs(a[i + 3]);
}

__attribute__((noinline)) float helper(float x, int depth) {
  return depth > 2 ? x * x + 1.0f : x - (float)depth;
}

kernel void calls(global const float* a, global float* out) {
  const int i = get_global_id(0);
  out[i] = helper(a[i], i & 3) + helper(a[i + 1], i & 7);
}
