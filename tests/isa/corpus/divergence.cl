// SPDX-License-Identifier: Apache-2.0
// Branches, loops, early exits and a switch: goto, join, jmpi, predicates.
kernel void nested(global const int* in, global int* out, int n) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < in[i]; ++k) {
    if ((k & 3) == 1) continue;
    if (sum > n) break;
    for (int j = k; j > 0; j >>= 1) {
      if ((in[i + j] ^ k) & 1) {
        sum += in[j];
      } else {
        sum -= j * k;
        if (sum < -n) goto done;
      }
    }
  }
done:
  out[i] = sum;
}

kernel void selects(global const float* a, global const float* b, global float* out) {
  const int i = get_global_id(0);
  float r = a[i] > b[i] ? a[i] : b[i] * 2.0f;
  r = isnan(r) ? 0.0f : r;
  r = fmin(fmax(r, -1.0f), 1.0f);
  out[i] = signbit(r) ? -r : copysign(r, a[i]);
}

kernel void cases(global int* data) {
  const int i = get_global_id(0);
  switch (data[i]) {
    case 0: data[i] = 17; break;
    case 1: data[i] = data[i + 1]; break;
    case 2: data[i] ^= 0x55; break;
    case 3: data[i] = ~data[i]; break;
    case 5: data[i] = -data[i]; break;
    case 9: data[i] = i; break;
    default: data[i] = min(data[i], 100);
  }
}

kernel void uniform_loop(global float* data, int n) {
  const int i = get_global_id(0);
  float x = data[i];
  for (int k = 0; k < n; ++k) x = mad(x, x, data[k]);
  data[i] = x;
}
