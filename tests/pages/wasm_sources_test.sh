#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The occupancy arithmetic in the pages was compiled from the sources as they are.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
now=$(cat web/wasm/occupancy_wasm.cc src/device/occupancy.cpp src/device/occupancy.h src/device/device.h | sha256sum | cut -c1-64)
if ! grep -q "^// sources: $now\$" web/assets/occupancy_wasm.js; then
  echo "src/device/occupancy.cpp or a header of it has changed since web/assets/occupancy_wasm.js was made: run web/wasm/build.sh" >&2
  exit 1
fi
echo "occupancy_wasm.js is made of the present sources"
