// SPDX-License-Identifier: Apache-2.0
// Compiled with -cl-fp32-correctly-rounded-divide-sqrt: the machine's macro instructions for IEEE division and root.
kernel void divide(global const float* a, global const float* b, global float* out) { out[get_global_id(0)] = a[get_global_id(0)] / b[get_global_id(0)]; }
kernel void root(global const float* a, global const float* b, global float* out) { out[get_global_id(0)] = sqrt(a[get_global_id(0)]); }
