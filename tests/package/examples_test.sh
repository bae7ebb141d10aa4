#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the examples against an installed package and runs them on virtual devices.
# Usage: examples_test.sh BUILD-DIR CXX
set -euo pipefail
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$1" --prefix "$work/prefix" >"$work/install.log"
cmake -G Ninja -S "$examples" -B "$work/build" "-DCMAKE_CXX_COMPILER=$2" "-DCMAKE_PREFIX_PATH=$work/prefix"
cmake --build "$work/build"

run() { # DEVICE EXAMPLE TEXT: it succeeds and says TEXT
  local output
  echo "== $2 on $1"
  output=$("$work/prefix/bin/xeforge" run --device "$1" -- "$work/build/$2" 2>&1) || { echo "$output"; exit 1; }
  grep -qF "$3" <<<"$output" || { echo "$output"; echo "FAIL: $2 does not say '$3'"; exit 1; }
}
for device in a770 b580; do
  run "$device" gemm "C[0] = 180, C[last] = 180"
  run "$device" mlp "largest difference from the CPU"
  run "$device" gemm_c "0 of 660 elements are wrong"
done
run a770 kernel_ci "guarded: right, nothing was found"
