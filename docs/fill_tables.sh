#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the command that a document names for a table and puts its output there:
#   <!-- ladder:begin (xeforge ladder --rungs naive) --> ... <!-- ladder:end -->
# Usage: fill_tables.sh XEFORGE FILE...      XEFORGE: the command to run for 'xeforge'
set -euo pipefail

xeforge=$1
shift
for file in "$@"; do
  command=$(sed -n 's/^<!-- ladder:begin (xeforge \(.*\)) -->$/\1/p' "$file")
  [[ -n $command && $(wc -l <<<"$command") -eq 1 ]] || { echo "$file: there is not one table to fill" >&2; exit 1; }
  read -ra arguments <<<"$command"
  # Wide enough for counts and published numbers; what the host needed for packing differs from run to run.
  table=$(COLUMNS=140 "$xeforge" "${arguments[@]}" 2>/dev/null | sed '1{/^Intel/d}')
  [[ -n $table ]] || { echo "$file: xeforge $command printed no table" >&2; exit 1; }
  TABLE=$table awk '
    /^<!-- ladder:begin / { print; print "```"; print ENVIRON["TABLE"]; print "```"; inside = 1; next }
    /^<!-- ladder:end -->$/ { inside = 0 }
    !inside' "$file" >"$file.new"
  mv "$file.new" "$file"
done
