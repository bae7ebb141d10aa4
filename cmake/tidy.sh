#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over the sources given; those whose preprocessed text passed before are not looked at again.
# usage: tidy.sh BUILD_DIR FILE...      Passed texts are remembered in $XEFORGE_HOME/tidy (or the cache directory).
set -euo pipefail
build=$1
shift
home=${XEFORGE_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/xeforge}
passed="$home/tidy"
mkdir -p "$passed"

# The text that the compiler sees, with comments (NOLINT) but without the paths of this clone: all clones share what passed.
preprocessed() {
  python3 - "$build/compile_commands.json" "$1" <<'PYTHON'
import json, os, shlex, subprocess, sys
source = os.path.abspath(sys.argv[2])
for entry in json.load(open(sys.argv[1])):
    if os.path.normpath(os.path.join(entry["directory"], entry["file"])) == source:
        command = shlex.split(entry["command"])
        if os.path.basename(command[0]) == "ccache":
            command = command[1:]
        output = command.index("-o")
        del command[output:output + 2]
        command.remove("-c")
        sys.exit(subprocess.run(command + ["-E", "-P", "-C"], cwd=entry["directory"]).returncode)
print(open(source).read())  # not part of the build (a fuzzer): clang-tidy guesses its options from a neighbour
PYTHON
}

rules=$(clang-tidy-14 --version | cat - .clang-tidy)
failed=0
for file in "$@"; do
  key=$({ echo "$rules"; preprocessed "$file"; } | sha256sum | cut -c1-40)
  [[ -e $passed/$key ]] && continue
  if clang-tidy-14 -p "$build" --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option "$file"; then
    touch "$passed/$key"
  else
    failed=1
  fi
done
exit $failed
