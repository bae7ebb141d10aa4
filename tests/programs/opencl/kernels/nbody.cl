// SPDX-License-Identifier: Apache-2.0
kernel void nbody(global const float4* in, global float4* velocity, global float4* out, local float4* tile, int n, float dt) {
  int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
  float4 p = in[i];
  float3 force = (float3)(0.0f);
  for (int t = 0; t < n; t += size) {
    tile[l] = in[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < size; ++j) {
      float3 d = tile[j].xyz - p.xyz;
      float r = rsqrt(dot(d, d) + 0.01f);
      force += d * (tile[j].w * r * r * r);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float4 v = velocity[i];
  v.xyz += force * dt;
  velocity[i] = v;
  p.xyz += v.xyz * dt;
  out[i] = p;
}
kernel void geometry(global const float4* a, global const float4* b, global float4* out) {
  int i = get_global_id(0);
  float4 c = cross(a[i], b[i]);
  out[i] = (float4)(dot(a[i], b[i]), length(c), distance(a[i], b[i]), normalize(a[i]).y);
}
