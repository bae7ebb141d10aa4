// SPDX-License-Identifier: Apache-2.0
#include "common.h"

using namespace sycl;
namespace work = syclext::this_work_item;

// The host has the same definitions (data.cpp beside this folder).
struct Small {
  char a;
  short b;
  int c;
  long unused;
  long d;
};
struct Large {
  float matrix[5][7];
  Small smalls[4];
  unsigned char bytes[13];
  const int* table;
};
struct Bits {
  unsigned a : 3, b : 11, c : 18;
  int d : 9;
};

KERNEL(1) struct_by_value(Small s, int* out) {
  out[me()] = s.a + s.b * 2 + s.c * 3 + static_cast<int>(s.d % 1000) + static_cast<int>(me());
}

KERNEL(1) large_struct(Large l, float* out) {
  const unsigned i = me();
  float r = l.matrix[i % 5][i % 7];
  r += l.smalls[i % 4].c + l.bytes[i % 13];
  out[i] = r + l.table[i % 10];
}

KERNEL(1) struct_arrays(const Small* in, Small* out) {
  Small s = in[me()];
  s.a += 1;
  s.b = static_cast<short>(s.b * s.a);
  s.c -= s.b;
  s.d = s.d * 3 + s.c;
  out[me()] = s;
}

KERNEL(1) pointers_to_pointers(int* const* rows, const int* lengths, int* out) {
  int sum = 0;
  for (int i = 0; i < lengths[me()]; ++i) sum += rows[me()][i] * (i + 1);
  if (lengths[me()] > 0) rows[me()][0] = -1;
  out[me()] = sum;
}

struct Node {
  int value;
  Node* next;
};
KERNEL(1) linked_list(Node* const* heads, int* out) {
  int sum = 0, length = 0;
  for (const Node* n = heads[me()]; n != nullptr; n = n->next) sum += n->value * ++length;
  out[me()] = sum;
}

KERNEL(1) bit_fields(Bits* bits, int* out) {
  Bits b = bits[me()];
  out[me()] = static_cast<int>(b.a + b.b + b.c) + b.d;
  b.a = b.b;
  b.d = -static_cast<int>(b.c & 255);
  bits[me()] = b;
}

// Private arrays with indices known at run time only: small (in registers) and large (in memory).
KERNEL(1) small_array(const int* in, int* out) {
  int a[16];
  for (int i = 0; i < 16; ++i) a[i] = in[me()] * i;
  for (int i = 0; i < 16; ++i) {
    const int j = (in[me()] + i * 5) & 15;
    const int t = a[i];
    a[i] = a[j] + 1;
    a[j] = t;
  }
  int r = 0;
  for (int i = 0; i < 16; ++i) r = r * 3 + a[i];
  out[me()] = r;
}
KERNEL(1) large_array(const int* in, int* out, int n) {
  int a[300];
  for (int i = 0; i < 300; ++i) a[i] = i ^ in[me()];
  int at = in[me()] % 300;
  for (int i = 0; i < n; ++i) {
    a[at] += i;
    at = (a[at] * 7 + i) % 300;
    if (at < 0) at += 300;
  }
  int r = 0;
  for (int i = 0; i < 300; i += 7) r += a[i];
  out[me()] = r;
}
// More live values than registers.
KERNEL(1) many_values(const float* in, float* out, int n) {
  float v[96];
  for (int i = 0; i < 96; ++i) v[i] = in[(me() + i) % 96] + i;
  for (int round = 0; round < n; ++round) {
#pragma unroll
    for (int i = 0; i < 96; ++i) v[i] = v[(i + 1) % 96] * 0.5f + v[(i + 50) % 96];
  }
  float r = 0;
#pragma unroll
  for (int i = 0; i < 96; ++i) r += v[i];
  out[me()] = r;
}

#define VECTOR(N)                                                                      \
  KERNEL(1) vector_##N(const vec<int, N>* a, const vec<int, N>* b, vec<int, N>* out) { \
    const vec<int, N> x = a[me()], y = b[me()];                                        \
    vec<int, N> r = x * 2 - y;                                                         \
    r[0] = x[N - 1];                                                                   \
    r = sycl::select(r, y, x > y);                                                     \
    out[me()] = r + vec<int, N>(5);                                                    \
  }
VECTOR(2)
VECTOR(3)
VECTOR(4)
VECTOR(8)
VECTOR(16)
KERNEL(1) swizzles(const vec<float, 4>* in, vec<float, 4>* out) {
  vec<float, 4> v = in[me()];
  v.lo() = v.hi() * 2.0f;
  v = vec<float, 4>(v.odd(), v.even());
  out[me()] = v.swizzle<3, 0, 2, 1>();
}
KERNEL(1) short_vectors(const vec<short, 8>* in, vec<unsigned char, 8>* out, vec<float, 8>* floats) {
  const vec<short, 8> v = in[me()];
  out[me()] = (v & vec<short, 8>(255)).convert<unsigned char>();
  floats[me()] = v.convert<float>();
}

// Bytes and words at odd addresses within arrays.
KERNEL(1) bytes(const unsigned char* in, unsigned char* out, unsigned n) {
  const unsigned i = me();
  if (i >= n) return;
  unsigned char c = in[i];
  c = c >= 'a' && c <= 'z' ? static_cast<unsigned char>(c - 32) : static_cast<unsigned char>(c ^ 0x80);
  out[n - 1 - i] = c;
}
KERNEL(1) marray_and_constants(const int* in, int* out) {
  static constexpr int kTable[11] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  marray<int, 5> m;
  for (int i = 0; i < 5; ++i) m[i] = kTable[(in[me()] + i) % 11];
  m = m * 3 + marray<int, 5>(1);
  int r = 0;
  for (int i = 0; i < 5; ++i) r = r * 31 + m[i];
  out[me()] = r;
}

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel)) void single(int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = i * i;
}

KERNEL(1)
many_arguments(char a, short b, int c, long d, float e, half f, unsigned char g, vec<int, 3> h, bool i, int* out,
               unsigned short j, vec<float, 2> k) {
  out[me()] = a + b + c + static_cast<int>(d) + static_cast<int>(e) + static_cast<int>(static_cast<float>(f)) + g +
              h[0] + h[1] + h[2] + (i ? 1 : 0) + j + static_cast<int>(k[0] * k[1]);
}

KERNEL(1) say(int n) {
  if (static_cast<int>(me()) < n)
    syclexp::printf("item %d says %s, %5.2f and %lu\n", static_cast<int>(me()), "hello", 1.5f * me(),
                    10000000000ul + me());
}
