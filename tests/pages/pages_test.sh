#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pages twice, with a kernel that the project does not know, and compares; kernels that do not compile.
# Usage: pages_test.sh XEFORGE [BROWSER-PYTHON [SCREENSHOTS]]
set -euo pipefail
xeforge=$1 python=${2:-} shots=${3:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

cp "$here/unseen.cpp.txt" "$work/mine.cpp"
"$xeforge" pages --out "$work/first" --kernel "$work/mine.cpp" --ladder "$here/ladder_sample.json"
"$xeforge" pages --out "$work/second" --kernel "$work/mine.cpp" --ladder "$here/ladder_sample.json" 2>/dev/null
diff -r "$work/first" "$work/second" || fail "a fresh run gives other data"
grep -q '"unseen"' "$work/first/data/own.unseen.b580.js" || fail "the unseen kernel is not there"
grep -rlE 'https?://[a-z]' "$work/first" --include=*.html --include=style.css && fail "a page names an address"

# Without pages for what does not compile; the compiler's own words, and a status that is not 0.
sed 's/float sum =/flaot sum =/' "$work/mine.cpp" >"$work/wrong.cpp"
if "$xeforge" pages --out "$work/none" --no-ladder --kernel "$work/wrong.cpp" >"$work/log" 2>&1; then fail "a kernel that does not compile gave no error"; fi
grep -q "unknown type name 'flaot'" "$work/log" || { cat "$work/log"; fail "the compiler's message is missing"; }
[[ ! -e $work/none/index.html ]] || fail "pages were written for a kernel that does not compile"
if "$xeforge" pages --out "$work/none" --no-ladder --kernel "$work/absent.cpp" >"$work/log" 2>&1; then fail "an absent file gave no error"; fi
grep -q absent.cpp "$work/log" || fail "the absent file is not named"

[[ -z $python ]] || "$python" "$here/browser_test.py" "$xeforge" "$work/first" $shots
echo "pages_test: passed"
