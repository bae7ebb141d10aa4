#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lists the C++ sources that git tracks: all of them, or only those ending in .$1.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ $# -gt 0 ]]; then
  git ls-files -- "*.$1"
else
  git ls-files -- '*.h' '*.hpp' '*.cpp'
fi
