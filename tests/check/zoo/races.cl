// SPDX-License-Identifier: Apache-2.0
// Accesses that nothing orders. Rows: ../support/zoo.h
#ifdef FAULTY
#define BARRIER
#else
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#endif

// The barrier between filling and using a tile is missing.
//= tile_without_barrier | groups 2 | local 64 | args buffer 512, buffer 512, slm 256 | expect races.slm | also init.stored-value
kernel void tile_without_barrier(global const float* a, global float* out, local float* tile) {
  int i = get_local_id(0);
  tile[i] = a[get_global_id(0)];  // FAULT tile_without_barrier
  BARRIER;
  out[get_global_id(0)] = tile[63 - i];  // FAULT tile_without_barrier
}

// The second barrier of a tiled loop is missing: the next tile overwrites what others still read.
//= tile_overwritten | groups 1 | local 64 | args buffer 1024, buffer 256, slm 256 | expect races.slm
kernel void tile_overwritten(global const float* a, global float* out, local float* tile) {
  int i = get_local_id(0);
  float sum = 0;
  for (int k = 0; k < 4; k++) {
    tile[i] = a[64 * k + i];  // FAULT tile_overwritten
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[63 - i];  // FAULT tile_overwritten
    BARRIER;
  }
  out[i] = sum;
}

// A tree reduction that trusts the sub-group for its last steps.
//= reduction | groups 1 | local 128 | args buffer 512, buffer 4, slm 512 | expect races.slm
kernel void reduction(global const int* a, global int* out, local int* part) {
  int i = get_local_id(0);
  part[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = 64; n > 0; n /= 2) {
    if (i < n) part[i] += part[i + n];  // FAULT reduction
    BARRIER;
  }
  if (i == 0) out[0] = part[0];  // FAULT reduction
}

// The double buffer's index is taken before it flips: everybody reads what is being filled.
//= double_buffer | groups 1 | local 64 | args buffer 1024, buffer 256, slm 512 | expect races.slm | also init.stored-value
kernel void double_buffer(global const float* a, global float* out, local float* tile) {
  int i = get_local_id(0);
  float sum = 0;
  tile[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 3; k++) {
    tile[(k + 1) % 2 * 64 + i] = a[64 * (k + 1) + i];  // FAULT double_buffer
#ifdef FAULTY
    sum += tile[(k + 1) % 2 * 64 + 63 - i];  // FAULT double_buffer
#else
    sum += tile[k % 2 * 64 + 63 - i];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
}

// Local memory is filled by all and summed by one that does not wait.
//= one_sums | groups 1 | local 64 | args buffer 4, slm 256 | expect races.slm | also init.stored-value
kernel void one_sums(global int* out, local int* part) {
  int i = get_local_id(0);
  part[i] = i;  // FAULT one_sums
  BARRIER;
  if (i == 0) {
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += part[k];  // FAULT one_sums
    out[0] = sum;
  }
}

// Work-items of a group exchange through global memory.
//= group_exchange | groups 2 | local 64 | args buffer 512, buffer 512 | expect races.group
kernel void group_exchange(global int* p, global int* out) {
  int i = get_global_id(0);
  p[i] = i;  // FAULT group_exchange
#ifndef FAULTY
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  out[i] = p[i ^ 32];  // FAULT group_exchange
}

// In place, each with its neighbour.
//= in_place_shift | groups 1 | local 64 | args buffer 260 | expect races.group
kernel void in_place_shift(global int* p) {
  int i = get_global_id(0);
  int next = p[i + 1];  // FAULT in_place_shift
#ifndef FAULTY
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  p[i] = next;  // FAULT in_place_shift
}

// Each group reads its neighbour's edge in the same launch.
//= halo | groups 4 | local 32 | args buffer 512, buffer 512 | expect races.device
kernel void halo(global int* p, global int* out) {
  int i = get_global_id(0);
  p[i] = i;  // FAULT halo
#ifdef FAULTY
  out[i] = p[(i + 32) & 127];  // FAULT halo
#else
  out[i] = p[i];
#endif
}

// A histogram without atomics.
//= histogram | groups 8 | local 1 | args buffer 16 | expect races.device
kernel void histogram(volatile global int* bins) {
  int i = get_global_id(0);
#ifdef FAULTY
  bins[i & 3] += 1;  // FAULT histogram
#else
  atomic_inc(bins + (i & 3));
#endif
}

// All groups accumulate into one result.
//= accumulate | groups 4 | local 1 | args buffer 4 | expect races.device
kernel void accumulate(global float* sum) {
  int i = get_global_id(0);
#ifdef FAULTY
  sum[0] += i;  // FAULT accumulate
#else
  if (i == 0) sum[0] = 6;
#endif
}

// Every group writes the same flag.
//= same_flag | groups 4 | local 1 | args buffer 4 | expect races.same-value-write
kernel void same_flag(global int* done) {
#ifdef FAULTY
  done[0] = 1;  // FAULT same_flag
#else
  if (get_group_id(0) == 0) done[0] = 1;
#endif
}

// Two sub-groups compute and store one tile.
//= tile_twice | groups 1 | local 64 | args buffer 256 | expect races.same-value-write
kernel void tile_twice(global int* p) {
  int i = get_local_id(0);
#ifdef FAULTY
  i &= 31;
#endif
  p[i] = i * i;  // FAULT tile_twice
}

// A counter is updated by atomics and read as plain memory.
//= plain_read_of_atomic | groups 4 | local 1 | args buffer 4, buffer 16 | expect races.device
kernel void plain_read_of_atomic(volatile global int* counter, global int* out) {
  int i = get_global_id(0);
  atomic_add(counter, 1);  // FAULT plain_read_of_atomic
#ifdef FAULTY
  out[i] = counter[0];  // FAULT plain_read_of_atomic
#else
  out[i] = atomic_or(counter, 0);
#endif
}

// One group hands data to another and only the flag is atomic.
//= handshake_without_fence | groups 2 | local 1 | args buffer 8, buffer 4 | expect races.device
kernel void handshake_without_fence(global int* data, global int* out) {
  volatile global atomic_int* flag = (volatile global atomic_int*)(data + 1);
  if (get_group_id(0) == 0) {
    data[0] = 42;  // FAULT handshake_without_fence
#ifdef FAULTY
    atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
#else
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
#endif
  } else {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {
    }
    out[0] = data[0];  // FAULT handshake_without_fence
  }
}

// The last group to finish sums the others' results (threadfence reduction).
//= last_group_sums | groups 4 | local 1 | args buffer 16, buffer 4, buffer 4 | expect races.device
kernel void last_group_sums(global int* part, global int* out, volatile global int* count) {
  int i = get_group_id(0);
  part[i] = i + 1;  // FAULT last_group_sums
#ifndef FAULTY
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
#endif
  if (atomic_inc(count) == 3) {
#ifndef FAULTY
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
#endif
    int sum = 0;
    for (int k = 0; k < 4; k++) sum += part[k];  // FAULT last_group_sums
    out[0] = sum;
  }
}
