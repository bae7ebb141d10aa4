// SPDX-License-Identifier: Apache-2.0
// Memory that nobody wrote. Rows: ../support/zoo.h

// The last element of the tile is read, never filled.
//= tile_edge | groups 1 | local 64 | args buffer 256, slm 260 | expect init.stored-value
kernel void tile_edge(global int* out, local int* tile) {
  int i = get_local_id(0);
  tile[i] = i;
#ifndef FAULTY
  if (i == 0) tile[64] = 0;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[i + 1];  // FAULT tile_edge
}

// The result of an earlier kernel that was never launched.
//= device_memory | groups 1 | local 32 | args buffer 128, undefined 128 | expect init.stored-value
kernel void device_memory(global int* out, global int* scratch) {
  int i = get_global_id(0);
#ifndef FAULTY
  scratch[i] = i;
#endif
  out[i] = scratch[i] + 1;  // FAULT device_memory
}

// A row pointer is loaded from a table that was not filled.
//= index_from_memory | groups 1 | local 32 | args buffer 128, undefined 128, buffer 4096 | expect init.address
kernel void index_from_memory(global int* out, global int* table, global int* data) {
  int i = get_global_id(0);
#ifndef FAULTY
  table[i] = i;
#endif
  out[i] = data[table[i] & 1023];  // FAULT index_from_memory
}

// The loop ends at a count that nobody wrote.
//= count_from_memory | groups 1 | local 32 | args buffer 128, undefined 128 | expect init.branch
kernel void count_from_memory(global int* out, global int* count) {
  int i = get_global_id(0);
#ifndef FAULTY
  count[i] = 3;
#endif
  int sum = 0;
  for (int k = 0; k < (count[i] & 7); k++) {  // FAULT count_from_memory
    out[i] = k;
    sum += k;
  }
}

// A selection between a value and 0, written by both sides of its condition.
//= selection | groups 2 | local 64 | args buffer 512, undefined 512 | expect init.stored-value
kernel void selection(global int* out, global int* a) {
  int i = get_global_id(0);
#ifndef FAULTY
  a[i] = 7;
#endif
  out[i] = i == 77 ? (short)a[i] : (short)0;  // FAULT selection
}

// A loop reads one row more than was written: all goes well until its last round.
//= late_in_a_loop | groups 1 | local 32 | args buffer 1024, undefined 1024, int 8 | expect init.stored-value
kernel void late_in_a_loop(global int* out, volatile global int* p, int n) {
  int i = get_local_id(0);
#ifdef FAULTY
  int written = n - 1;
#else
  int written = n;
#endif
  for (int k = 0; k < written; k++) p[k * 32 + i] = k;
  for (int k = 0; k < n; k++) out[k * 32 + i] = p[k * 32 + i];  // FAULT late_in_a_loop
}
