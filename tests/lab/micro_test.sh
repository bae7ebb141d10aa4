#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `xeforge micro` on virtual devices. Usage: micro_test.sh XEFORGE
set -euo pipefail
xeforge=$1
. "$(dirname "$0")/../setup/check.sh"

test_results_are_verified() {
  run "$xeforge" micro --mode functional --only int_add,float_chain,dpas_peak,slm_stream,barrier,walk
  expect_rc 0
  expect_says "verified; no time in functional mode"
  run "$xeforge" micro --mode functional --only dpas_peak,l1_stream --device b580
  expect_rc 0
}

test_times_follow_the_device() {
  run "$xeforge" micro --only int_chain,float_chain,dpas_peak --json out.json
  expect_rc 0
  expect_says "simulated"
  python3 - out.json <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
results = {r["id"]: r for r in d["results"]}
assert d["simulated"] and all(r["verified"] for r in results.values()), d
# A dependent instruction waits at least for the one before it; the engines cannot exceed what they can do.
assert results["int_chain"]["result"] >= results["int_chain"]["parameter"]["there"] * 0.99, results
peak = 2 * 64 * 512 * d["clock_mhz"] * 1e6 / 1e9
assert 0.7 * peak < results["dpas_peak"]["result"] <= peak * 1.001, results
assert d["device_file"]["issue.dpas8x8_cycles"] > 0
PY
}

test_wrong_input_is_named() {
  run "$xeforge" micro --only int_add,nothing
  expect_rc 2
  expect_says "there is no micro-benchmark 'nothing'"
  run "$xeforge" micro --device a999
  expect_rc 2
  expect_says "there is no device 'a999'"
  run "$xeforge" micro --mode fast
  expect_rc 2
  expect_says "fast"
  run "$xeforge" micro --list
  expect_rc 0
  expect_says "prefetch_256"
}
run_tests
