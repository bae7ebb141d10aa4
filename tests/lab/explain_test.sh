#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `xeforge explain`, `xeforge experiment` and the library's own providers on the virtual A770. Usage: explain_test.sh XEFORGE
set -euo pipefail
xeforge=$1
. "$(dirname "$0")/../setup/check.sh"

test_a_rung_beside_its_base() {
  run "$xeforge" explain esimd_addr_step --shape 128x64x64 --json out.json
  expect_rc 0
  expect_says "esimd_addr_step (base: esimd_a_direct)"
  expect_says "what changed: addresses hoisted, constant steps"
  expect_says "src/kernels/ladder/esimd_addr_step.h"
  expect_says "the inner loop"
  expect_says "dpas"
  python3 - out.json <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["base"]["rung"]["id"] == "esimd_a_direct"
# The counts of the instructions are the counters, and the loop is made of instructions.
assert sum(i["executed"] for i in d["instructions"]) == d["counts"]["instructions"], d["counts"]
assert d["change"]["dpas"] == d["counts"]["dpas"] - d["base"]["counts"]["dpas"]
loop = max((l for l in d["loops"] if l["innermost"]), key=lambda l: l["counts"]["instructions"])
inside = [i for i in d["instructions"] if loop["first_pc"] <= i["pc"] <= loop["last_pc"]]
assert sum(i["executed"] for i in inside) == loop["counts"]["instructions"]
assert loop["counts"]["dpas"] > 0
PY
}

test_a_counts_are_those_of_the_ladder() {
  run "$xeforge" ladder --rungs jm_vnni_vec --shape 128x64x64 --json ladder.json
  expect_rc 0
  run "$xeforge" explain jm_vnni_vec --shape 128x64x64 --json out.json
  expect_rc 0
  python3 - ladder.json out.json <<'PY'
import json, sys
ladder, explained = json.load(open(sys.argv[1]))["rungs"][0], json.load(open(sys.argv[2]))
assert ladder["counts"] == explained["counts"], (ladder["counts"], explained["counts"])
# Its B alone is packed.
assert ladder["packed_bytes"] == 64 * 64 * 2 and ladder["time_us"]["pack"] > 0, ladder
PY
}

test_where_the_simulated_time_goes() {
  run "$xeforge" explain esimd_addr_step --mode timed --shape 128x64x64 --json out.json
  expect_rc 0
  expect_says "time, simulated"
  expect_says "the model's error: "
  expect_says "bound: "
  expect_says "where the time of the thread slots goes"
  expect_says "waited for %"
  run "$xeforge" ladder --rungs esimd_addr_step,esimd_a_direct --mode timed --shape 128x64x64 --json ladder.json
  expect_rc 0
  python3 - out.json ladder.json <<'PY'
import json, sys
d, ladder = json.load(open(sys.argv[1])), {r["id"]: r for r in json.load(open(sys.argv[2]))["rungs"]}
for one in d, d["base"]:
    time = one["time"]
    assert time["simulated"] and abs(sum(t["share"] for t in time["thread_time"]) - 1) < 1e-9, time
    assert {t["pc"] for t in time["thread_time"]} - {None} <= {i["pc"] for i in one["instructions"]}
    assert time["bound"] in ("latency", "barrier", "launch") or time["bound"] in {r["name"] for r in time["roofs"]}
    assert time["model_error"]["family"] == "esimd" and time["model_error"]["mape"] > 0
    # The clock of the ladder's timed mode.
    ours, theirs = time["per_launch_us"], ladder[one["rung"]["id"]]["time_us"]["per_launch"]
    assert abs(ours / theirs - 1) < 1e-9, (ours, theirs)
PY
  run "$xeforge" explain esimd_addr_step --mode fast
  expect_rc 2
  expect_says "neither functional nor timed"
}

test_another_base_and_a_rung_without_one() {
  run "$xeforge" explain esimd_a_slm_staging --base esimd_a_direct --shape 128x64x64
  expect_rc 0
  expect_says "esimd_a_slm_staging (base: esimd_a_direct)"
  run "$xeforge" explain naive --shape 32x32x16 --isa
  expect_rc 0
  expect_says "the code"
}

test_a_recording_of_any_program() {
  XEFORGE_RECORD=$PWD/recordings run "$xeforge" bench --providers xeforge.general --shapes 128x64x64:2:1
  expect_rc 0
  run "$xeforge" explain --recording recordings/*general_a_b.xfr
  expect_rc 0
  expect_says "general_a_b"
  expect_says "the inner loop"
  run "$xeforge" explain --mode timed --recording recordings/*general_a_b.xfr
  expect_rc 0
  expect_says "not measured for such a kernel"
}

test_wrong_ones_are_said() {
  run "$xeforge" explain esimd_4bu
  expect_rc 2
  expect_says "esimd_4buf"
  run "$xeforge" explain 'jm_*'
  expect_rc 2
  expect_says "explain takes one"
  run "$xeforge" explain esimd_4buf --shape 100x64x64
  expect_rc 1
  expect_says "M = 100 is not a multiple of 128"
  run "$xeforge" explain
  expect_rc 2
  expect_says "name a rung"
  # What would not be used is refused.
  local other
  for other in esimd_4buf "--base naive" "--isa" "--json out.json" "--recording a.xfr"; do
    # shellcheck disable=SC2086
    run "$xeforge" explain --problem 64x64x64 $other
    expect_rc 2
    expect_says "--problem"
  done
  run "$xeforge" explain esimd_4buf --recording a.xfr
  expect_rc 2
  run "$xeforge" explain esimd_4buf --weights
  expect_rc 2
  expect_says "--problem"
}

test_the_prefetch_experiment() {
  run "$xeforge" experiment prefetch --shapes 128x64x64,256x64x128 --distances 1,2 --out here
  expect_rc 0
  expect_says "256x64x128"
  expect_says "Prefetch against none"
  [[ $(wc -l <here/prefetch.csv) -eq 13 ]] || fail "not 12 cells: $(cat here/prefetch.csv)"
  grep -q '</svg>' here/prefetch.svg || fail "no plot"
  python3 -c 'import json, xml.dom.minidom; xml.dom.minidom.parse("here/prefetch.svg"); assert len(json.load(open("here/prefetch.json"))["cells"]) == 12'
  run "$xeforge" experiment prefetch --shapes 100x64x64
  expect_rc 1
  expect_says "M = 100 is not a multiple of 128"
  run "$xeforge" experiment prefetch --distances 9
  expect_rc 2
}

test_the_librarys_own_providers() {
  run "$xeforge" bench --providers xeforge,xeforge.general,xeforge.prefetch,xeforge.prefetch=2 --shapes 128x64x32:0:1,128x64x96:2:0,256x64x64:1:-1 --json out.json
  expect_rc 0
  python3 -c 'import json
cases = json.load(open("out.json"))["cases"]
assert len(cases) == 12 and all(c["ok"] and c["verified"]["errors"] == 0 for c in cases)
assert sorted({c["shape"]["pf_dist"] for c in cases}) == [0, 1, 2]
assert all(c["packed_bytes"] > 0 for c in cases if c["provider"] != "xeforge")'
  run "$xeforge" bench --providers xeforge.general --shapes 100x64x32
  expect_says "M = 100 is not a multiple of 128"
  run "$xeforge" bench --providers xeforge:fastest --shapes 128x64x32
  expect_rc 2
  expect_says "no strategy is called 'fastest'; there are small, fast, packed, portable"
  XEFORGE_GEMM_STRATEGY=fastest run "$xeforge" bench --providers xeforge --shapes 128x64x32
  expect_rc 2
  expect_says "XEFORGE_GEMM_STRATEGY: no strategy is called 'fastest'"
  run "$xeforge" bench --providers xeforge.prefetch=99 --shapes 128x64x32
  expect_rc 2
  expect_says "the prefetch distance is 1 to 8"
}

test_a_problem_is_explained() {
  run "$xeforge" explain --device a770 --problem 1024x1536x512
  expect_rc 0
  expect_says "fast kernels: hpg_rows 32x32 group 4x4 walk down"
  expect_says "estimated by a formula"
  expect_says "xe2_rows 32x64 group 8x4 ahead 2 walk across: "
  run "$xeforge" explain --device a770 --problem 1024x1535x512
  expect_says "rows begin and end at 4 bytes"
  expect_says "fast kernels: hpg_packed"
  run "$xeforge" explain --device a770 --problem 16x4096x4096
  expect_says "fast kernels: hpg_slice_k 16x32 group 16x1 walk down"
  run "$xeforge" explain --device a770 --problem 16x4096x4096:nt
  expect_says "fast kernels: hpg_slice_k_columns 16x32 group 16x1 walk down"
  run "$xeforge" explain --device a770 --problem 16x4096x4096 --weights
  expect_says "fast kernels: hpg_slice_k_packed 16x32 group 16x1 walk down"
  expect_says "hpg_rows 16x32 group 4x4 walk down: it reads operands as they are, not packed"
  run "$xeforge" explain --device b580 --problem 1024x1536x512
  expect_says "fast kernels: xe2_rows"
  run "$xeforge" explain --device a770 --problem 10by20
  expect_rc 2
  run "$xeforge" explain --device a770 --problem 64x64x64:col
  expect_rc 2
  expect_says "exchange A and B"
}

run_tests
