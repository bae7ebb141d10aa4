// SPDX-License-Identifier: Apache-2.0
// Barriers and waits that do not match. Rows: ../support/zoo.h
// On Xe2 threads that have ended do not hold up a barrier: what hangs a DG2 is a different count there.

// Half of the group never comes.
//= barrier_in_branch | groups 2 | local 64 | args buffer 512 | expect sync.divergent-barrier sync.barrier-count
kernel void barrier_in_branch(global int* p) {
  int i = get_local_id(0);
#ifdef FAULTY
  if (i < 32)
#endif
    barrier(CLK_LOCAL_MEM_FENCE);  // FAULT barrier_in_branch
  p[get_global_id(0)] = i;
}

// Every thread passes its own number of barriers.
//= barrier_in_loop | groups 1 | local 64 | args buffer 256 | expect sync.divergent-barrier sync.barrier-count
kernel void barrier_in_loop(global int* p) {
  int i = get_local_id(0);
#ifdef FAULTY
  int trips = 1 + i / 32;
#else
  int trips = 2;
#endif
  for (int k = 0; k < trips; k++) {
    p[i] = k;
    barrier(CLK_LOCAL_MEM_FENCE);  // FAULT barrier_in_loop
  }
}

// A flag that nobody sets.
//= waits_for_nobody | groups 1 | local 32 | args buffer 4 | expect sync.deadlock
kernel void waits_for_nobody(volatile global int* flag) {
#ifdef FAULTY
  while (atomic_or(flag, 0) == 0) {
  }
#else
  atomic_or(flag, 1);
#endif
}

// Two groups wait for each other in the wrong order.
//= each_waits_first | groups 2 | local 1 | args buffer 8 | expect sync.deadlock
kernel void each_waits_first(volatile global int* flags) {
  int me = get_group_id(0);
#ifdef FAULTY
  while (atomic_or(flags + 1 - me, 0) == 0) {
  }
  atomic_xchg(flags + me, 1);
#else
  atomic_xchg(flags + me, 1);
  while (atomic_or(flags + 1 - me, 0) == 0) {
  }
#endif
}
