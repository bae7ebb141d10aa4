// SPDX-License-Identifier: Apache-2.0
// A prefix sum over many groups in three passes; and Blelloch's tree within one group.
kernel void scan_groups(global const uint* in, global uint* out, global uint* totals) {
  uint x = in[get_global_id(0)];
  uint s = work_group_scan_inclusive_add(x);
  out[get_global_id(0)] = s;
  if (get_local_id(0) == get_local_size(0) - 1) totals[get_group_id(0)] = s;
}
kernel void scan_totals(global uint* totals) {
  totals[get_local_id(0)] = work_group_scan_exclusive_add(totals[get_local_id(0)]);
}
kernel void add_totals(global uint* out, global const uint* totals) { out[get_global_id(0)] += totals[get_group_id(0)]; }

kernel void blelloch(global const int* in, global int* out, local int* t, int n) {
  int l = get_local_id(0), offset = 1;
  t[2 * l] = in[2 * l];
  t[2 * l + 1] = in[2 * l + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) t[offset * (2 * l + 2) - 1] += t[offset * (2 * l + 1) - 1];
    offset *= 2;
  }
  if (l == 0) t[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      int a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1, v = t[a];
      t[a] = t[b];
      t[b] += v;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2 * l] = t[2 * l];
  out[2 * l + 1] = t[2 * l + 1];
}
