// SPDX-License-Identifier: Apache-2.0
// Bytes and text.
kernel void upper(global const char* in, global char* out) {
  char c = in[get_global_id(0)];
  out[get_global_id(0)] = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}
kernel void find(global const char* text, int n, constant char* pattern, int m, global int* hits, global int* count) {
  int i = get_global_id(0);
  if (i + m > n) return;
  for (int j = 0; j < m; ++j) {
    if (pattern[j] != '?' && text[i + j] != pattern[j]) return;
  }
  hits[atomic_inc(count)] = i;
}
kernel void hex(global const uchar* in, global char* out) {
  const constant char* digits = "0123456789abcdef";
  uchar b = in[get_global_id(0)];
  vstore2((char2)(digits[b >> 4], digits[b & 15]), get_global_id(0), out);
}
kernel void numbers(global const int* in, global char* out) {
  // Decimal, twelve characters each, as snprintf does it.
  int x = in[get_global_id(0)];
  char text[12];
  int n = 0;
  uint u = x < 0 ? 0u - (uint)x : (uint)x;
  do {
    text[n++] = '0' + u % 10;
    u /= 10;
  } while (u != 0);
  if (x < 0) text[n++] = '-';
  global char* p = out + 12 * get_global_id(0);
  for (int i = 0; i < 12; ++i) p[i] = i < n ? text[n - 1 - i] : 0;
}
kernel void shuffle_bytes(global const uchar16* in, global uchar16* out) {
  uchar16 v = in[get_global_id(0)];
  out[get_global_id(0)] = v.sfedcba9876543210 + (uchar16)(v.s0);
}
kernel void unaligned(global const uchar* in, global uint* out, global ushort* words) {
  // Vectors from any byte.
  int i = get_global_id(0);
  uchar4 v = vload4(0, in + i * 3 + 1);
  out[i] = as_uint(v);
  words[i] = as_ushort(vload2(0, in + i * 5 + 3));
}
