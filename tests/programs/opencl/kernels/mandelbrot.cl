// SPDX-License-Identifier: Apache-2.0
#pragma OPENCL FP_CONTRACT OFF
kernel void mandelbrot(global int* out, int width, int height, int limit) {
  int px = get_global_id(0), py = get_global_id(1);
  if (px >= width || py >= height) return;
  float cx = -2.0f + px * 3.0f / width, cy = -1.0f + py * 2.0f / height, x = 0.0f, y = 0.0f;
  int i = 0;
  for (; i < limit; ++i) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4.0f) break;
    y = 2.0f * x * y + cy;
    x = xx - yy + cx;
  }
  out[py * width + px] = i;
}
