// SPDX-License-Identifier: Apache-2.0
kernel void axpy(global float* out, global const float* x, float a) {
  size_t i = get_global_id(0);
  out[i] = a * x[i] + out[i];
}

kernel void group_sums(global int* out, global const int* in, local int* tmp) {
  size_t l = get_local_id(0);
  tmp[l] = in[get_global_id(0)];
  for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) tmp[l] += tmp[l + step];
  }
  if (l == 0) out[get_group_id(0)] = tmp[0];
}

kernel void grid(global int* out) {
  size_t y = get_global_id(1), x = get_global_id(0);
  out[y * get_global_size(0) + x] = (int)(1000 * y + x);
}
