# SPDX-License-Identifier: Apache-2.0
# The little that a shell test needs. Sourced. Every function named test_* is run, each in an empty directory $work.
failed=0

fail() {
  printf '    %s\n' "$1" >&2
  return 1
}

# run COMMAND...: sets rc and output (both streams).
run() {
  rc=0
  output=$("$@" 2>&1) || rc=$?
}

expect_rc() { [[ $rc -eq $1 ]] || fail "exit code $rc instead of $1; it said: $output"; }
expect_says() { [[ $output == *"$1"* ]] || fail "nothing about '$1' in: $output"; }
expect_silent_about() { [[ $output != *"$1"* ]] || fail "'$1' must not be in: $output"; }

run_tests() {
  local name top
  top=$(mktemp -d)
  for name in $(compgen -A function test_); do
    mkdir -p "$top/$name"
    # Not a condition of `if`, inside which the shell would ignore a failing line.
    (
      set -e
      work=$top/$name
      cd "$work"
      "$name"
    )
    if [[ $? -eq 0 ]]; then echo "ok      $name"; else echo "FAILED  $name"; failed=1; fi
  done
  rm -rf "$top"
  exit "$failed"
}
