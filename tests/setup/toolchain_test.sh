#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What setup installed does its work, also in the surroundings that break it easily.
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"

test_ocloc_compiles_under_a_foreign_library_path() {
  printf 'kernel void f(global int* p) { p[get_global_id(0)] = 7; }\n' >f.cl
  # A library of the same name as one of the compiler's, which is not a library.
  mkdir bad
  echo nonsense >bad/libstdc++.so.6
  run env LD_LIBRARY_PATH="$work/bad" "$XEFORGE_OCLOC" compile -file f.cl -device dg2-g10 -output f -out_dir .
  expect_rc 0
  # EM_INTELGT, 205, is the machine in the ELF header.
  [[ $(od -An -t u2 -j 18 -N 2 "$(ls f*.bin)" | tr -d ' ') == 205 ]] || fail "not a device binary: $(ls)"
}

test_ocloc_hands_on_a_failure() {
  printf 'kernel void f(global int* p) { this is no code; }\n' >f.cl
  run "$XEFORGE_OCLOC" compile -file f.cl -device dg2-g10 -output f -out_dir .
  [[ $rc -ne 0 ]] || fail "rc 0 for a program that is none"
  expect_says "error"
}

test_iga_comes_alone() {
  # Beside it must lie no C library, or a run path to this directory offers it to every program.
  [[ $(ls "$XEFORGE_IGA_ROOT/lib" | grep -v '^libiga64\.so') == "" ]] || fail "$(ls "$XEFORGE_IGA_ROOT/lib")"
  run ldd "$XEFORGE_IGA_ROOT/lib/libiga64.so"
  expect_rc 0
  expect_silent_about "not found"
}

test_headers_and_libraries_are_there() {
  for file in "$XEFORGE_IGA_ROOT/include/iga/kv.h" "$XEFORGE_LEVEL_ZERO_INCLUDE/level_zero/ze_api.h" \
    "$XEFORGE_LEVEL_ZERO_INCLUDE/level_zero/ze_ddi.h" "$XEFORGE_SYCL_ROOT/include/sycl/sycl.hpp" \
    "$XEFORGE_SYCL_ROOT/lib/libsycl-jit.so" "$XEFORGE_SYCL_ROOT/lib/libur_adapter_level_zero.so.0" \
    "$XEFORGE_SYCL_ROOT/lib/libur_adapter_level_zero_v2.so.0"; do
    [[ -f $file ]] || fail "$file is missing"
  done
}

run_tests
