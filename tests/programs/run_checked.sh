#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program under `xeforge run` and checks the report: the program succeeded, nothing faulted, and at least so many
# different kernels ran. Usage: run_checked.sh XEFORGE DEVICE LEAST-KERNELS PROGRAM [ARGUMENTS]
set -euo pipefail
xeforge=$1 device=$2 least=$3
shift 3
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT
status=0
"$xeforge" run --device "$device" --json "$report/run.json" -- "$@" 2>"$report/text" || status=$?
if [[ $status -ne 0 ]]; then
  cat "$report/text"
  echo "FAIL: 'xeforge run' ended with $status"
  exit 1
fi
summary=$(grep '^==xeforge== virtual' "$report/text") || { cat "$report/text"; echo "FAIL: there is no summary"; exit 1; }
grep -qx '==xeforge== problems: none' "$report/text" || { cat "$report/text"; echo "FAIL: problems are reported"; exit 1; }
python3 - "$report/run.json" "$device" "$least" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
assert report["device"] == sys.argv[2], report["device"]
assert report["exit_status"] == 0 and report["faults"] == 0 and not report["problems"], report["problems"]
kernels = report["kernels"]
assert len(kernels) >= int(sys.argv[3]), f"only {len(kernels)} kernels ran"
assert sum(k["launches"] for k in kernels) == report["launches"]
assert all(k["counts"]["instructions"] >= k["threads"] > 0 for k in kernels)
PYTHON
echo "$summary"
