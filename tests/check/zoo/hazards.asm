// SPDX-License-Identifier: Apache-2.0
// Waits of the software scoreboard that are missing, too short, or for something else. r1 holds the pointers.

// A result is read by the next instruction without a distance.
//= no_distance | local 8 | args buffer 256 | expect hazards.read-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (8|M0) r10.0<1>:ud 7:ud
FAULTY:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud  // FAULT no_distance
FIXED:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {I@1}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}

// The distance skips the producer.
//= distance_too_long | local 8 | args buffer 256 | expect hazards.read-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (8|M0) r10.0<1>:ud 7:ud
(W) mov (8|M0) r12.0<1>:ud 9:ud
FAULTY:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {I@3}  // FAULT distance_too_long
FIXED:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {I@2}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}

// The wait is for the integer pipe, the producer ran on the float pipe.
//= wrong_pipe | local 8 | args buffer 256 | expect hazards.read-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (8|M0) r10.0<1>:f 1.0:f
FAULTY:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {I@1}  // FAULT wrong_pipe
FIXED:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {F@1}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}

// A loaded value is used without its token.
//= load_without_token | local 8 | args buffer 256 | expect hazards.read-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) send.ugm (1|M0) r10 r20 null:0 0x0 0x0210C580 {A@1,$0}
FAULTY:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud  // FAULT load_without_token
FIXED:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {$0.dst}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$1}

// .src says only that the message has read its operands.
//= source_token_for_result | local 8 | args buffer 256 | expect hazards.read-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) send.ugm (1|M0) r10 r20 null:0 0x0 0x0210C580 {A@1,$0}
FAULTY:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {$0.src}  // FAULT source_token_for_result
FIXED:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {$0.dst}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$1}

// Two loads, and the wait is for the other one.
//= token_of_another | local 8 | args buffer 256 | expect hazards.read-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) send.ugm (1|M0) r10 r20 null:0 0x0 0x0210C580 {A@1,$0}
(W) send.ugm (1|M0) r12 r20 null:0 0x0 0x0210C580 {$1}
FAULTY:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {$1.dst}  // FAULT token_of_another
FIXED:(W) add (8|M0) r11.0<1>:ud r10.0<1;1,0>:ud 1:ud {$0.dst}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$2}

// The data of a store is overwritten while the store may still read it.
//= store_data_overwritten | local 8 | args buffer 256 | expect hazards.overwritten-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (8|M0) r11.0<1>:ud 7:ud
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$0}
FAULTY:(W) mov (8|M0) r11.0<1>:ud 8:ud  // FAULT store_data_overwritten
FIXED:(W) mov (8|M0) r11.0<1>:ud 8:ud {$0.src}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$1}

// A load lands after the write that should replace it.
//= load_lands_late | devices a770 | local 8 | args buffer 256 | expect hazards.write-order
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) send.ugm (1|M0) r11 r20 null:0 0x0 0x0210C580 {A@1,$0}
FAULTY:(W) mov (8|M0) r11.0<1>:ud 8:ud  // FAULT load_lands_late
FIXED:(W) mov (8|M0) r11.0<1>:ud 8:ud {$0.dst}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$1}

// Two pipes write one register.
//= two_pipes_write | local 8 | args buffer 256 | expect hazards.write-order
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (8|M0) r11.0<1>:f 1.0:f
FAULTY:(W) mov (8|M0) r11.0<1>:ud 8:ud  // FAULT two_pipes_write
FIXED:(W) mov (8|M0) r11.0<1>:ud 8:ud {F@1}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$1}

// Extended math takes its time: by token on DG2.
//= math_token | devices a770 | local 8 | args buffer 256 | expect hazards.read-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (8|M0) r10.0<1>:f 2.0:f
(W) sync.nop null {F@1}
(W) math.inv (8|M0) r12.0<1>:f r10.0<1;1,0>:f {$2}
FAULTY:(W) mul (8|M0) r11.0<1>:f r12.0<1;1,0>:f r12.0<1;1,0>:f  // FAULT math_token
FIXED:(W) mul (8|M0) r11.0<1>:f r12.0<1;1,0>:f r12.0<1;1,0>:f {$2.dst}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$1}

// The matrix engine's result is read at once.
//= dpas_result | devices a770 | local 8 | args buffer 256 | expect hazards.read-too-early
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
(W) mov (16|M0) r30.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r32.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r34.0<1>:ud 0x3F803F80:ud
(W) mov (16|M0) r36.0<1>:ud 0x3F803F80:ud
(W) mov (8|M0) r38.0<1>:ud 0x3F803F80:ud
(W) mov (8|M0) r40.0<1>:ud 0x0:ud
(W) sync.nop null {A@1}
dpas.8x1 (8|M0) r40:f r40:f r30:bf r38.0:bf {$3}
FAULTY:(W) mov (8|M0) r11.0<1>:f r40.0<1;1,0>:f  // FAULT dpas_result
FIXED:(W) mov (8|M0) r11.0<1>:f r40.0<1;1,0>:f {$3.dst}
(W) send.ugm (1|M0) null r20 r11:1 0x0 0x0200C584 {A@1,$1}
