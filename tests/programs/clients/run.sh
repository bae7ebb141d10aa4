#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a Python program of a client under `xeforge run`. Usage: run.sh XEFORGE DEVICE REQUIREMENTS PROGRAM LEAST-KERNELS
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
xeforge=$1 device=$2 requirements=$3 program=$4 least=$5
python=$("$here/../dpctl/environment.sh" "$requirements" --install)
export PYTHONDONTWRITEBYTECODE=1
# Some wheels find the compiler's libraries, which other wheels bring, only through the library path; behind the driver's.
# shellcheck disable=SC2016
exec "$here/../run_checked.sh" "$xeforge" "$device" "$least" \
  sh -c 'LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$0 exec "$@"' "$(dirname "$python")/../lib" "$python" "$here/$program"
