// SPDX-License-Identifier: Apache-2.0
// Barriers and fused pairs. r0.2 holds the thread's number, r1 the pointers.

// Stores to local memory are not complete when the barrier is signalled.
//= no_fence | local 32 | args buffer 256, slm 1024 | expect sync.missing-fence
(W) and (1|M0) r3.0<1>:ud r0.2<0;1,0>:ud 0xFF:ud
(W) shl (1|M0) r4.0<1>:ud r3.0<0;1,0>:ud 6:ud {I@1}
(W) mov (8|M0) r11.0<1>:ud 5:ud
(W) mov (8|M0) r22.0<1>:ud 0x0:ud
(W) send.slm (1|M0) null r4 r11:1 0x0 0x0200C504 {A@1,$0}  // FAULT no_fence
FIXED:(W) send.slm (1|M0) r5 r0 null:0 0x0 0x0210001F {$1}
FIXED:(W) sync.nop null {$1.dst}
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {$2}  // FAULT no_fence
(W) sync.bar null

// The second signal comes before the first one was waited for.
//= signals_twice | local 32 | args buffer 256 | expect sync.divergent-barrier
(W) mov (8|M0) r22.0<1>:ud 0x0:ud
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {A@1,$2}
FIXED:(W) sync.bar null
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {$3}  // FAULT signals_twice
(W) sync.bar null

// Threads of a fused pair jump to different places.
//= pair_parts | devices a770 | local 16 | args buffer 256 | expect sync.fused-pair
(W) and (1|M0) r3.0<1>:ud r0.2<0;1,0>:ud 0xFF:ud
FAULTY:(W) cmp (1|M0) (eq)f0.0 null<1>:ud r3.0<0;1,0>:ud 0:ud {I@1}
FIXED:(W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.1<0;1,0>:ud 0:ud {I@1}
(W&f0.0) jmpi (1|M0) OVER  // FAULT pair_parts
(W) mov (8|M0) r11.0<1>:ud 3:ud
OVER:
(W) mov (8|M0) r12.0<1>:ud 3:ud

// One thread of the pair never comes to the dpasw.
//= no_partner | devices a770 | local 16 | args buffer 256 | expect sync.fused-pair
(W) and (1|M0) r3.0<1>:ud r0.2<0;1,0>:ud 0xFF:ud
(W) mov (16|M0) r30.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r32.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r34.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r36.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r50.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r52.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r40.0<1>:ud 0x0:ud
(W) mov (16|M0) r42.0<1>:ud 0x0:ud
(W) mov (16|M0) r44.0<1>:ud 0x0:ud
(W) mov (16|M0) r46.0<1>:ud 0x0:ud
FAULTY:(W) cmp (1|M0) (eq)f0.0 null<1>:ud r3.0<0;1,0>:ud 0:ud {I@1}
FIXED:(W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.1<0;1,0>:ud 1:ud {I@1}
(W&f0.0) jmpi (1|M0) PAST  // FAULT no_partner
(W) sync.nop null {A@1}
dpasw.8x8 (8|M0) r40:f r40:f r30:bf r50.0:bf {$3}  // FAULT no_partner
PAST:
(W) mov (8|M0) r12.0<1>:ud 3:ud

// Three producers are announced, two threads produce: the consumers wait for ever.
//= named_barrier_counts | devices b580 | local 64 | args buffer 256 | expect sync.deadlock
(W) and (1|M0) r3.0<1>:ud r0.2<0;1,0>:ud 0xFF:ud
(W) mov (16|M0) r22.0<1>:ud 0x0:ud
(W) cmp (1|M0) (ge)f0.0 null<1>:ud r3.0<0;1,0>:ud 2:ud {I@2}
(W&f0.0) jmpi (1|M0) CONSUMER
FAULTY:(W) mov (1|M0) r22.2<1>:ud 0x02034003:ud {I@2}
FIXED:(W) mov (1|M0) r22.2<1>:ud 0x02024003:ud {I@2}
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {A@1,$2}
(W) jmpi (1|M0) OUT
CONSUMER:
FAULTY:(W) mov (1|M0) r22.2<1>:ud 0x02038003:ud {I@2}
FIXED:(W) mov (1|M0) r22.2<1>:ud 0x02028003:ud {I@2}
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {A@1,$3}
(W) sync.bar 0x3  // FAULT named_barrier_counts
OUT:
(W) mov (8|M0) r12.0<1>:ud 3:ud

// Two threads write, two read behind a named barrier: one of them does not wait for it.
//= named_barrier_not_awaited | devices b580 | local 64 | args buffer 256, slm 1024 | expect races.slm
(W) and (1|M0) r3.0<1>:ud r0.2<0;1,0>:ud 0xFF:ud
(W) mov (16|M0) r22.0<1>:ud 0x0:ud
(W) mov (16|M0) r11.0<1>:ud 5:ud
(W) and (1|M0) r4.0<1>:ud r3.0<0;1,0>:ud 1:ud {I@3}
(W) shl (1|M0) r4.0<1>:ud r4.0<0;1,0>:ud 6:ud {I@1}
(W) cmp (1|M0) (ge)f0.0 null<1>:ud r3.0<0;1,0>:ud 2:ud {I@1}
(W&f0.0) jmpi (1|M0) CONSUMER
(W) send.slm (1|M0) null r4 r11:1 0x0 0x0200C504 {A@1,$0}  // FAULT named_barrier_not_awaited
(W) send.slm (1|M0) r5 r0 null:0 0x0 0x0210001F {$1}
(W) sync.nop null {$1.dst}
(W) mov (1|M0) r22.2<1>:ud 0x02024003:ud
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {A@1,$2}
(W) jmpi (1|M0) OUT
CONSUMER:
(W) mov (1|M0) r22.2<1>:ud 0x02028003:ud {A@1}
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {A@1,$3}
FIXED:(W) sync.bar 0x3
(W) send.slm (1|M0) r10 r4 null:0 0x0 0x0210C500 {$4}  // FAULT named_barrier_not_awaited
OUT:
(W) mov (8|M0) r12.0<1>:ud 3:ud

// The producers' stores are not complete when they signal.
//= named_barrier_no_fence | devices b580 | local 64 | args buffer 256, slm 1024 | expect sync.missing-fence
(W) and (1|M0) r3.0<1>:ud r0.2<0;1,0>:ud 0xFF:ud
(W) mov (16|M0) r22.0<1>:ud 0x0:ud
(W) mov (16|M0) r11.0<1>:ud 5:ud
(W) and (1|M0) r4.0<1>:ud r3.0<0;1,0>:ud 1:ud {I@3}
(W) shl (1|M0) r4.0<1>:ud r4.0<0;1,0>:ud 6:ud {I@1}
(W) cmp (1|M0) (ge)f0.0 null<1>:ud r3.0<0;1,0>:ud 2:ud {I@1}
(W&f0.0) jmpi (1|M0) CONSUMER
(W) send.slm (1|M0) null r4 r11:1 0x0 0x0200C504 {A@1,$0}  // FAULT named_barrier_no_fence
FIXED:(W) send.slm (1|M0) r5 r0 null:0 0x0 0x0210001F {$1}
FIXED:(W) sync.nop null {$1.dst}
(W) mov (1|M0) r22.2<1>:ud 0x02024000:ud {A@1}
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {A@1,$2}  // FAULT named_barrier_no_fence
(W) jmpi (1|M0) OUT
CONSUMER:
(W) mov (1|M0) r22.2<1>:ud 0x02028000:ud {A@1}
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {A@1,$3}
(W) sync.bar 0x0
(W) send.slm (1|M0) r10 r4 null:0 0x0 0x0210C500 {$4}
OUT:
(W) mov (8|M0) r12.0<1>:ud 3:ud
