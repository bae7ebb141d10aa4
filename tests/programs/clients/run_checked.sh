#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a Python program of a client under all checkers: nothing may be found but what SUPPRESSIONS explains, and each of
# those has to be found. Usage: run_checked.sh XEFORGE DEVICE REQUIREMENTS PROGRAM SUPPRESSIONS
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
xeforge=$1 device=$2 requirements=$3 program=$4 suppressions=$5
python=$("$here/../dpctl/environment.sh" "$requirements" --install)
export PYTHONDONTWRITEBYTECODE=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
# Some wheels find the compiler's libraries, which other wheels bring, only through the library path; behind the driver's.
# shellcheck disable=SC2016
"$xeforge" run --device "$device" --check all --suppressions "$here/$suppressions" -- \
  sh -c 'LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$0 exec "$@"' "$(dirname "$python")/../lib" "$python" "$here/$program" \
  >"$log" 2>&1 || status=$?
fail() { cat "$log"; echo "FAIL: $1"; exit 1; }
[[ $status -eq 0 ]] || fail "'xeforge run --check all' ended with $status"
grep -q '==xeforge== findings: none' "$log" || fail "something is found"
grep -q '==xeforge== checked: .* in [1-9][0-9]* launch' "$log" || fail "nothing was launched"
grep '==xeforge== \(checked\|time\|suppressed\|findings\)' "$log"
