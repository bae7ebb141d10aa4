// SPDX-License-Identifier: Apache-2.0
#include "common.h"

using namespace sycl;
namespace work = syclext::this_work_item;

template <class T>
using Device = atomic_ref<T, memory_order::relaxed, memory_scope::device, access::address_space::global_space>;
template <class T>
using Group = atomic_ref<T, memory_order::relaxed, memory_scope::work_group, access::address_space::local_space>;

// All operations without looking at what was there.
#define TOTALS(NAME, T)                          \
  KERNEL(1) totals_##NAME(const T* in, T* out) { \
    const T x = in[me()];                        \
    Device<T>(out[0]).fetch_add(x);              \
    Device<T>(out[1]).fetch_sub(x);              \
    Device<T>(out[2]).fetch_min(x);              \
    Device<T>(out[3]).fetch_max(x);              \
  }
#define BITS(NAME, T)                          \
  KERNEL(1) bits_##NAME(const T* in, T* out) { \
    const T x = in[me()];                      \
    Device<T>(out[0]).fetch_and(x);            \
    Device<T>(out[1]).fetch_or(x);             \
    Device<T>(out[2]).fetch_xor(x);            \
  }
TOTALS(int, int)
TOTALS(uint, unsigned)
TOTALS(long, long)
TOTALS(ulong, unsigned long)
TOTALS(float, float)
BITS(uint, unsigned)
BITS(ulong, unsigned long)

#define TICKETS(NAME, T)                                               \
  KERNEL(1) tickets_##NAME(T* counters, T* taken, T* inside) {         \
    syclexp::work_group_static<T> shared;                              \
    const auto it = work::get_nd_item<1>();                            \
    if (it.get_local_id(0) == 0) shared = 0;                           \
    group_barrier(it.get_group());                                     \
    taken[me()] = Device<T>(counters[0]).fetch_add(static_cast<T>(1)); \
    inside[me()] = Group<T>(*&shared).fetch_add(static_cast<T>(1));    \
    Device<T>(counters[1]).exchange(taken[me()]);                      \
  }
TICKETS(int, int)
TICKETS(ulong, unsigned long)

// Increments by comparing and exchanging; the product of all, which has no atomic of its own.
KERNEL(1) by_exchange(unsigned* counter, unsigned long* counter64, float* product, const float* factors) {
  unsigned seen = Device<unsigned>(*counter).load();
  while (!Device<unsigned>(*counter).compare_exchange_strong(seen, seen + 3)) {
  }
  unsigned long seen64 = Device<unsigned long>(*counter64).load();
  while (!Device<unsigned long>(*counter64).compare_exchange_strong(seen64, seen64 * 1 + 5000000000UL)) {
  }
  float old = Device<float>(*product).load();
  while (!Device<float>(*product).compare_exchange_strong(old, old * factors[me()])) {
  }
}

// A stack: every work-item pushes itself.
KERNEL(1) push(int* head, int* next) {
  const int self = static_cast<int>(me());
  int first = Device<int>(*head).load();
  do {
    next[self] = first;
  } while (!Device<int>(*head).compare_exchange_strong(first, self));
}

#define LOCAL_TOTALS(NAME, T)                                                                                \
  KERNEL(1) local_totals_##NAME(const T* in, T* out) {                                                       \
    syclexp::work_group_static<T[4]> total;                                                                  \
    const auto it = work::get_nd_item<1>();                                                                  \
    const auto g = it.get_group();                                                                           \
    if (it.get_local_id(0) < 4) total[it.get_local_id(0)] = out[g.get_group_id(0) * 4 + it.get_local_id(0)]; \
    group_barrier(g);                                                                                        \
    const T x = in[me()];                                                                                    \
    Group<T>(total[0]).fetch_add(x);                                                                         \
    Group<T>(total[1]).fetch_sub(x);                                                                         \
    Group<T>(total[2]).fetch_min(x);                                                                         \
    Group<T>(total[3]).fetch_max(x);                                                                         \
    group_barrier(g);                                                                                        \
    if (it.get_local_id(0) < 4) out[g.get_group_id(0) * 4 + it.get_local_id(0)] = total[it.get_local_id(0)]; \
  }
LOCAL_TOTALS(int, int)
LOCAL_TOTALS(uint, unsigned)
LOCAL_TOTALS(float, float)

// Release and acquire: the last group to finish adds up what all wrote.
KERNEL(1) last_group(const int* in, int* partial, unsigned* finished, int* total) {
  const auto it = work::get_nd_item<1>();
  const auto g = it.get_group();
  syclexp::work_group_static<int> last;
  const int sum = reduce_over_group(g, in[me()], plus<int>());
  if (g.leader()) {
    partial[g.get_group_id(0)] = sum;
    atomic_ref<unsigned, memory_order::acq_rel, memory_scope::device> done(*finished);
    last = done.fetch_add(1u) + 1 == g.get_group_range(0);
  }
  group_barrier(g);
  if (last) {
    int mine = 0;
    for (unsigned i = it.get_local_id(0); i < g.get_group_range(0); i += it.get_local_range(0)) mine += partial[i];
    const int all = reduce_over_group(g, mine, plus<int>());
    if (g.leader()) *total = all;
  }
}

// Only some lanes, and different addresses each.
KERNEL(1) scattered(const unsigned* where, int* out, int* old) {
  old[me()] = -1;
  if (where[me()] % 2 == 0) old[me()] = Device<int>(out[where[me()]]).fetch_add(1);
}
