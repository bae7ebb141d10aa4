#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program with three faulty kernels, and one for another device, under `xeforge run`: it goes on, and each fault is named with kernel, group, thread,
# pc and instruction. Usage: check.sh XEFORGE PROGRAM
set -euo pipefail
xeforge=$1 program=$2
report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
"$xeforge" run -- "$program" >"$report" 2>&1 || status=$?
fail() { cat "$report"; echo "FAIL: $1"; exit 1; }
[[ $status -eq 70 ]] || fail "the status is $status instead of 70"
grep -qx 'as expected' "$report" || fail "the program did not see its exceptions and go on"
grep -q 'kernel .*beyond.*: out-of-bounds access to global memory in group 1,0,0, thread [0-9]*, lane 15, at pc 0x[0-9a-f]* `send.ugm' "$report" ||
  fail "the write behind the allocation is not named"
grep -q 'directly behind the end of device USM (1024 bytes)' "$report" || fail "the allocation is not named"
grep -q 'kernel .*divergent.*: divergent barrier in group 0,0,0, thread [0-9]*, at pc 0x[0-9a-f]* `.*sync.bar' "$report" ||
  fail "the divergent barrier is not named"
grep -q 'kernel .*wrong_index.*: out-of-bounds access to global memory in group 0,0,0, thread 0, lane 1, at pc 0x[0-9a-f]* `send.ugm' "$report" ||
  fail "the wrong index is not named"
grep -q "kernel .*tile_of_xe2.* uses a 2D block message (.*), which .*A770.* does not have" "$report" ||
  fail "the program is not told why the A770 cannot have the kernel"
grep -qx '==xeforge== problems: 3 launches faulted' "$report" || fail "the report does not count three faults"
echo "ok"
