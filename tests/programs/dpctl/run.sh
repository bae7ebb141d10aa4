#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a dpctl program under `xeforge run`. Usage: run.sh XEFORGE DEVICE OCLOC REQUIREMENTS PROGRAM [--install]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
xeforge=$1 device=$2 ocloc=$3 requirements=$4 program=$5
python=$("$here/environment.sh" "$requirements" "${@:6}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The program takes SPIR-V; the offline compiler leaves it beside its binary.
env -u LD_LIBRARY_PATH "$ocloc" compile -file "$here/kernels.cl" -device dg2-g10 -options "-cl-std=CL3.0" -output kernels -out_dir "$work" >"$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
"$here/../run_checked.sh" "$xeforge" "$device" "${MIN_KERNELS:-1}" "$python" "$program" "$work"/kernels*.spv
