#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the python of a private environment with exactly the wheels of a requirements file.
# Usage: environment.sh REQUIREMENTS [--install]; without --install only what is there counts. Ends with 77 and a reason
# if there is none: the test is skipped then.
set -euo pipefail
requirements=$1
install=${2:-}

skip() {
  printf 'skipped: %s\n' "$1" >&2
  exit 77
}

home=${XEFORGE_HOME:-${XDG_CACHE_HOME:-${HOME:?neither HOME nor XEFORGE_HOME is set}/.cache}/xeforge}
key=$(sha256sum "$requirements" | cut -c1-12)
final=$home/deps/dpctl-$key
if [[ -f $final/.complete ]]; then
  printf '%s\n' "$final/bin/python"
  exit 0
fi
[[ $install == --install ]] || skip "the wheels of ${requirements##*/} are not installed in $home/deps; 'ctest --preset release-long -R programs.dpctl' installs them"

mkdir -p "$home/deps"
exec 9>>"$home/deps/.dpctl.lock"
flock 9
if [[ ! -f $final/.complete ]]; then
  for python in python3.13 python3.12 python3.11 python3; do
    command -v "$python" >/dev/null && "$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && break
    python=
  done
  [[ -n $python ]] || skip "the wheels are for Python 3.11 to 3.13 (with venv and ensurepip), which is not here"
  tmp=$home/deps/.tmp-dpctl-$key
  rm -rf "$tmp"
  "$python" -m venv "$tmp" >&2
  "$tmp/bin/python" -m pip --disable-pip-version-check --no-input install --quiet --only-binary :all: --no-deps --require-hashes -r "$requirements" >&2 || {
    rm -rf "$tmp"
    skip "pip cannot install ${requirements##*/} (its message is above); a network is needed once"
  }
  rm -rf "$final"
  mv -T "$tmp" "$final"
  : >"$final/.complete"
fi
printf '%s\n' "$final/bin/python"
