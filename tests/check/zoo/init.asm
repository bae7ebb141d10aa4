// SPDX-License-Identifier: Apache-2.0
// Registers that nobody wrote. r1 holds the pointers.

//= register_stored | local 8 | args buffer 256 | expect init.stored-value
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
FIXED:(W) mov (8|M0) r11.0<1>:ud 3:ud
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}  // FAULT register_stored

// Only half of the lanes got their value.
//= half_written | local 8 | args buffer 256 | expect init.stored-value
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
FAULTY:(W) mov (4|M0) r11.0<1>:ud 3:ud
FIXED:(W) mov (8|M0) r11.0<1>:ud 3:ud
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}  // FAULT half_written

// The value goes through arithmetic before it is stored.
//= through_arithmetic | local 8 | args buffer 256 | expect init.stored-value
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
FIXED:(W) mov (8|M0) r12.0<1>:f 3.0:f
(W) mov (8|M0) r13.0<1>:f 1.0:f
(W) mad (8|M0) r11.0<1>:f r13.0<1;0>:f r12.0<1;0>:f r13.0<1>:f {F@1}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}  // FAULT through_arithmetic

// An index that nobody wrote, harmless only because it is multiplied by 0.
//= unwritten_index | local 8 | args buffer 256 | expect init.address
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
FAULTY:(W) mul (1|M0) r21.0<1>:d r50.0<0;1,0>:d 0x0:w
FIXED:(W) mov (1|M0) r21.0<1>:d 0x0:w
(W) mov (8|M0) r11.0<1>:ud 3:ud
(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud r21.0<0;1,0>:ud {I@2}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}  // FAULT unwritten_index

// A branch on a flag that no comparison set.
//= flag | local 8 | args buffer 256 | expect init.branch
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (8|M0) r11.0<1>:ud 3:ud
FIXED:(W) cmp (1|M0) (eq)f0.0 null<1>:ud r11.0<0;1,0>:ud 3:ud {I@1}
(W&f0.0) jmpi (1|M0) SKIP  // FAULT flag
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}
SKIP:

// An accumulator that nothing was accumulated in.
//= accumulator | local 8 | args buffer 256 | expect init.stored-value
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
FIXED:(W) mov (8|M0) acc0.0<1>:f 1.0:f
(W) mov (8|M0) r11.0<1>:f acc0.0<1;1,0>:f
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}  // FAULT accumulator

// One register of the matrix operand was forgotten.
//= dpas_operand | devices a770 | local 8 | args buffer 256 | expect init.stored-value
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (16|M0) r30.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r32.0<1>:ud 0x3F803F80:ud
FAULTY:(W) mov (8|M0) r34.0<1>:ud 0x3F803F80:ud
FIXED:(W) mov (16|M0) r34.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r36.0<1>:ud 0x3F803F80:ud
(W) mov (8|M0) r38.0<1>:ud 0x3F803F80:ud
(W) mov (8|M0) r40.0<1>:ud 0x0:ud
(W) sync.nop null {A@1}
dpas.8x1 (8|M0) r40:f r40:f r30:bf r38.0:bf {$3}
(W) sync.nop null {$3.dst}
(W) send.ugm (1|M0) null r20 r40:1 0x0 0x0200C584 {$0}  // FAULT dpas_operand

// The header of a barrier message.
//= barrier_header | devices a770 | local 8 | args buffer 256 | expect init.message
FIXED:(W) mov (8|M0) r22.0<1>:ud 0x0:ud
(W) send.gtwy (1|M0) null r22 null:0 0x0 0x02000004 {A@1,$2}  // FAULT barrier_header
(W) sync.bar null
