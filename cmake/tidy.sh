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
  python3 - "$database/compile_commands.json" "$1" <<'PYTHON'
import json, os, shlex, subprocess, sys
source = os.path.abspath(sys.argv[2])
for entry in json.load(open(sys.argv[1])):
    if os.path.normpath(os.path.join(entry["directory"], entry["file"])) == source:
        command = shlex.split(entry["command"])
        output = command.index("-o")
        del command[output:output + 2]
        command.remove("-c")
        sys.exit(subprocess.run(command + ["-E", "-P", "-C"], cwd=entry["directory"]).returncode)
if "/tests/fuzz/" in source:  # not part of this build: clang-tidy guesses its options from a neighbour
    print(open(source).read())
PYTHON
}

clang_tidy=${XEFORGE_CLANG_TIDY:?is set by build/deps.env, which 'make setup-dev' writes}
# One entry for each source: clang-tidy would look at a source that is compiled for several processors as often. Without a
# launcher in front of the compiler, and without the precompiled headers, which are the other compiler's.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
python3 - "$build/compile_commands.json" >"$database/compile_commands.json" <<'PYTHON'
import json, re, sys
entries = {entry["file"]: entry for entry in json.load(open(sys.argv[1]))}
for entry in entries.values():
    entry["command"] = re.sub(r"^.*?/ccache ", "", entry["command"])
    entry["command"] = re.sub(r"-(?:include \S*cmake_pch\.hxx|Winvalid-pch|fpch-preprocess)(?=\s)", "", entry["command"])
print(json.dumps(list(entries.values())))
PYTHON

version=$("$clang_tidy" --version)
rules_for() { # FILE
  local directory=$1
  while [[ $directory == */* ]]; do
    directory=${directory%/*}
    cat "$directory/.clang-tidy" 2>/dev/null || true
  done
  cat .clang-tidy
}
failed=0
for file in "$@"; do
  preprocessed "$file" >"$database/text"
  if [[ ! -s $database/text ]]; then
    echo "tidy: $file is not part of this build, and left out ('make providers' adds to it)"
    continue
  fi
  key=$({ echo "$version"; rules_for "$file"; cat "$database/text"; } | sha256sum | cut -c1-40)
  [[ -e $passed/$key ]] && continue
  if "$clang_tidy" -p "$database" --quiet --warnings-as-errors='*' "$file"; then
    touch "$passed/$key"
  else
    failed=1
  fi
done
exit $failed
