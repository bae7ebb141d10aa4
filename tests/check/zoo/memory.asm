// SPDX-License-Identifier: Apache-2.0
// Messages that no compiler of OpenCL C makes from a small kernel. r1 holds the pointers.

// A prefetch runs ahead of the data.
//= prefetch_beyond | local 8 | args buffer 256 | expect memory.invalid-prefetch
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
FAULTY:(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 0x4000:ud {I@1}
FIXED:(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 0x40:ud {I@1}
(W) send.ugm (1|M0) null r20 null:0 0x0 0x0208C580 {A@1,$0}  // FAULT prefetch_beyond

// A block load at an odd address.
//= block_misaligned | local 8 | args buffer 256 | expect memory.misaligned
(W) mov (2|M0) r20.0<1>:ud r1.0<1;1,0>:ud
FAULTY:(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 0x2:ud {I@1}
FIXED:(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 0x4:ud {I@1}
(W) send.ugm (1|M0) r10 r20 null:0 0x0 0x0210C580 {A@1,$0}  // FAULT block_misaligned

// A spill in a kernel that has no scratch.
//= scratch_without_scratch | devices a770 | local 8 | args buffer 256 | expect memory.scratch-out-of-bounds
(W) mov (8|M0) r11.0<1>:ud 3:ud
(W) mov (8|M0) r12.0<1>:ud r0.0<1;1,0>:ud
FAULTY:(W) send.dc0 (8|M0) null r12 r11:1 0x0 0x020F0002 {A@1,$0}  // FAULT scratch_without_scratch
FIXED:(W) sync.nop null {A@1}
