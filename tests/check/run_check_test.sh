#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `xeforge run --check` over a program with a faulty kernel: reports, files, suppressions, statuses.
# Usage: run_check_test.sh XEFORGE PROGRAM
set -euo pipefail
xeforge=$1 program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { cat "$folder"/out* 2>/dev/null; echo "FAIL: $1"; exit 1; }
status=0
"$xeforge" run --check all --json "$folder/report.json" --junit "$folder/findings.xml" \
  --gen-suppressions "$folder/all.supp" -- "$program" >"$folder/out1" 2>&1 || status=$?
# The write behind the allocation is dropped and the program goes on, so that it does not see the exception it expects.
[[ $status -ne 0 ]] || fail "a program with faulty kernels ended with 0"
grep -q '\[memory.out-of-bounds\]' "$folder/out1" || fail "the write behind the allocation is not reported"
grep -qx '==xeforge== findings: 1 distinct' "$folder/out1" || fail "something else is reported"
grep -q '==xeforge== checked: memory,races,init,sync,hazards in [0-9]* launches' "$folder/out1" || fail "no summary"
grep -q '<failure message="1 finding"' "$folder/findings.xml" || fail "no failure in the JUnit file"
grep -q '"kind": "memory.out-of-bounds"' "$folder/report.json" || fail "the JSON file has no finding"
status=0
"$xeforge" run --check all --suppressions "$folder/all.supp" -- "$program" >"$folder/out2" 2>&1 || status=$?
[[ $status -eq 2 ]] || fail "suppressions without a reason are accepted"
sed -i 's/reason:/reason: known/' "$folder/all.supp"
"$xeforge" run --check all --suppressions "$folder/all.supp" -- "$program" >"$folder/out3" 2>&1 || true
grep -qx '==xeforge== findings: none' "$folder/out3" || fail "suppressed findings are left"
grep -q '==xeforge== suppressed: 1 x memory.out-of-bounds (known)' "$folder/out3" || fail "suppressions are not named"
status=0
"$xeforge" run --check memory,leaks -- true >"$folder/out4" 2>&1 || status=$?
[[ $status -eq 2 ]] && grep -q "'leaks'" "$folder/out4" || fail "an unknown checker is not named"
status=0
"$xeforge" run --check '' -- true >"$folder/out5" 2>&1 || status=$?
[[ $status -eq 2 ]] && grep -q 'names no checker' "$folder/out5" || fail "an empty list of checkers is accepted"
echo ok
