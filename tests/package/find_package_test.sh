#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a finished build into an empty directory, then builds and runs a project that finds it there.
# Usage: find_package_test.sh BUILD-DIR CXX
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$1" --prefix "$work/prefix" >"$work/install.log"
cmake -G Ninja -S "$here/consumer" -B "$work/build" "-DCMAKE_CXX_COMPILER=$2" "-DCMAKE_PREFIX_PATH=$work/prefix"
cmake --build "$work/build"
"$work/build/consumer"

# The installed headers are those that were meant, not the source tree's.
if grep -rqF "$(cd "$here/../.." && pwd)/src" "$work/build/build.ninja"; then
  echo "the consumer was built against the source tree" >&2
  exit 1
fi
# An installed driver is found under the loader's name too.
if [[ -e $work/prefix/lib/libxeforge_ze.so && ! -e $work/prefix/lib/loader/libze_loader.so.1 ]]; then
  echo "lib/loader/libze_loader.so.1 was not installed" >&2
  exit 1
fi
