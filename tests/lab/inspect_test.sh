#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands inspect and occupancy on sources of every kind. Usage: inspect_test.sh XEFORGE
set -euo pipefail
xeforge=$1
sources=$(cd "$(dirname "$0")/../compile" && pwd)
. "$(dirname "$0")/../setup/check.sh"

test_opencl() {
  run "$xeforge" inspect "$sources/sources/vadd.cl" -DFACTOR=2 --json out.json
  expect_rc 0
  expect_says "vadd on "
  expect_says "128 registers"
  expect_says "load.ugm"
  grep -q '"name": "vadd"' out.json
}
test_spirv() { run "$xeforge" inspect "$sources/corpus/spirv/opencl.spv" --device b580; expect_rc 0; expect_says "vadd on "; expect_says "a64"; }
test_sycl() { run "$xeforge" inspect "$sources/sources/matrix.cpp" --option=-w --kernel multiply --isa; expect_rc 0; expect_says "SIMD8"; expect_says "dpas.8x8"; }
test_esimd() {
  run "$xeforge" inspect "$sources/sources/esimd.cpp" --option=-w -DWIDTH=8 --build-option=-ze-opt-large-register-file
  expect_rc 0
  expect_says "ESIMD"
  expect_says "256 registers"
}
test_spill() { run "$xeforge" inspect "$sources/sources/spill.cl"; expect_rc 0; expect_says "bytes spilled"; expect_says "warning: "; }
test_refusal() {
  run "$xeforge" inspect "$sources/sources/esimd.cpp" --option=-w --device b580 --json out.json
  expect_rc 1
  expect_says "execution size of 8"
  grep -q '"error": "kernel' out.json
}
test_compile_error() { run "$xeforge" inspect "$sources/sources/vadd.cl"; expect_rc 1; expect_says "undeclared identifier 'FACTOR'"; }
test_no_kernel() { echo 'int x;' >none.cpp; run "$xeforge" inspect none.cpp; expect_rc 1; expect_says "has no kernel"; }
test_unknown_kernel() { run "$xeforge" inspect "$sources/sources/vadd.cl" -DFACTOR=2 --kernel nope; expect_rc 2; expect_says "It has: vadd"; }
test_no_file() { run "$xeforge" inspect nothing.cl; expect_rc 2; expect_says "cannot read nothing.cl"; }
test_unknown_kind() { echo x >file.txt; run "$xeforge" inspect file.txt; expect_rc 2; expect_says "neither SYCL"; }
test_unknown_device() { run "$xeforge" inspect "$sources/sources/vadd.cl" --device a380; expect_rc 2; expect_says "a770"; }
test_name_that_is_not_text() {
  cp "$sources/sources/vadd.cl" $'file\xff.cl'
  run "$xeforge" inspect $'file\xff.cl' -DFACTOR=2 --json out.json
  expect_rc 0
  grep -q '"name": "vadd"' out.json
}
test_damaged_module() { run "$xeforge" inspect "$sources/corpus/spirv/cut.spv"; expect_rc 1; expect_says "damaged"; }

test_occupancy_numbers() {
  run "$xeforge" occupancy --device a770 --simd 8 --grf 128 --slm 24576 --group 64 --barriers 1 --json out.json
  expect_rc 0
  expect_says "limited by: shared local memory"
  grep -q '"groups_per_core": 4' out.json
}
test_occupancy_of_a_kernel() { run "$xeforge" occupancy --kernel "$sources/sources/vadd.cl" -DFACTOR=2 --group 256; expect_rc 0; expect_says "hardware threads"; }
test_occupancy_without_group() { run "$xeforge" occupancy --kernel "$sources/sources/vadd.cl" -DFACTOR=2; expect_rc 2; expect_says "--group"; }
test_occupancy_without_anything() { run "$xeforge" occupancy; expect_rc 2; expect_says "--kernel FILE"; }
test_occupancy_impossible() { run "$xeforge" occupancy --group 64 --slm 10000000; expect_rc 2; expect_says "xeforge: "; }
test_occupancy_either_or() { run "$xeforge" occupancy --kernel x.cl --grf 128; expect_rc 2; expect_says "excludes"; }

run_tests
