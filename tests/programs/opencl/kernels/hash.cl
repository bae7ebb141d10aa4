// SPDX-License-Identifier: Apache-2.0
// Hashes and random numbers in 32 and 64 bits.
kernel void fnv(global const uchar* in, global ulong* out, int length) {
  ulong h = 0xcbf29ce484222325UL;
  for (int i = 0; i < length; ++i) h = (h ^ in[get_global_id(0) * length + i]) * 0x100000001b3UL;
  out[get_global_id(0)] = h;
}
kernel void murmur(global const uint* in, global uint* out, int words) {
  uint h = 42;
  for (int i = 0; i < words; ++i) {
    uint k = in[get_global_id(0) * words + i] * 0xcc9e2d51u;
    h ^= rotate(k, 15u) * 0x1b873593u;
    h = rotate(h, 13u) * 5 + 0xe6546b64u;
  }
  h ^= words * 4;
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  out[get_global_id(0)] = h ^ (h >> 16);
}
kernel void xorshift(global ulong* state, global ulong* out, int rounds) {
  ulong s = state[get_global_id(0)];
  for (int i = 0; i < rounds; ++i) {
    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
  }
  state[get_global_id(0)] = s;
  out[get_global_id(0)] = s * 0x2545F4914F6CDD1DUL;
}
kernel void sha_round(global const uint* in, global uint* out) {
  // The message schedule of SHA-256.
  uint w[64];
  for (int i = 0; i < 16; ++i) w[i] = in[get_global_id(0) * 16 + i];
  for (int i = 16; i < 64; ++i) {
    uint a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotate(a, 25u) ^ rotate(a, 14u) ^ (a >> 3)) + (rotate(b, 15u) ^ rotate(b, 13u) ^ (b >> 10));
  }
  uint h = 0;
  for (int i = 0; i < 64; ++i) h = rotate(h, 5u) ^ w[i];
  out[get_global_id(0)] = h;
}
kernel void big_numbers(global const uint* a, global const uint* b, global uint* out) {
  // 128 by 128 bits, word by word.
  uint r[8] = {0};
  a += 4 * get_global_id(0);
  b += 4 * get_global_id(0);
  for (int i = 0; i < 4; ++i) {
    ulong carry = 0;
    for (int j = 0; j < 4; ++j) {
      carry += (ulong)a[i] * b[j] + r[i + j];
      r[i + j] = (uint)carry;
      carry >>= 32;
    }
    r[i + 4] = (uint)carry;
  }
  for (int i = 0; i < 8; ++i) out[8 * get_global_id(0) + i] = r[i];
}
kernel void modular_power(global const ulong* base, global const uint* exponent, global ulong* out, ulong modulus) {
  ulong r = 1, b = base[get_global_id(0)] % modulus;
  for (uint e = exponent[get_global_id(0)]; e != 0; e >>= 1) {
    if (e & 1) r = r * b % modulus;
    b = b * b % modulus;
  }
  out[get_global_id(0)] = r;
}
