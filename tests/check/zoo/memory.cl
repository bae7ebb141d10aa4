// SPDX-License-Identifier: Apache-2.0
// Accesses that leave their memory or break its rules. How to read the rows: ../support/zoo.h
#define SUB(n) __attribute__((intel_reqd_sub_group_size(n)))

// The last work-item writes behind the buffer: `<=` for `<`.
//= off_by_one_store | groups 4 | local 64 | args buffer 1024, int 256 | expect memory.out-of-bounds
kernel void off_by_one_store(global float* p, int n) {
  int i = get_global_id(0);
#ifdef FAULTY
  i += i == n - 1;
#endif
  p[i] = 1.0f;  // FAULT off_by_one_store
}

// A halo read in front of the first element.
//= reads_in_front | groups 2 | local 32 | args buffer 256, buffer 256 | expect memory.out-of-bounds
kernel void reads_in_front(global const float* a, global float* out) {
  int i = get_global_id(0);
  int left = i - 1;
#ifndef FAULTY
  left = max(left, 0);
#endif
  out[i] = a[left];  // FAULT reads_in_front
}

// The grid is rounded up to whole groups and nobody guards the rest.
//= unguarded_tail | groups 2 | local 64 | args buffer 400, int 100 | expect memory.out-of-bounds
kernel void unguarded_tail(global int* p, int n) {
  int i = get_global_id(0);
#ifndef FAULTY
  if (i >= n) return;
#endif
  p[i] = i;  // FAULT unguarded_tail
}

// Columns for rows: the leading dimension is that of the other matrix.
//= wrong_leading_dimension | groups 4 4 | local 16 4 | args buffer 4096, buffer 4096 | expect memory.out-of-bounds
kernel void wrong_leading_dimension(global const float* a, global float* out) {
  int x = get_global_id(0), y = get_global_id(1);
#ifdef FAULTY
  float v = a[y * 128 + x];  // FAULT wrong_leading_dimension
#else
  float v = a[y * 64 + x];
#endif
  out[y * 64 + x] = v;
}

// One byte too far.
//= byte_store | groups 1 | local 32 | args buffer 32 | expect memory.out-of-bounds
kernel void byte_store(global uchar* p) {
  int i = get_global_id(0);
#ifdef FAULTY
  i++;
#endif
  p[i] = 7;  // FAULT byte_store
}

//= atomic_beyond | groups 1 | local 32 | args buffer 16 | expect memory.out-of-bounds
kernel void atomic_beyond(volatile global int* bins) {
  int i = get_global_id(0);
#ifdef FAULTY
  atomic_inc(bins + i / 4);  // FAULT atomic_beyond
#else
  atomic_inc(bins + i / 8);
#endif
}

// A vector that straddles the end of the buffer.
//= vector_straddles | groups 1 | local 16 | args buffer 260, buffer 1024 | expect memory.out-of-bounds
kernel void vector_straddles(global const float* a, global float* out) {
  int i = get_global_id(0);
#ifdef FAULTY
  float4 v = vload4(0, a + 4 * i + 2);  // FAULT vector_straddles
#else
  float4 v = vload4(0, a + 4 * i);
#endif
  vstore4(v, i, out);
}

#ifdef FAULTY
#define ARGUMENT 1
#endif
// An optional argument that the caller did not pass.
//= null_argument | groups 1 | local 32 | args buffer 128, null, int 1 | expect memory.null-pointer
kernel void null_argument(global float* out, global const float* bias, int has_bias) {
  int i = get_global_id(0);
  float v = i;
#ifndef FAULTY
  has_bias = 0;
#endif
  if (has_bias) v += bias[i];  // FAULT null_argument
  out[i] = v;
}

// The host freed the buffer before the kernel ran.
//= freed_buffer | groups 1 | local 32 | args buffer 128, freed 128 | expect memory.use-after-free
kernel void freed_buffer(global float* out, global const float* a) {
  int i = get_global_id(0);
#ifdef FAULTY
  out[i] = a[i];  // FAULT freed_buffer
#else
  out[i] = i;
#endif
}

// new float[n] instead of malloc_host.
//= host_pointer | groups 1 | local 32 | args buffer 128, host 128 | expect memory.wrong-kind
kernel void host_pointer(global float* out, global const float* a) {
  int i = get_global_id(0);
#ifdef FAULTY
  out[i] = a[i];  // FAULT host_pointer
#else
  out[i] = i;
#endif
}

// A tile with one column too few.
//= slm_beyond | groups 2 | local 64 | args buffer 512, slm 256 | expect memory.slm-out-of-bounds
kernel void slm_beyond(global float* out, local float* tile) {
  int i = get_local_id(0);
  tile[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef FAULTY
  int next = i + 1;
#else
  int next = (i + 1) & 63;
#endif
  out[get_global_id(0)] = tile[next];  // FAULT slm_beyond
}

//= slm_store_beyond | groups 1 | local 64 | args buffer 256, slm 256 | expect memory.slm-out-of-bounds
kernel void slm_store_beyond(global int* out, local int* tile) {
  int i = get_local_id(0);
#ifdef FAULTY
  int at = 2 * i;
#else
  int at = i;
#endif
  tile[at] = i;  // FAULT slm_store_beyond
  out[i] = i;
}

// A pointer into packed data is taken for a pointer to float4.
//= misaligned_vector | groups 1 | local 16 | args buffer 1024, buffer 1024 | expect memory.misaligned
kernel void misaligned_vector(global const uchar* packed, global float4* out) {
  int i = get_global_id(0);
#ifdef FAULTY
  global const float4* a = (global const float4*)(packed + 2);
#else
  global const float4* a = (global const float4*)(packed + 16);
#endif
  out[i] = a[i];  // FAULT misaligned_vector
}

//= misaligned_atomic | groups 1 | local 16 | args buffer 128 | expect memory.misaligned
kernel void misaligned_atomic(global uchar* header) {
#ifdef FAULTY
  volatile global int* counter = (volatile global int*)(header + 6);
#else
  volatile global int* counter = (volatile global int*)(header + 8);
#endif
  atomic_add(counter, 1);  // FAULT misaligned_atomic
}

// const is cast away.
//= writes_const | groups 1 | local 32 | args buffer 128, buffer 128 | expect memory.read-only-write
kernel void writes_const(global const float* a, global float* out) {
  int i = get_global_id(0);
  out[i] = a[i];
#ifdef FAULTY
  ((global float*)a)[i] = 0.0f;  // FAULT writes_const
#endif
}

#ifdef FAULTY
#define PROMISE restrict
#else
#define PROMISE
#endif
// Two restrict pointers to one buffer.
//= broken_restrict | groups 1 | local 32 | args buffer 256, same 0 128 | expect memory.overlapping-arguments
kernel void broken_restrict(global float* PROMISE out, global float* PROMISE a) {
  int i = get_global_id(0);
  out[i] = 2.0f * a[i];
}
