#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles src/device/occupancy.cpp for the pages: web/assets/occupancy_wasm.js. Usage: web/wasm/build.sh [OUTPUT]
# Needs Debian's clang-14, lld-14, wasi-libc, libc++-14-dev-wasm32, libc++abi-14-dev-wasm32, libclang-rt-14-dev-wasm32
# (setup/debian-packages-pages.txt); the same versions give the same bytes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
src=$here/../../src
output=${1:-$here/../assets/occupancy_wasm.js}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sources=("$here/occupancy_wasm.cc" "$src/device/occupancy.cpp")
common=(--target=wasm32-wasi -std=c++20 -Os -fvisibility=hidden "-ffile-prefix-map=$here/../../=" -I"$src")
for source in "${sources[@]}"; do
  clang++-14 "${common[@]}" -fexceptions -c "$source" -o "$scratch/$(basename "${source%.*}").o"
done
clang++-14 --target=wasm32-wasi -Os -nostartfiles -fuse-ld=lld -Wl,--no-entry,--gc-sections,--strip-all,--export=__wasm_call_ctors \
  "$scratch"/*.o -o "$scratch/occupancy.wasm"
{
  echo "// Made by web/wasm/build.sh from src/device/occupancy.cpp and web/wasm/occupancy_wasm.cc (Apache-2.0); contains parts of"
  echo "// LLVM's libc++ and of wasi-libc (THIRD_PARTY_NOTICES.md)."
  echo "// sources: $(cat "${sources[@]}" "$src/device/occupancy.h" "$src/device/device.h" | sha256sum | cut -c1-64)"
  printf 'XF.occupancyWasm = "%s";\n' "$(base64 -w0 "$scratch/occupancy.wasm")"
} >"$output"
