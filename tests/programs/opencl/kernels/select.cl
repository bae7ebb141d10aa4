// SPDX-License-Identifier: Apache-2.0
// Built-in functions on integers and vectors of them.
kernel void bits(global const uint* a, global const uint* b, global const uint* c, global uint* out) {
  size_t i = get_global_id(0);
  uint x = a[i], y = b[i], z = c[i];
  uint r = popcount(x) + clz(y) * 3 + ctz(z) * 5;
  r ^= rotate(x, y & 31) + mul_hi(y, z) - mad_hi(x, y, z);
  r += add_sat(x, y) ^ sub_sat(y, z) ^ hadd(x, z) ^ rhadd(y, z);
  r ^= bitselect(x, y, z) + abs_diff(x, z) + max(min(x, y), z);
  out[i] = r + mad24((int)(x & 0xFFFF), (int)(y & 0xFFF), (int)z);
}
kernel void lanes(global const int4* a, global const int4* b, global int4* out) {
  size_t i = get_global_id(0);
  int4 x = a[i], y = b[i];
  int4 less = x < y;
  int4 r = select(x, y, less);
  if (any(less)) r += 1;
  if (all(less)) r *= 2;
  r.xz = r.zx;
  out[i] = shuffle2(r, y, (uint4)(0, 5, 2, 7));
}
kernel void dot_products(global const char4* a, global const char4* b, global int* out) {
  size_t i = get_global_id(0);
  int4 x = convert_int4(a[i]), y = convert_int4(b[i]);
  out[i] = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
