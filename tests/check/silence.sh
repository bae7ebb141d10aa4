#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What must be silent under all checkers, and what must not, on small shapes: the ladder, the general kernel, oneDNN and
# oneMKL where they are installed. Usage: silence.sh XEFORGE
set -euo pipefail
xeforge=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { tail -60 "$folder/log"; echo "FAIL: $1"; exit 1; }

# check DEVICE COMMAND...: runs `xeforge COMMAND` under all checkers; findings are in $folder/report.json.
check() {
  local device=$1 status=0
  shift
  "$xeforge" run --device "$device" --check all --json "$folder/report.json" -- \
    "$xeforge" "$@" --device "$device" >"$folder/log" 2>&1 || status=$?
  [[ $status -eq 0 || $status -eq 71 ]] || fail "$* on $device ended with $status"
  grep -q '==xeforge== checked: .* in [1-9][0-9]* launch' "$folder/log" || fail "$* on $device launched nothing"
}
silent() {
  check "$@"
  grep -q '==xeforge== findings: none' "$folder/log" || fail "${*:2} on $1 is not silent"
  echo "silent: ${*:2} on $1"
}

silent a770 ladder --shape 256x128x128 --rungs 'naive,tiled_slm,register_tiled,vectorized,*.sg8,esimd_*'
silent a770 bench --shapes 128x64x64,256x128x64:2:0.5,128x64x32 --providers xeforge,xeforge.general,xeforge.prefetch
silent a770 bench --shapes 16x96x70,5x102x70:2:-1 \
  --providers 'xeforge:hpg_slice_k 16x32 group 16x1,xeforge:hpg_slice_k_packed 16x32 group 16x1'
silent a770 bench --shapes 5x101x70:nt --providers 'xeforge:hpg_slice_k_columns 16x32 group 16x1'
silent b580 ladder --shape 256x128x128 --rungs 'naive,tiled_slm,register_tiled,vectorized,xe2_*'
if [[ -x $(dirname "$xeforge")/xeforge-provider-onednn ]]; then
  silent a770 bench --shapes 128x128x64,100x60x77 --types bf16,f32 --providers onednn,onemkl
  silent b580 bench --shapes 128x128x64,100x60x77 --types bf16,f32 --providers onednn,onemkl
else
  echo "not run: oneDNN and oneMKL are not installed (make providers)"
fi

# The published joint_matrix rungs store every tile twice: reported, and nothing but that.
check a770 ladder --shape 256x128x128 --rungs 'jm_basic,jm_slm,jm_tuned'
grep -q '\[races.same-value-write\]' "$folder/log" || fail "the tiles that are stored twice are not reported"
grep -q '"kind": "races.same-value-write"' "$folder/report.json" || fail "the JSON report has no finding"
if grep '"kind": "' "$folder/report.json" | grep -vq 'races.same-value-write'; then fail "something else is reported"; fi
echo "reported: jm_basic, jm_slm, jm_tuned store every tile twice"
