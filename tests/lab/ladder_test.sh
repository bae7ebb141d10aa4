#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The ladder on the virtual devices with small shapes. Usage: ladder_test.sh XEFORGE
set -euo pipefail
xeforge=$1
. "$(dirname "$0")/../setup/check.sh"

# One cache for all tests of this run: what one compiles the others load.
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
export XEFORGE_CACHE_DIR=$cache

# One rung per way of feeding the matrix engine, and the SIMT ones.
some='naive,vectorized,jm_basic,jm_vnni_vec,jm_walk_n.sg8,esimd_bk32_16x16,esimd_4buf,esimd_a_slm_staging'

# counts FILE: id, errors and all counts of every rung, one line each.
counts() {
  python3 -c 'import json, sys
for r in json.load(open(sys.argv[1]))["rungs"]: print(r["id"], r["verified"]["errors"], r["verified"]["total"], json.dumps(r["counts"]))' "$1"
}

test_a_first_start_compiles_and_verifies() {
  run "$xeforge" ladder --rungs "$some" --shape 256x128x128 --json out.json
  expect_rc 0
  expect_says "compiling the esimd kernels"
  expect_says "0/32768"
  [[ $(counts out.json | awk '$2 == 0 && $3 == 32768' | wc -l) -eq 8 ]] || fail "not eight right results: $(counts out.json)"
}

test_b_second_start_compiles_nothing() {
  run "$xeforge" ladder --rungs "$some" --shape 256x128x128
  expect_rc 0
  expect_silent_about "compiling"
}

test_c_same_counts_with_any_number_of_threads() {
  local threads
  for threads in 1 2 8; do
    run "$xeforge" ladder --rungs "$some" --shape 128x128x64 --host-threads $threads --json $threads.json
    expect_rc 0
    counts $threads.json >$threads.txt
  done
  cmp 1.txt 2.txt && cmp 1.txt 8.txt || fail "counts differ"
}

test_c_same_counts_through_both_adapters() {
  local version
  for version in 0 1; do
    run env SYCL_UR_USE_LEVEL_ZERO_V2=$version "$xeforge" ladder --rungs "$some" --shape 128x128x64 --json $version.json
    expect_rc 0
    counts $version.json >$version.txt
  done
  cmp 0.txt 1.txt || fail "counts differ"
}

test_c_smallest_shapes() {
  run "$xeforge" ladder --rungs naive,tiled_slm --shape 17x5x3
  expect_rc 0
  expect_says "0/85"
  run "$xeforge" ladder --rungs 'esimd_bk32_16x16,esimd_a_*,jm_k_split' --shape 128x64x64
  expect_rc 0
  expect_says "0/8192"
}

test_c_smoke_kernels() {
  run "$xeforge" ladder --rungs 'dpas*,slm_micro'
  expect_rc 0
  expect_says "0/64"
  expect_says "0/128"
  expect_says "0/1024"
}

test_c_sizes_that_do_not_fit_are_named() {
  run "$xeforge" ladder --rungs esimd_4buf --shape 128x64x96
  expect_rc 1
  expect_says "not run: esimd_4buf: K = 96 is not a multiple of 64"
}

test_c_large_registers_are_proven() {
  run "$xeforge" ladder --rungs jm_large_grf_32x32 --shape 128x64x32 --json out.json
  expect_rc 0
  python3 -c 'import json; c = json.load(open("out.json"))["rungs"][0]["compiled"]; assert c["grf"] == 256 and c["scratch_bytes"] == 0, c'
}

test_c_published_form_does_everything_twice() {
  run "$xeforge" ladder --rungs 'jm_basic*' --shape 64x64x32 --json out.json
  expect_rc 0
  python3 -c 'import json
both = [r["counts"] for r in json.load(open("out.json"))["rungs"]]
assert both[0]["dpas"] == 2 * both[1]["dpas"], both
assert both[0]["instructions"] == 2 * both[1]["instructions"], both'
}

test_d_xe2() {
  run "$xeforge" ladder --device b580 --shape 128x128x64
  expect_rc 0
  expect_says "xe2_esimd_block2d             0/16384"
  expect_says "xe2_joint_matrix              0/16384"
  expect_says "naive                         0/16384"
}

test_d_kernels_for_another_device_are_refused() {
  run "$xeforge" ladder --device b580 --rungs esimd_4buf --shape 128x64x64
  expect_rc 1
  expect_says "it is built for a matrix engine that is 8 columns wide"
  run "$xeforge" ladder --rungs xe2_joint_matrix --shape 128x128x64
  expect_rc 1
  expect_says "it is built for a matrix engine that is 16 columns wide"
}

test_d_a_damaged_cache_is_compiled_again() {
  local file
  for file in "$cache"/kernels/smoke-*.syclbin; do truncate -s 100 "$file"; done
  run "$xeforge" ladder --rungs dpas_smoke
  expect_rc 0
  expect_says "compiling the smoke kernels"
}

test_d_json_of_an_unwritable_place() {
  run "$xeforge" ladder --rungs dpas_smoke --json /no/such/dir/out.json
  expect_rc 1
  expect_says "cannot write /no/such/dir/out.json"
}

run_tests
