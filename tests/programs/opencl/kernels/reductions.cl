// SPDX-License-Identifier: Apache-2.0
// Sums three ways: a tree in local memory, the work-group function, and sub-groups with one atomic each.
kernel void tree(global const int* in, global int* out, local int* tmp, int n) {
  size_t l = get_local_id(0);
  int sum = 0;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  tmp[l] = sum;
  for (size_t step = get_local_size(0) / 2; step > 0; step >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) tmp[l] += tmp[l + step];
  }
  if (l == 0) atomic_add(out, tmp[0]);
}
kernel void group_function(global const int* in, global int* out, int n) {
  int sum = 0;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  sum = work_group_reduce_add(sum);
  if (get_local_id(0) == 0) atomic_add(out, sum);
}
kernel void sub_groups(global const int* in, global int* out, int n) {
  int sum = 0;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  sum = sub_group_reduce_add(sum);
  if (get_sub_group_local_id() == 0) atomic_add(out, sum);
}
kernel void extremes(global const float* in, global float* out, int n) {
  float low = INFINITY, high = -INFINITY;
  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
    low = fmin(low, in[i]);
    high = fmax(high, in[i]);
  }
  low = work_group_reduce_min(low);
  high = work_group_reduce_max(high);
  if (get_local_id(0) == 0) {
    out[2 * get_group_id(0)] = low;
    out[2 * get_group_id(0) + 1] = high;
  }
}
