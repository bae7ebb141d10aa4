# SPDX-License-Identifier: Apache-2.0
# Messages, logged steps with a diagnosis, the lock and all-or-nothing directories. Sourced by setup.sh.

say() { printf 'setup: %s\n' "$*"; }

# die MESSAGE [ADVICE...]: every failure ends here, says what to do and leaves with 1.
die() {
  printf 'setup: error: %s\n' "$1" >&2
  shift
  local line
  for line in "$@"; do printf '       %s\n' "$line" >&2; done
  exit 1
}

content_key() { cat "$@" | sha256sum | cut -c1-12; }

free_mib() { df -Pm "$1" 2>/dev/null | awk 'NR == 2 { print $4 }'; }

need_space() { # DIR MIB WHAT
  local free
  free=$(free_mib "$1")
  [[ -z $free || $free -ge $2 ]] && return 0
  die "not enough disk space for $3: $2 MiB needed, $free MiB free in $1" \
      "Free some space, or choose another place: XEFORGE_HOME=/some/larger/disk make setup"
}

# run_step WHAT PROGRAM...: runs it silently; on failure shows the end of its output and what it means.
# The output stays in $step_log until the next step. The program gets a process group of its own, which an interrupt
# takes down at once (stop_step).
run_step() {
  local what=$1 rc=0
  shift
  step_log=$scratch/step.log
  setsid "$@" >"$step_log" 2>&1 </dev/null &
  step_group=$!
  wait "$step_group" || rc=$?
  step_group=
  [[ $rc -eq 0 ]] || fail_step "$what" "$rc"
}

# run_whole_step: the same for what must not be cut off in the middle, such as the system's package manager.
run_whole_step() {
  local what=$1 rc=0
  shift
  step_log=$scratch/step.log
  "$@" >"$step_log" 2>&1 </dev/null || rc=$?
  [[ $rc -eq 0 ]] || fail_step "$what" "$rc"
}

step_group=
stop_step() {
  [[ -z $step_group ]] || { kill -TERM -- "-$step_group" 2>/dev/null && wait "$step_group" 2>/dev/null; } || true
  step_group=
}

fail_step() { # WHAT RC
  local advice=("Command output above; run again when the cause is gone: a failed run leaves nothing behind.")
  if grep -qiE 'no space left|errno 28|not enough free disk|disk quota' "$step_log" ||
     [[ $(free_mib "$home") -lt 20 ]]; then
    advice=("The disk is full. Free some space, or choose another place: XEFORGE_HOME=/some/larger/disk make setup")
  elif grep -qiE 'certificate.?verify.?failed|certificate verification failed|server certificate' "$step_log"; then
    advice=("The certificate of the mirror or of a proxy in between is not trusted on this machine. Add its authority to the"
            "machine's certificates (apt), and for pip: pip config set global.cert FILE, or PIP_CERT=FILE make setup")
  elif grep -qiE "could not resolve|temporary failure|name resolution|network is unreachable|connection (refused|failed|timed out|reset)|could not connect|cannot initiate the connection|newconnectionerror|read timed out|proxyerror|failed to fetch" "$step_log"; then
    advice=("The network or the mirror cannot be reached. setup needs it once; check the connection, the proxy"
            "and the mirror that pip (pip config list) and apt (/etc/apt/sources.list*) are set to, then run it again.")
  elif grep -qiE 'no matching distribution|could not find a version' "$step_log"; then
    advice=("The Python package index that pip uses does not offer this version (pip config list shows which index it is)"
            "or it cannot be reached. The versions are in setup/requirements.txt.")
  elif grep -qiE 'do not match the hashes|hash mismatch|hash sum mismatch' "$step_log"; then
    advice=("What was downloaded is not what is pinned. Do not use it; ask whoever runs the mirror.")
  elif grep -qiE 'no_pubkey|not signed|signatures? (couldn|could not|were invalid)' "$step_log"; then
    advice=("The mirror's signature could not be verified. Install the current debian-archive-keyring and run again.")
  elif grep -qiE 'permission denied' "$step_log"; then
    advice=("No permission to write. Choose a place of your own: XEFORGE_HOME=/some/dir make setup")
  fi
  tail -n 15 "$step_log" | sed 's/^/  | /' >&2 || true
  die "$1 failed (exit code $2)" "${advice[@]}"
}

# Only one setup works in a XEFORGE_HOME at a time. The lock goes away with the processes that hold it.
take_lock() {
  exec 9>>"$deps/.lock" || die "cannot write in $deps" "Choose a place of your own: XEFORGE_HOME=/some/dir make setup"
  if ! flock -n 9; then
    say "another setup is at work in $deps; waiting for it"
    flock 9
  fi
  # Left by runs that were killed; nobody else can be using them while we hold the lock.
  rm -rf "$deps"/.tmp-*
}

# publish TMP FINAL: the directory appears complete or not at all.
publish() {
  sync -f "$1" 2>/dev/null || true
  rm -rf "$2"
  mv -T "$1" "$2"
}
