// SPDX-License-Identifier: Apache-2.0
// Local memory, barriers, fences, atomics on local and global memory in every width.
kernel void transpose(global const float* in, global float* out, int width) {
  local float tile[16][17];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) * width + get_global_id(1)] = tile[x][y];
}

kernel void histogram(global const uchar* in, global int* out, local int* bins) {
  const int i = get_local_id(0);
  bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)]]);
  atomic_max(&bins[in[get_global_id(0) + 1]], i);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[i], bins[i]);
}

kernel void global_atomics(global int* d, global uint* u, global float* f) {
  const int i = get_global_id(0);
  d[i] = atomic_add(&d[0], i) + atomic_sub(&d[1], i) + atomic_xchg(&d[2], i) + atomic_min(&d[3], i) +
         atomic_max(&d[4], i) + atomic_and(&d[5], i) + atomic_or(&d[6], i) + atomic_xor(&d[7], i) +
         atomic_inc(&d[8]) + atomic_dec(&d[9]) + atomic_cmpxchg(&d[10], i, 7);
  u[i] = atomic_min(&u[0], (uint)i) + atomic_max(&u[1], (uint)i);
  f[i] = atomic_xchg(&f[0], 1.0f);
}

kernel void ordered(global atomic_int* flag, global int* data) {
  const int i = get_global_id(0);
  data[i] = i;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
  atomic_store_explicit(&flag[i], 1, memory_order_release, memory_scope_device);
  while (atomic_load_explicit(&flag[i ^ 1], memory_order_acquire, memory_scope_device) == 0) {
  }
  data[i] += data[i ^ 1];
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[i] += atomic_fetch_add_explicit(&flag[0], 3, memory_order_relaxed, memory_scope_work_group);
}

#ifdef __opencl_c_ext_fp32_global_atomic_add
kernel void float_atomics(global atomic_float* f, global float* out) {
  const int i = get_global_id(0);
  out[i] = atomic_fetch_add_explicit(&f[0], out[i], memory_order_relaxed, memory_scope_device);
}
#endif

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void long_atomics(global long* d) {
  const int i = get_global_id(0);
  d[i] = atom_add(&d[0], (long)i) + atom_cmpxchg(&d[1], 3L, (long)i) + atom_max(&d[2], (long)i);
}
#endif
