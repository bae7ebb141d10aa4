// SPDX-License-Identifier: Apache-2.0
#include "common.h"

using namespace sycl;
namespace work = syclext::this_work_item;

KERNEL(1) reverse(const int* in, int* out, local_accessor<int, 1> tmp) {
  const auto it = work::get_nd_item<1>();
  const unsigned l = it.get_local_id(0), n = it.get_local_range(0);
  tmp[l] = in[me()];
  group_barrier(it.get_group());
  out[me()] = tmp[n - 1 - l];
}

// Several accessors of several types, after one another in memory.
KERNEL(1)
mixed(const int* in, long* out, local_accessor<unsigned char, 1> bytes, local_accessor<long, 1> longs,
      local_accessor<unsigned short, 1> shorts, local_accessor<float, 1> floats) {
  const auto it = work::get_nd_item<1>();
  const unsigned l = it.get_local_id(0), n = it.get_local_range(0), next = (l + 1) % n;
  bytes[l] = static_cast<unsigned char>(in[me()]);
  longs[l] = in[me()] * 100000007L;
  shorts[l] = static_cast<unsigned short>(in[me()] * 3);
  floats[l] = in[me()] * 0.5f;
  group_barrier(it.get_group());
  out[me()] = bytes[next] + longs[next] + shorts[next] + static_cast<long>(floats[next] * 2.0f);
}

KERNEL(2) transpose(const float* in, float* out, unsigned rows, unsigned columns) {
  syclexp::work_group_static<float[16][17]> tile;
  const auto it = work::get_nd_item<2>();
  const unsigned y = it.get_local_id(0), x = it.get_local_id(1), by = it.get_group(0) * 16, bx = it.get_group(1) * 16;
  if (by + y < rows && bx + x < columns) tile[y][x] = in[(by + y) * columns + bx + x];
  group_barrier(it.get_group());
  if (bx + y < columns && by + x < rows) out[(bx + y) * rows + by + x] = tile[x][y];
}

// A tree with a barrier on every level.
KERNEL(1) tree_sum(const int* in, int* out, local_accessor<int, 1> tmp) {
  const auto it = work::get_nd_item<1>();
  const unsigned l = it.get_local_id(0);
  tmp[l] = in[me()];
  for (unsigned step = it.get_local_range(0) / 2; step > 0; step /= 2) {
    group_barrier(it.get_group());
    if (l < step) tmp[l] += tmp[l + step];
  }
  if (l == 0) out[it.get_group(0)] = tmp[0];
}

KERNEL(1) histogram(const unsigned char* in, unsigned* out, unsigned n) {
  syclexp::work_group_static<unsigned[256]> bins;
  const auto it = work::get_nd_item<1>();
  for (unsigned b = it.get_local_id(0); b < 256; b += it.get_local_range(0)) bins[b] = 0;
  group_barrier(it.get_group());
  for (unsigned i = me(); i < n; i += it.get_global_range(0)) {
    atomic_ref<unsigned, memory_order::relaxed, memory_scope::work_group, access::address_space::local_space>(
        bins[in[i]])++;
  }
  group_barrier(it.get_group());
  for (unsigned b = it.get_local_id(0); b < 256; b += it.get_local_range(0)) {
    if (bins[b] != 0) atomic_ref<unsigned, memory_order::relaxed, memory_scope::device>(out[b]) += bins[b];
  }
}

// Vectors of every width through local memory, at odd places of the group.
KERNEL(1) vectors(const float* in, float* out, local_accessor<float, 1> tmp) {
  const auto it = work::get_nd_item<1>();
  const unsigned l = it.get_local_id(0), n = it.get_local_range(0), other = (l * 5 + 3) % n;
  auto* v4 = reinterpret_cast<vec<float, 4>*>(&tmp[0]);
  v4[l] = vec<float, 4>(in[me()], in[me()] + 1, in[me()] + 2, in[me()] + 3);
  group_barrier(it.get_group());
  const vec<float, 4> a = v4[other];
  const vec<float, 2> b = reinterpret_cast<vec<float, 2>*>(&tmp[0])[other];
  out[me()] = a.x() + 2 * a.y() + 4 * a.z() + 8 * a.w() + 16 * b.x() + 32 * b.y();
}

// A generic pointer that is local or global, decided at run time.
KERNEL(1) generic_pointer(int* global, int* out, local_accessor<int, 1> tmp, unsigned choose) {
  const auto it = work::get_nd_item<1>();
  const unsigned l = it.get_local_id(0);
  tmp[l] = static_cast<int>(1000 + l);
  group_barrier(it.get_group());
  int own[4] = {7, 8, 9, 10};
  int* p = l % 3 == choose ? &tmp[l] : l % 3 == (choose + 1) % 3 ? global + me() : &own[l % 4];
  *p += 5;
  out[me()] = *p;
}

// One ping-pong between two halves of the group with a barrier each way.
KERNEL(1) ping_pong(int* out, int rounds, local_accessor<int, 1> tmp) {
  const auto it = work::get_nd_item<1>();
  const unsigned l = it.get_local_id(0), n = it.get_local_range(0);
  tmp[l] = static_cast<int>(l);
  tmp[n + l] = 0;
  for (int r = 0; r < rounds; ++r) {
    group_barrier(it.get_group());
    const int from = tmp[(r % 2) * n + (l + 1) % n];
    tmp[((r + 1) % 2) * n + l] = from + 1;
  }
  group_barrier(it.get_group());
  out[me()] = tmp[(rounds % 2) * n + l];
}
