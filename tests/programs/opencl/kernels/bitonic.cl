// SPDX-License-Identifier: Apache-2.0
kernel void bitonic_step(global uint* a, uint j, uint k) {
  uint i = get_global_id(0), l = i ^ j;
  if (l > i) {
    uint x = a[i], y = a[l];
    if ((x > y) == ((i & k) == 0)) {
      a[i] = y;
      a[l] = x;
    }
  }
}
kernel void bitonic_local(global long* a, local long* t, int n) {
  int i = get_local_id(0);
  a += get_group_id(0) * n;
  t[i] = a[i];
  for (int k = 2; k <= n; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int l = i ^ j;
      long x = t[i], y = t[l];
      barrier(CLK_LOCAL_MEM_FENCE);
      t[i] = ((i & k) == 0) == (l > i) ? min(x, y) : max(x, y);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[i];
}
