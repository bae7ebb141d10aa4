#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the command line says to what cannot be understood. Usage: command_line_test.sh XEFORGE
set -euo pipefail
xeforge=$1
. "$(dirname "$0")/../setup/check.sh"

test_no_arguments() { run "$xeforge"; expect_rc 2; expect_says "A subcommand is required"; }
test_help() { run "$xeforge" --help; expect_rc 0; expect_says "ladder"; expect_says "run"; expect_says "inspect"; expect_says "occupancy"; }
test_version() { run "$xeforge" --version; expect_rc 0; expect_says "xeforge 0."; }
test_unknown_command() { run "$xeforge" climb; expect_rc 2; }
test_unknown_option() { run "$xeforge" ladder --rung naive; expect_rc 2; expect_says "--rung"; }

test_unknown_rung() { run "$xeforge" ladder --rungs naiv; expect_rc 2; expect_says "no rung is called 'naiv'"; expect_says "naive"; }
test_bad_shapes() {
  local shape
  for shape in 1024 1024x1536 axbxc 0x1x1 1024x1536x512x4 -1x2x3 99999999x1x1 ""; do
    run "$xeforge" ladder --rungs naive "--shape=$shape"
    expect_rc 2
    expect_says "shape"
  done
}
test_unknown_device() { run "$xeforge" ladder --device a380; expect_rc 2; expect_says "there is no device 'a380'"; expect_says "a770"; }
test_two_formats() { run "$xeforge" ladder --csv --markdown; expect_rc 2; expect_says "exclude"; }
test_list() { run "$xeforge" ladder --list; expect_rc 0; expect_says "esimd_4buf"; expect_says "on esimd_addr_step"; }
test_no_real_device() {
  compgen -G '/dev/dri/renderD*' >/dev/null && { echo "        (this machine has a GPU)"; return 0; }
  run "$xeforge" ladder --rungs naive --device gpu
  expect_rc 3
  expect_says "no Intel GPU was found"
  run "$xeforge" bench --providers onednn --device gpu
  expect_rc 3
  expect_says "no Intel GPU was found"
}
test_bench_options() {
  run "$xeforge" bench --help
  expect_rc 0
  expect_says "residues"
  run "$xeforge" bench --providers nobody
  expect_rc 2
  expect_says "onednn"
  run "$xeforge" bench --providers reference --shapes 8x8x8 --types bf16,s4
  expect_rc 2
  expect_says "--types: 's4'"
  run "$xeforge" bench --providers reference --shapes 8x8x8:f32:tt:b2,9x9x9 --csv
  expect_rc 0
  expect_says "8x8x8:f32:tt:b2,reference,0/128,"
  run "$xeforge" bench --providers reference,naive --shapes 8x8x8:f32 --strict
  expect_rc 1
  expect_says "not run: naive 8x8x8:f32: it multiplies bf16 only"
}
test_no_driver() {
  run env XEFORGE_LOADER_DIR="$work" "$xeforge" ladder --rungs naive
  expect_rc 3
  expect_says "libze_loader.so.1"
}

test_run_without_program() { run "$xeforge" run; expect_rc 2; expect_says "PROGRAM"; }
test_run_on_real_device() { run "$xeforge" run --device gpu -- true; expect_rc 2; expect_says "virtual"; }
test_run_unknown_program() { run "$xeforge" run -- ./no-such-program; expect_rc 127; expect_says "cannot start ./no-such-program"; }
test_run_not_executable() { echo x >file; run "$xeforge" run -- ./file; expect_rc 126; }
test_run_passes_the_status() { run "$xeforge" run -- sh -c 'exit 5'; expect_rc 5; expect_says "the program ended with 5"; }
test_run_passes_signals() { run "$xeforge" run -- sh -c 'kill -TERM $$'; expect_rc 143; expect_says "signal 15"; }
test_run_passes_arguments() {
  run "$xeforge" run --quiet -- sh -c 'printf "%s|" "$@"' sh --device "a b" --json -- x
  expect_rc 0
  expect_says "--device|a b|--json|--|x|"
  expect_silent_about "==xeforge=="
}
test_run_reports() { run "$xeforge" run --json out.json -- true; expect_rc 0; expect_says "0 launches"; grep -q '"launches": 0' out.json; }
test_run_cannot_write() { run "$xeforge" run --json /no/such/dir/out.json -- true; expect_rc 1; expect_says "/no/such/dir/out.json"; }
test_run_leaves_no_files() { run env TMPDIR="$work" "$xeforge" run -- true; expect_rc 0; [[ -z $(ls -A "$work") ]] || fail "left: $(ls -A "$work")"; }
test_run_environment() { run "$xeforge" run --device b580 -- sh -c 'echo "$XEFORGE_DEVICE ${LD_LIBRARY_PATH%%:*} $ZE_ENABLE_ALT_DRIVERS"'; expect_rc 0; expect_says "b580 "; expect_says "/loader "; expect_says "libxeforge_ze"; }
test_run_hides_our_opencl() {
  run env -u ONEAPI_DEVICE_SELECTOR "$xeforge" run --quiet -- sh -c 'echo "selector $ONEAPI_DEVICE_SELECTOR"'
  expect_says "selector level_zero:*;opencl:cpu"
  run env ONEAPI_DEVICE_SELECTOR=level_zero:gpu "$xeforge" run --quiet -- sh -c 'echo "selector $ONEAPI_DEVICE_SELECTOR"'
  expect_says "selector level_zero:gpu"
}

run_tests
