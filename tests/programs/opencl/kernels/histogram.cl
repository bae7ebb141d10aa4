// SPDX-License-Identifier: Apache-2.0
kernel void histogram(global const uchar4* in, global uint* bins, local uint* mine, int n) {
  for (int b = get_local_id(0); b < 256; b += get_local_size(0)) mine[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
    uchar4 v = in[i];
    atomic_inc(mine + v.x);
    atomic_inc(mine + v.y);
    atomic_inc(mine + v.z);
    atomic_inc(mine + v.w);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = get_local_id(0); b < 256; b += get_local_size(0)) atomic_add(bins + b, mine[b]);
}
// Positions by value: counting sort with the old values that atomics return.
kernel void place(global const uchar* in, global uint* next, global uint* where, int n) {
  size_t i = get_global_id(0);
  if (i < n) where[i] = atomic_add(next + in[i], 1u);
}
kernel void atomics(global const int* in, volatile global int* out, volatile global float* real) {
  int x = in[get_global_id(0)];
  atomic_sub(out, x);
  atomic_min(out + 1, x);
  atomic_max(out + 2, x);
  atomic_and(out + 3, x | 0xFF0000);
  atomic_or(out + 4, x);
  atomic_xor(out + 5, x);
  int old = out[6];
  while (true) {
    int seen = atomic_cmpxchg(out + 6, old, old + 2);
    if (seen == old) break;
    old = seen;
  }
  atomic_xchg(out + 7, 5);
  // A float sum by comparing bits.
  volatile global int* bits = (volatile global int*)real;
  int before = *bits;
  while (true) {
    int seen = atomic_cmpxchg(bits, before, as_int(as_float(before) + (float)x));
    if (seen == before) break;
    before = seen;
  }
}
