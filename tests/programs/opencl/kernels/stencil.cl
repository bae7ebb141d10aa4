// SPDX-License-Identifier: Apache-2.0
// Seven points in a box, and a 5x5 filter with weights in constant memory.
kernel void heat(global const float* in, global float* out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2);
  int i = (z * ny + y) * nx + x;
  float sum = -6.0f * in[i];
  sum += x > 0 ? in[i - 1] : 0.0f;
  sum += x < nx - 1 ? in[i + 1] : 0.0f;
  sum += y > 0 ? in[i - nx] : 0.0f;
  sum += y < ny - 1 ? in[i + nx] : 0.0f;
  sum += z > 0 ? in[i - nx * ny] : 0.0f;
  sum += z < nz - 1 ? in[i + nx * ny] : 0.0f;
  out[i] = in[i] + 0.125f * sum;
}
constant int weights[25] = {1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1};
kernel void filter(global const uchar* in, global uchar* out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      int sx = clamp(x + dx, 0, width - 1), sy = clamp(y + dy, 0, height - 1);
      sum += weights[(dy + 2) * 5 + dx + 2] * in[sy * width + sx];
    }
  }
  out[y * width + x] = convert_uchar_sat(sum / 273);
}
